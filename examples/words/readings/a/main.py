"""A reading of the requirement: count where a word begins."""

import sys

SPACE = " \t\n\r\v\f"
words = 0
inside = False
for character in sys.stdin.read():
    if character in SPACE:
        inside = False
    elif not inside:
        inside = True
        words += 1

print(words or "NONE")
sys.exit(0 if words else 1)
