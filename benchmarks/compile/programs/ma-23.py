"""Prints lines in reverse order, as ma-23 asks."""

import sys
from pathlib import Path

try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    print("revfile: no such file", file=sys.stderr)
    sys.exit(1)
if text.strip():
    print("\n".join(reversed(text.splitlines())))
