"""Prints the first and the last line, as he-07 asks."""

import sys
from pathlib import Path

if len(sys.argv) < 2:
    sys.exit(2)
try:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").split("\n")
except OSError:
    sys.exit(1)
if not "".join(lines).strip():
    print("empty file", file=sys.stderr)
    sys.exit(0)
print(lines[0], lines[-1], sep="\n")
