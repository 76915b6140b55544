"""Rotates letters, as ma-07 asks."""

import codecs
import sys

if len(sys.argv) > 1:
    sys.exit(2)
text = sys.stdin.read()
if not text.strip():
    sys.exit(1)
print(codecs.encode(text, "rot13"), end="")
