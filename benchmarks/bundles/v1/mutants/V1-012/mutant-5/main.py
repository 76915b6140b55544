"""A table without a column."""

import csv
import sys


def main(argv=None):
    source, target = sys.argv[1:] if argv is None else argv
    with open(source, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row][1:]
    if any(len(row) != 3 for row in rows):
        print("bad row", file=sys.stderr)
        return 1
    with open(target, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([name, city] for name, _, city in rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
