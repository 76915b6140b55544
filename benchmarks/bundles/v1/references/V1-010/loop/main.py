"""Pieces of a text, by cutting from the front."""


def chunks(text, size):
    if not size >= 1:
        raise ValueError(size)
    pieces = []
    while text:
        pieces.append(text[:size])
        text = text[size:]
    return pieces
