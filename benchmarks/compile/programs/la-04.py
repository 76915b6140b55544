"""Tells whether a file names a valid port, as la-04 asks."""

import sys
from pathlib import Path

try:
    words = Path(sys.argv[1]).read_text(encoding="utf-8").split()
except OSError:
    print("unreadable", file=sys.stderr)
    sys.exit(3)
ports = [int(word) for word in words if word.isdigit()]
if not ports:
    print("missing")
    sys.exit(2)
valid = 1 <= ports[0] <= 65535
print("valid" if valid else "out of range")
sys.exit(0 if valid else 1)
