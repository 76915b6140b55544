import sys

LETTERS = b"abcdefghijklmnopqrstuvwxyz"
raw = sys.stdin.buffer.read()
table = bytes(c if c in LETTERS else c + 32 if 65 <= c <= 90 else 32 for c in range(256))
counts = {}
for word in raw.translate(table).split():
    counts[word] = counts.get(word, 0) + 1
if counts:
    for word in sorted(counts, key=lambda w: (-counts[w], w)):
        print(word.decode(), counts[word])
else:
    print("no words")
raise SystemExit(0 if counts else 1)
