"""Counts lines with a pattern, as do-10 asks."""

import sys
from pathlib import Path

if len(sys.argv) < 3:
    print("usage: grepcount PATTERN FILE", file=sys.stderr)
    sys.exit(2)
try:
    lines = Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
except OSError:
    print("grepcount: cannot read", file=sys.stderr)
    sys.exit(2)
count = sum(sys.argv[1] in line for line in lines)
print(count)
sys.exit(0 if count else 1)
