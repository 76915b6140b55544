"""Counts vowels, as ex-03 asks."""

import sys

text = sys.stdin.read()
if any(not (char.isalnum() or char.isspace()) for char in text):
    print("bad input", file=sys.stderr)
    sys.exit(1)
print(sum(char in "aeiou" for char in text.lower()))
