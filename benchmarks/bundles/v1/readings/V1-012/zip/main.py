import csv
import sys

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = list(filter(None, csv.reader(file)))
if {len(row) for row in rows} - {3}:
    print("bad row", file=sys.stderr)
    sys.exit(1)
with open(sys.argv[2], "w", encoding="utf-8", newline="") as file:
    writer = csv.writer(file)
    for row in rows:
        writer.writerow((row[0], row[2]))
