"""Removes lines that come again, as ti-03 asks."""

import sys
from pathlib import Path

try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    print("unreadable", file=sys.stderr)
    sys.exit(1)
for line in dict.fromkeys(text.splitlines()):
    if line.strip():
        print(line)
