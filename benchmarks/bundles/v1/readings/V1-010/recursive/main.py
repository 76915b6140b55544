def chunks(text, size):
    if size < 1:
        raise ValueError("size must be 1 or more")
    out, piece = [], ""
    for char in text:
        piece += char
        if len(piece) == size:
            out.append(piece)
            piece = ""
    return out + [piece] if piece else out
