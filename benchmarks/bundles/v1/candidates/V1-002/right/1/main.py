"""Words by frequency, one character at a time."""

import sys


def words(text):
    word = ""
    for char in text:
        if "a" <= char <= "z" or "A" <= char <= "Z":
            word += char.lower()
        elif word:
            yield word
            word = ""
    if word:
        yield word


def main(argv=None):
    counts = {}
    for word in words(sys.stdin.read()):
        counts[word] = counts.get(word, 0) + 1
    listed = sorted(sorted(counts), key=counts.__getitem__, reverse=True)
    print("\n".join(f"{word} {counts[word]}" for word in listed) if listed else "no words")
    return 0 if listed else 1


if __name__ == "__main__":
    raise SystemExit(main())
