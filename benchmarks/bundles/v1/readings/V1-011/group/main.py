import csv
import itertools
import sys


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return [(row[0], int(row[1])) for row in rows if row]


def main():
    try:
        pairs = sorted(read(sys.argv[1]))
    except (ValueError, IndexError):
        print("bad amount", file=sys.stderr)
        return 1
    out = [("customer", "total")]
    for name, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        out.append((name, sum(amount for _, amount in group)))
    with open(sys.argv[2], "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
