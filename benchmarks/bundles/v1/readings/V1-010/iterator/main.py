from itertools import islice


def chunks(text, size):
    if size <= 0:
        raise ValueError("size")
    letters = iter(text)
    return list(iter(lambda: "".join(islice(letters, size)), ""))
