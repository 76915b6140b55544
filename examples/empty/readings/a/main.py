"""A reading of the requirement: one loop over the rows."""

import csv
import sys

source, target = sys.argv[1], sys.argv[2]

with open(source, newline="", encoding="utf-8") as file:
    content = file.read()

if content.strip() == "":
    print("EMPTY")
    sys.exit(2)

valid = invalid = 0
header = None
with open(source, newline="", encoding="utf-8") as file:
    for row in csv.reader(file):
        if not row:
            continue
        if header is None:
            header = row
        elif len(row) == len(header) and "" not in [field.strip() for field in row]:
            valid += 1
        else:
            invalid += 1

with open(target, "w", encoding="utf-8") as file:
    file.write(f"metric,value\nvalid_rows,{valid}\ninvalid_rows,{invalid}\n")
