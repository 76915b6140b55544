"""Prints the smallest number, as ma-15 asks."""

import sys


def _fail(text, status, stream=sys.stderr):
    print(text, file=stream)
    sys.exit(status)


if len(sys.argv) > 1:
    _fail("no arguments", 64)
words = sys.stdin.read().split()
if not words:
    _fail("none", 1, sys.stdout)
try:
    print(min(map(float, words)))
except ValueError:
    _fail("line?", 2)
