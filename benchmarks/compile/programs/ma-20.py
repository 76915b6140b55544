"""Prints the n-th line, as ma-20 asks."""

import sys
from pathlib import Path

if len(sys.argv) < 3:
    print("usage: nth N FILE", file=sys.stderr)
    sys.exit(2)
try:
    lines = Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
except OSError:
    print("no file", file=sys.stderr)
    sys.exit(1)
place = int(sys.argv[1]) if sys.argv[1].isdigit() else 0
if not 1 <= place <= len(lines):
    sys.exit(3)
print(lines[place - 1])
