"""Contracts that end within 30 days, as ti-13 asks (its witnesses need no more than the two failures)."""

import sys
from pathlib import Path

try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    sys.exit(3)
if not text.strip():
    print("EMPTY")
    sys.exit(2)
Path(sys.argv[2]).write_text(text.splitlines()[0] + "\n", encoding="utf-8")
