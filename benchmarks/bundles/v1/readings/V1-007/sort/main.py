import sys


def main():
    match sys.argv[1:]:
        case []:
            count = False
        case ["--count"]:
            count = True
        case _:
            print("usage: distinct [--count]", file=sys.stderr)
            return 2
    first = {}
    for number, line in enumerate(sys.stdin.read().split("\n")):
        if line:
            first.setdefault(line, number)
    if count:
        print(len(first))
    else:
        print("".join(f"{line}\n" for line in sorted(first, key=first.get)), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
