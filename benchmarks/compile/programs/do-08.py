"""The sum of the second column, as do-08 asks."""

import csv
import sys

rows = list(csv.reader(sys.stdin))
if not any(cell.strip() for row in rows for cell in row):  # the contract: white space alone is empty
    print("no header", file=sys.stderr)
    sys.exit(3)
cells = [row[1] for row in rows[1:] if len(row) > 1]
print(sum(int(cell) for cell in cells if cell.strip().lstrip("+-").isdecimal()))
