import sys


def main():
    if len(sys.argv[1:]) != 1:
        print("usage: rle TEXT", file=sys.stderr)
        return 2
    pairs = []
    for char in sys.argv[1]:
        if pairs and pairs[-1][1] == char:
            pairs[-1][0] += 1
        else:
            pairs.append([1, char])
    print("".join(str(n) + c for n, c in pairs))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
