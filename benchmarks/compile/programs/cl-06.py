"""Copies a file, as cl-06 asks."""

import sys
from pathlib import Path

if len(sys.argv) != 3:
    print("usage: copyup SOURCE TARGET", file=sys.stderr)
    sys.exit(64)
try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    print("no source", file=sys.stderr)
    sys.exit(66)
Path(sys.argv[2]).write_text(text, encoding="utf-8")
