"""Prints the smallest number, as ma-15 asks."""

import sys

if len(sys.argv) > 1:
    print("no arguments", file=sys.stderr)
    sys.exit(64)
words = sys.stdin.read().split()
if not words:
    print("none")
    sys.exit(1)
try:
    print(min(map(float, words)))
except ValueError:
    print("line?", file=sys.stderr)
    sys.exit(2)
