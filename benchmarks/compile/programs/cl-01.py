"""Reads one file, as cl-01 asks."""

import sys
from pathlib import Path

try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    print("E404", file=sys.stderr)
    sys.exit(4)
if not text.strip():
    print("E204")
