"""Compares the lengths of lines, as he-10 asks."""

import sys
from pathlib import Path

try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    print("unreadable", file=sys.stderr)
    sys.exit(2)
sys.exit(int(bool(text.strip()) and len(set(map(len, text.splitlines()))) > 1))
