"""Copies in capitals, as ma-32 asks."""

import sys

if len(sys.argv) > 1:
    print("no arguments expected", file=sys.stderr)
    sys.exit(2)
try:
    text = sys.stdin.buffer.read().decode("utf-8")
except UnicodeDecodeError:
    sys.exit(1)
if text.strip():
    print(text.upper(), end="")
