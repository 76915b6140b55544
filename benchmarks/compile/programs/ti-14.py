"""Checks a config file, as ti-14 asks."""

import sys
from pathlib import Path

try:
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
except OSError:
    print("no file", file=sys.stderr)
    sys.exit(4)
if any(not line.startswith(("name", "size")) for line in text.split()):
    print("unknown key", file=sys.stderr)
    sys.exit(3)
print("ok")
