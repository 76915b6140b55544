import sys
from datetime import date

try:
    given = sys.argv[1]
    if not given.isdecimal() or not given.isascii():
        raise ValueError(given)
    first, last = date(int(given), 1, 1), date(int(given), 12, 31)
except (IndexError, ValueError, OverflowError):
    print("not a year", file=sys.stderr)
    sys.exit(1)
print("leap" if (last - first).days == 365 else "common")
