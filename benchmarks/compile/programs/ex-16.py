"""Grades, as ex-16 asks."""

import sys
from pathlib import Path

try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    print("no such file", file=sys.stderr)
    sys.exit(1)
if not text.strip():
    print("nobody")
    sys.exit(0)
for line in text.split():
    name, _, points = line.partition(",")
    score = int(points) if points.isdecimal() else 0
    print(name, "A" if score >= 90 else "B" if score >= 75 else "F")
