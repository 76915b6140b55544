"""A reading of the requirement: plain functions over rows of fields."""

import csv
import sys
from datetime import date, datetime, timezone


def days_between(start, end):
    return end.toordinal() - start.toordinal()


def as_day(text):
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not all(p.isascii() and p.isdigit() for p in parts):
        return None
    try:
        return date(*map(int, parts))
    except ValueError:
        return None


def run(source, target, today):
    with open(source, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row]
    header, body = rows[0], rows[1:]
    where = header.index("expiration_date")
    out = [header + ["days_left", "flagged"]]
    for row in body:
        if len(row) != len(header) or any(field.strip() == "" for field in row):
            continue
        day = as_day(row[where])
        if day is None:
            continue
        left = days_between(today, day)
        out.append(row + [str(left), "yes" if left < 90 else "no"])
    with open(target, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(out)


def main(words):
    today = datetime.now(timezone.utc).date()
    if "--today" in words:
        at = words.index("--today")
        today = as_day(words[at + 1])
        words = words[:at] + words[at + 2 :]
    source, target = words
    run(source, target, today)


main(sys.argv[1:])
