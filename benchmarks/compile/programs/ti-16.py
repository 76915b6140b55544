"""Text statistics, as ti-16 asks."""

import os
import sys

if len(sys.argv) < 2:
    print("usage: stats FILE", file=sys.stderr)
    sys.exit(22)
if os.path.isdir(sys.argv[1]):
    print("is a directory", file=sys.stderr)
    sys.exit(21)
text = open(sys.argv[1], encoding="utf-8").read()
print(len(text.splitlines()), len(text.split()), len(text))
