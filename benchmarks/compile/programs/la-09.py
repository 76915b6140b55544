"""Wraps lines at 72 characters, as la-09 asks."""

import sys
import textwrap

for line in sys.stdin.read().splitlines():
    for part in textwrap.wrap(line, 72, break_long_words=False):
        print(part)
