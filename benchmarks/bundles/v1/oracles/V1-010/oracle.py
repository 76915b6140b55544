"""Outside oracle: chunks."""

import pytest
from main import chunks


@pytest.mark.parametrize(
    ("text", "size", "pieces"),
    [("abcdefg", 3, ["abc", "def", "g"]), ("", 2, []), ("ab", 2, ["ab"]), ("ab", 5, ["ab"]), ("abc", 1, ["a", "b", "c"]),
     ("  x ", 2, ["  ", "x "]), ("éàü", 2, ["éà", "ü"])],
)
def test_pieces(text, size, pieces):
    assert chunks(text, size) == pieces


@pytest.mark.parametrize("size", [0, -1])
def test_size_less_than_one(size):
    with pytest.raises(ValueError):
        chunks("abc", size)


def test_size_less_than_one_for_an_empty_text():
    with pytest.raises(ValueError):
        chunks("", 0)
