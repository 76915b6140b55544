"""Prints the longest line, as ma-09 asks."""

import sys
from pathlib import Path

try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    print("absent", file=sys.stderr)
    sys.exit(1)
print(max(text.splitlines(), key=len) if text.strip() else "nothing")
