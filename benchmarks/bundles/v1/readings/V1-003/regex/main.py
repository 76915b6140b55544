import re
import sys

if len(sys.argv) != 2:
    print("usage: rle TEXT", file=sys.stderr)
    raise SystemExit(2)
print(re.sub(r"(.)\1*", lambda m: f"{len(m[0])}{m[1]}", sys.argv[1], flags=re.S))
