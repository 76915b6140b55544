"""Checks a configuration file, as fr-06 asks."""

import sys
from pathlib import Path

keys = set()
text = Path(sys.argv[1]).read_text(encoding="utf-8")
for line in text.splitlines() if text.strip() else ():
    if "\t" in line:
        print("tab", file=sys.stderr)
        sys.exit(4)
    key = line.partition("=")[0]
    if key in keys:
        sys.exit(3)
    keys.add(key)
