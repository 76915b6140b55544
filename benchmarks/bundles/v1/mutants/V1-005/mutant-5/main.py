"""The Caesar cipher."""

import sys


def move(char, shift):
    for first in "aA":
        if first <= char <= chr(ord(first) + 25):
            return chr((ord(char) - ord(first) + shift) % 26 + ord(first))
    return char


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    try:
        shift, text = int(argv[0]), argv[1]
        valid = 0 <= shift <= 25
    except (IndexError, ValueError):
        valid = False
    if not valid:
        print("bad shift", file=sys.stderr)
        return 3
    print("".join(move(char, shift) for char in text))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
