import csv
import sys
from collections import Counter

totals = Counter()
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    reader = csv.DictReader(file)
    for row in reader:
        try:
            totals[row["customer"]] += int(row["amount"])
        except (ValueError, TypeError):
            print("bad amount", file=sys.stderr)
            raise SystemExit(1)
with open(sys.argv[2], "w", encoding="utf-8", newline="") as file:
    writer = csv.DictWriter(file, ["customer", "total"])
    writer.writeheader()
    for name in sorted(totals):
        writer.writerow({"customer": name, "total": totals[name]})
