"""Lists a stock file, as ma-04 asks."""

import sys
from pathlib import Path

if len(sys.argv) < 2:
    print("usage: stock FILE", file=sys.stderr)
    sys.exit(2)
try:
    print(Path(sys.argv[1]).read_text(encoding="utf-8"), end="")
except OSError:
    print("missing file", file=sys.stderr)
    sys.exit(3)
