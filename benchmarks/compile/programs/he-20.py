"""Prints sorted lines, as he-20 asks."""

import sys
from pathlib import Path

try:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
except OSError:
    print("cannot read", file=sys.stderr)
    sys.exit(1)
if any(len(line) > 1000 for line in lines):
    sys.exit(3)
if "".join(lines).strip():
    print("\n".join(sorted(lines)))
