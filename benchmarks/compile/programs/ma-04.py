"""Lists a stock file, as ma-04 asks."""

import sys
from pathlib import Path


def _fail(text, status, stream=sys.stderr):
    print(text, file=stream)
    sys.exit(status)


if len(sys.argv) < 2:
    _fail("usage: stock FILE", 2)
try:
    print(Path(sys.argv[1]).read_text(encoding="utf-8"), end="")
except OSError:
    _fail("missing file", 3)
