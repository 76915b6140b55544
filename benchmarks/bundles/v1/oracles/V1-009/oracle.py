"""Outside oracle: merging intervals."""

import pytest
from main import merge


@pytest.mark.parametrize(
    ("given", "merged"),
    [([], []), ([[1, 1]], [[1, 1]]), ([[1, 3], [2, 6], [8, 10]], [[1, 6], [8, 10]]), ([[1, 4], [4, 5]], [[1, 5]]),
     ([[1, 2], [3, 4]], [[1, 2], [3, 4]]), ([[5, 9], [1, 2]], [[1, 2], [5, 9]]), ([[1, 10], [2, 3], [4, 5]], [[1, 10]]),
     ([[-5, -1], [-1, 0]], [[-5, 0]]), ([[2, 2], [2, 2]], [[2, 2]])],
)
def test_merged(given, merged):
    assert [list(interval) for interval in merge(given)] == merged


def test_argument_is_not_modified():
    given = [[3, 4], [1, 3]]
    merge(given)
    assert given == [[3, 4], [1, 3]]


def test_chain():
    assert merge([[n, n + 1] for n in range(50, 0, -1)]) == [[1, 51]]
