"""Contracts in, summary out."""

import csv
import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

SOON_DAYS = 90
DATE_COLUMN = "expiration_date"


class Contract(NamedTuple):
    fields: list[str]
    expires: date


def parse_day(text: str) -> date | None:
    """The day written as YYYY-MM-DD, or None."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def read_contracts(path: str) -> tuple[list[str], list[Contract]]:
    """Header and valid contracts of a CSV file, in its order; rows that are not valid are left out."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        header = next(rows, None)
        if header is None or DATE_COLUMN not in header:
            raise ValueError(f"{path} has no column {DATE_COLUMN}")
        place = header.index(DATE_COLUMN)
        parsed = (parse_row(row, len(header), place) for row in rows)
        return header, [contract for contract in parsed if contract is not None]


def parse_row(row: list[str], width: int, place: int) -> Contract | None:
    if len(row) != width or not all(field.strip() for field in row):
        return None
    expires = parse_day(row[place])
    return None if expires is None else Contract(row, expires)


def write_summary(path: str, header: list[str], contracts: Iterable[Contract], today: date) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*header, "days_left", "flagged"])
        for contract in contracts:
            days = (contract.expires - today).days
            writer.writerow([*contract.fields, days, "yes" if days < SOON_DAYS else "no"])
