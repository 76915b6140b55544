"""Reads one file, as cl-01 asks."""

import sys

try:
    text = open(sys.argv[1], encoding="utf-8").read()
except OSError:
    print("E404", file=sys.stderr)
    sys.exit(4)
if not text.strip():
    print("E204")
