"""The sum of all bytes modulo 256, as do-04 asks."""

import sys
from pathlib import Path

if len(sys.argv) < 2:
    print("usage: checksum PATH", file=sys.stderr)
    sys.exit(2)
try:
    data = Path(sys.argv[1]).read_bytes()
except OSError:
    sys.exit(1)
print(sum(data) % 256)
