"""Leap years by the rule."""

import sys


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    text = argv[0] if argv else ""
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= 9999:
        print("not a year", file=sys.stderr)
        return 2
    print("leap" if is_leap(int(text)) else "common")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
