import sys


def gcd(a, b):
    shift = 0
    while not (a | b) & 1:
        a, b, shift = a >> 1, b >> 1, shift + 1
    while not a & 1:
        a >>= 1
    while b:
        while not b & 1:
            b >>= 1
        if a > b:
            a, b = b, a
        b -= a
    return a << shift


def main():
    try:
        first, second = map(int, sys.argv[1:])
    except ValueError:
        first = second = 0
    if min(first, second) < 1:
        print("two positive integers", file=sys.stderr)
        return 2
    print(gcd(first, second))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
