"""Which of several attempts came furthest: that one is mended, and reported where none is right. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.candidate import Candidate
from contracts.verdict import ValidationArtifact


def best(judged: Sequence[ValidationArtifact]) -> ValidationArtifact:
    """The judgement that passed the most layers, then the one with the fewest failures; the last of equals."""
    return max(judged, key=_rank)


def best_first(judged: Sequence[tuple[Candidate, ValidationArtifact]]) -> tuple[Candidate, ...]:
    """All candidates, the best in front: a revision that made things worse is not built upon."""
    ordered = sorted(judged, key=lambda pair: _rank(pair[1]), reverse=True)
    return tuple(candidate for candidate, _ in ordered)


def _rank(artifact: ValidationArtifact) -> tuple[int, int, int]:
    return sum(layer.passed for layer in artifact.layers), -len(artifact.failures), artifact.attempt
