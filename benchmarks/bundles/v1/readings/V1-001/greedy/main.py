import re
import sys


def main():
    given = sys.argv[1] if len(sys.argv) > 1 else ""
    if not re.fullmatch(r"\s*[+-]?[0-9]+\s*", given) or not 0 < int(given) < 4000:
        print("invalid number", file=sys.stderr)
        return 2
    rest, out = int(given), []
    steps = dict(M=1000, CM=900, D=500, CD=400, C=100, XC=90, L=50, XL=40, X=10, IX=9, V=5, IV=4, I=1)
    for letters, value in steps.items():
        count, rest = divmod(rest, value)
        out.append(letters * count)
    print("".join(out))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
