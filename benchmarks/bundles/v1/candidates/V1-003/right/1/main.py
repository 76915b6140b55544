"""Run-length encoding, by index."""

import sys


def main(argv=None):
    args = sys.argv[1:] if argv is None else argv
    try:
        (text,) = args
    except ValueError:
        sys.stderr.write("usage: rle TEXT\n")
        return 2
    start, out = 0, []
    for end in range(1, len(text) + 1):
        if end == len(text) or text[end] != text[start]:
            out.append(str(end - start) + text[start])
            start = end
    print(*out, sep="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
