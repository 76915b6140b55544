"""Distinct lines, by an ordered mapping."""

import sys


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if argv not in ([], ["--count"]):
        print("usage: distinct [--count]", file=sys.stderr)
        return 2
    lines = [line.rstrip("\n") for line in sys.stdin]
    distinct = list(dict.fromkeys(line for line in lines if line))
    if argv:
        print(len(distinct))
    else:
        for line in distinct:
            print(line)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
