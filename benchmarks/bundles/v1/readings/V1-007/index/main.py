import sys

args = sys.argv[1:]
if args and args != ["--count"]:
    print("usage: distinct [--count]", file=sys.stderr)
    raise SystemExit(2)
found = []
for raw in sys.stdin:
    line = raw[:-1] if raw.endswith("\n") else raw
    if line != "" and line not in found:
        found.append(line)
print(len(found)) if args else [print(line) for line in found]
