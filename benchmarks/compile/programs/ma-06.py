"""Counts words, as ma-06 asks."""

import sys
from pathlib import Path

if len(sys.argv) < 2:
    print("usage: wclite FILE", file=sys.stderr)
    sys.exit(2)
try:
    print(len(Path(sys.argv[1]).read_text(encoding="utf-8").split()))
except OSError:
    sys.exit(3)
