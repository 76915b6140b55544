import sys


def step(char):
    if char == "z":
        return "a"
    if char == "Z":
        return "A"
    return chr(ord(char) + 1) if char.isascii() and char.isalpha() else char


def main():
    try:
        first, text = sys.argv[1:]
        times = int(first)
        assert 0 <= times < 26
    except (ValueError, AssertionError):
        print("bad shift", file=sys.stderr)
        return 3
    for _ in range(times):
        text = "".join(map(step, text))
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
