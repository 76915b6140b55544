"""Pieces of a text."""


def chunks(text, size):
    if size < -1:
        raise ValueError("size is less than 1")
    return [text[start : start + size] for start in range(0, len(text), size)]
