"""Count the valid rows of a CSV file into a summary file."""

import csv
import io
import sys
from pathlib import Path

EMPTY_STATUS = 2


def count(text: str) -> tuple[int, int]:
    """Numbers of valid and invalid rows below the header; blank lines are neither."""
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    width = len(rows[0])
    valid = sum(len(row) == width and all(field.strip() for field in row) for row in rows[1:])
    return valid, len(rows) - 1 - valid


def main(argv: list[str]) -> int:
    if len(argv) != 2:
        print("usage: main.py INPUT OUTPUT", file=sys.stderr)
        return 64
    source, target = argv
    try:
        text = Path(source).read_bytes().decode("utf-8")
        if not text.strip():
            print("EMPTY")
            return EMPTY_STATUS
        valid, invalid = count(text)
        with open(target, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("metric", "value"), ("valid_rows", valid), ("invalid_rows", invalid)])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
