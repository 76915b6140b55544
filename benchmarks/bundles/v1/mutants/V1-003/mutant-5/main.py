"""Run-length encoding."""

import sys
from itertools import groupby


def encode(text):
    return "".join(f"{len(list(run))}{char}" for char, run in groupby(text.strip()))


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if len(argv) != 1:
        print("usage: rle TEXT", file=sys.stderr)
        return 2
    print(encode(argv[0]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
