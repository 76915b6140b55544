"""Counts lines, as ma-05 asks."""

import sys
from pathlib import Path

if len(sys.argv) > 2:
    print("one file only", file=sys.stderr)
    sys.exit(2)
try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except (OSError, IndexError):
    print("no file", file=sys.stderr)
    sys.exit(2)
print(len(text.splitlines()) if text.strip() else 0)
