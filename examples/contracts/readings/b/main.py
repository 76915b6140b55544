"""Another reading: a stream of records, dates through strptime, names through DictReader."""

import argparse
import csv
import io
from datetime import datetime, timedelta, timezone
from pathlib import Path

NOTICE = timedelta(days=90)


class Reader:
    def __init__(self, path):
        text = Path(path).read_bytes().decode("utf-8-sig")
        self.lines = csv.DictReader(io.StringIO(text, newline=""), strict=True)

    @property
    def columns(self):
        return list(self.lines.fieldnames or [])

    def __iter__(self):
        for record in self.lines:
            complete = None not in record and None not in record.values()
            if complete and all(value.strip() for value in record.values()):
                try:
                    expires = datetime.strptime(record["expiration_date"], "%Y-%m-%d")
                except ValueError:
                    continue
                yield record, expires


def build(arguments):
    now = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    today = datetime.strptime(arguments.today or now, "%Y-%m-%d")
    reader = Reader(arguments.source)
    with open(arguments.target, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*reader.columns, "days_left", "flagged"])
        writer.writeheader()
        for record, expires in reader:
            ahead = expires - today
            writer.writerow({**record, "days_left": ahead.days, "flagged": "no" if ahead >= NOTICE else "yes"})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--today")
    build(parser.parse_args())
