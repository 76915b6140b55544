"""Sums durations of a file, as la-06 asks."""

import sys
from pathlib import Path

minutes = 0
for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
    if not line.strip():
        continue
    hours, colon, rest = line.strip().partition(":")
    if not (colon and hours.isdigit() and rest.isdigit()):
        print("bad line", file=sys.stderr)
        sys.exit(4)
    minutes += 60 * int(hours) + int(rest)
print(f"{minutes // 60:02}:{minutes % 60:02}")
