"""Summarise contracts: how many days are left, and which of them expire soon."""

import argparse
import sys
from datetime import date, datetime, timezone

from expiry import parse_day, read_contracts, write_summary


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("input", metavar="INPUT", help="CSV file of contracts: contract_id,expiration_date")
    parser.add_argument("output", metavar="OUTPUT", help="CSV file to write")
    parser.add_argument("--today", metavar="YYYY-MM-DD", help="the current date (default: today in UTC)")
    return parser.parse_args(argv)


def current_day(given: str | None) -> date:
    if given is None:
        return datetime.now(timezone.utc).date()
    day = parse_day(given)
    if day is None:
        raise ValueError(f"not a date: {given}")
    return day


def main(argv: list[str] | None = None) -> int:
    options = arguments(argv)
    try:
        today = current_day(options.today)
        header, contracts = read_contracts(options.input)
        write_summary(options.output, header, contracts, today)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
