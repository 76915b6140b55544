"""How a build ended, derived from its record: when that is written, and again when it is verified (EVI-06)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from contracts.calls import usage_of
from contracts.evidence import Outcome
from contracts.plan import InfeasibilityCertificate
from contracts.verdict import (
    LAYERS,
    Failure,
    FailureSignature,
    LayerName,
    LayerResult,
    TerminalStatus,
    ValidationArtifact,
)
from tasks.evidence.builds.contents import BuildContents
from tasks.evidence.conclusion import NoConclusion, blame
from tasks.requirement.consistency import contradictions, open_questions
from tasks.stages import VALIDATE


def conclude(contents: BuildContents, finished: str, stage_ms: Mapping[str, int]) -> Outcome:
    """The one end that the contents of a record allow.

    Raises:
        NoConclusion: neither a package of a passed candidate nor a failure stands in it.
    """
    status, failures, layers = _verdict(contents)
    artifact = contents.artifact
    return Outcome(
        status=status,
        fault=blame(failures),
        failures=failures,
        layers=layers,
        strength=artifact.strength if artifact is not None else None,
        finished=finished,
        stage_ms=dict(stage_ms),
        usage=usage_of(contents.calls),
    )


def _verdict(contents: BuildContents) -> tuple[TerminalStatus, tuple[Failure, ...], tuple[LayerResult, ...]]:
    failures = tuple(_failures(contents))
    if failures:
        proven = contents.certificate is not None and contents.stopped is None
        status = TerminalStatus.INFEASIBLE_PROVEN if proven else TerminalStatus.VALIDATION_FAILED
        return status, failures, _layers(contents, failures)
    artifact = contents.artifact
    if artifact is None or not artifact.passed or contents.package is None:
        raise NoConclusion("the run ends without a verdict and without a cause")
    return TerminalStatus.VERIFIED, (), artifact.layers


def _layers(contents: BuildContents, failures: tuple[Failure, ...]) -> tuple[LayerResult, ...]:
    """As the last candidate was judged; where none was, that no layer was executed, and why (law 4)."""
    if contents.artifact is not None:
        return contents.artifact.layers
    return tuple(
        LayerResult(layer=layer, executed=False, passed=False, not_executed=failures[0].detail) for layer in LAYERS
    )


def _failures(contents: BuildContents) -> Iterator[Failure]:
    if contents.spec is not None:
        yield from contradictions(contents.spec)
        yield from open_questions(contents.spec)
    if contents.certificate is not None:
        yield _infeasible(contents.certificate)
    if contents.plan is not None:
        yield from contents.plan.failures
    if contents.readings is not None:
        yield from contents.readings.failures
    if contents.artifact is not None:
        yield from contents.artifact.failures
        yield from _not_executed(contents, contents.artifact)
    if contents.stopped is not None and not _gave_up(contents):
        yield contents.stopped.failure


def _not_executed(contents: BuildContents, artifact: ValidationArtifact) -> Iterator[Failure]:
    """Why layers did not run, where the judgement does not say it: the last fault of their stage.

    A layer behind one that did not pass is skipped, and has no cause of its own.
    """
    silent = [layer for layer in artifact.layers if not layer.executed and not layer.failures]
    known = [failure for layer in silent for failure in _stage_faults(contents, layer.layer, artifact.attempt)]
    yield from known
    if silent and not known and not artifact.failures:
        detail = f"the layer {silent[0].layer} was not executed: {silent[0].not_executed}"
        yield Failure(signature=FailureSignature.INFRASTRUCTURE_ERROR, detail=detail)


def _stage_faults(contents: BuildContents, layer: LayerName, attempt: int) -> list[Failure]:
    stage = VALIDATE[layer].name
    return [note.failure for note in contents.faults if (note.stage, note.attempt) == (stage, attempt)][-1:]


def _gave_up(contents: BuildContents) -> bool:
    """True where the coder had no further answer to a directive: the judgement before it is the end (REP-07)."""
    stopped, artifact = contents.stopped, contents.artifact
    no_answer = stopped is not None and stopped.failure.signature is FailureSignature.NO_CANDIDATE
    return no_answer and artifact is not None and not artifact.passed


def _infeasible(certificate: InfeasibilityCertificate) -> Failure:
    return Failure(
        signature=FailureSignature.INFEASIBLE_REQUIREMENT,
        requirement_ids=tuple(constraint.id for constraint in certificate.constraints),
        spans=tuple(span for constraint in certificate.constraints for span in constraint.spans),
        detail="cannot hold together: " + "; ".join(constraint.text for constraint in certificate.constraints),
    )
