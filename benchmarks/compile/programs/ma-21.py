"""Counts characters, as ma-21 asks."""

import sys
from pathlib import Path

try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    print("404", file=sys.stderr)
    sys.exit(1)
if not text.strip():
    print("204")
    sys.exit(0)
print(len(text))
