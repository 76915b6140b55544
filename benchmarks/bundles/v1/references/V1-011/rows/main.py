"""Totals per customer, row by row."""

import csv
import re
import sys
from collections import defaultdict
from pathlib import Path


def main(argv=None):
    args = sys.argv[1:] if argv is None else argv
    rows = list(csv.reader(Path(args[0]).read_text(encoding="utf-8").splitlines()))[1:]
    rows = [row for row in rows if row]
    if any(len(row) != 2 or not re.fullmatch("[+-]?[0-9]+", row[1].strip()) for row in rows):
        sys.stderr.write("bad amount\n")
        return 1
    sums = defaultdict(int)
    for name, amount in rows:
        sums[name] += int(amount)
    with Path(args[1]).open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([("customer", "total"), *sorted(sums.items())])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
