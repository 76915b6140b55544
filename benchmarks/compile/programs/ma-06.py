"""Counts words, as ma-06 asks."""

import sys
from pathlib import Path


def _fail(text, status, stream=sys.stderr):
    print(text, file=stream)
    sys.exit(status)


if len(sys.argv) < 2:
    _fail("usage: wclite FILE", 2)
try:
    print(len(Path(sys.argv[1]).read_text(encoding="utf-8").split()))
except OSError:
    sys.exit(3)
