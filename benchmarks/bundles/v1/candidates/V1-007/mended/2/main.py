"""Distinct lines, by a set of those seen."""

import sys


def distinct(text):
    seen = set()
    for line in text.split("\n"):
        if line and line not in seen:
            seen.add(line)
            yield line


def main(argv=None):
    args = list(sys.argv[1:] if argv is None else argv)
    counting = args == ["--count"]
    if args and not counting:
        sys.stderr.write("usage: distinct [--count]\n")
        return 2
    found = list(distinct(sys.stdin.read()))
    sys.stdout.write(f"{len(found)}\n" if counting else "".join(line + "\n" for line in found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
