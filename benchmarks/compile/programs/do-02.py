"""The first lines of a file, as do-02 asks."""

import sys
from pathlib import Path

count = sys.argv[2] if len(sys.argv) > 2 else "10"
if not count.isdecimal() or int(count) < 1:
    sys.exit(2)
try:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
except OSError:
    sys.exit(1)
for line in lines[: int(count)]:
    print(line)
