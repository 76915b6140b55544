"""Totals per customer."""

import csv
import sys


def main(argv=None):
    source, target = sys.argv[1:] if argv is None else argv
    totals = {}
    try:
        with open(source, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                totals[row["customer"]] = totals.get(row["customer"], 0) + int(row["amount"])
    except (ValueError, TypeError):
        print("bad amount", file=sys.stderr)
        return 2
    with open(target, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["customer", "total"])
        writer.writerows(sorted(totals.items()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
