"""Roman numerals digit by digit."""

import sys

ONES = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]


def shifted(digit, one, five, ten):
    return ONES[digit].translate(str.maketrans("IVX", one + five + ten))


def main(argv=None):
    args = list(sys.argv[1:] if argv is None else argv)
    good = bool(args) and args[0].isascii() and args[0].isdigit() and 1 <= int(args[0]) <= 3999
    if not good:
        sys.stderr.write("invalid number\n")
        return 2
    number = int(args[0])
    parts = ["M" * (number // 1000), shifted(number // 100 % 10, "C", "D", "M"),
             shifted(number // 10 % 10, "X", "L", "C"), ONES[number % 10]]
    sys.stdout.write("".join(parts) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
