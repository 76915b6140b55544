import sys


def kind(year):
    if year % 400 == 0:
        return "leap"
    if year % 100 == 0:
        return "common"
    return "common" if year % 4 else "leap"


def main():
    digits = "".join(sys.argv[1:2])
    if not digits or set(digits) - set("0123456789") or not (0 < int(digits) <= 9999):
        print("not a year", file=sys.stderr)
        return 1
    print(kind(int(digits)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
