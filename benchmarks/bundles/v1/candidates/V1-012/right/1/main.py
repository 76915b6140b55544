"""A table without a column, by deleting it from each row."""

import csv
import sys
from pathlib import Path


def main(argv=None):
    args = sys.argv[1:] if argv is None else argv
    out = []
    with Path(args[0]).open(encoding="utf-8", newline="") as table:
        for row in csv.reader(table):
            if not row:
                continue
            if len(row) != 3:
                sys.stderr.write("bad row\n")
                return 1
            del row[1]
            out.append(row)
    with Path(args[1]).open("w", encoding="utf-8", newline="") as table:
        csv.writer(table, lineterminator="\n").writerows(out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
