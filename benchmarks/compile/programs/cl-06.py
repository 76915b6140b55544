"""Copies a file, as cl-06 asks."""

import sys

if len(sys.argv) != 3:
    print("usage: copyup SOURCE TARGET", file=sys.stderr)
    sys.exit(64)
try:
    text = open(sys.argv[1], encoding="utf-8").read()
except OSError:
    print("no source", file=sys.stderr)
    sys.exit(66)
open(sys.argv[2], "w", encoding="utf-8").write(text)
