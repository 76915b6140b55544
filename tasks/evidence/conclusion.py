"""How a run ended, derived from the rest of its record: when it is written, and again when it is verified (EVI-06)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from contracts.calls import Usage, usage_of
from contracts.plan import InfeasibilityCertificate
from contracts.verdict import (
    LAYERS,
    Failure,
    FailureSignature,
    Fault,
    LayerName,
    LayerResult,
    Strength,
    TerminalStatus,
    ValidationArtifact,
    fault_of,
)
from tasks.evidence.contents import Contents
from tasks.requirement.consistency import contradictions, open_questions
from tasks.stages import VALIDATE


class NoConclusion(ValueError):  # noqa: N818 - it is the absence that is raised
    """The record ends neither verified nor with a cause; what is missing is not a pass (law 3)."""


@dataclass(frozen=True)
class Conclusion:
    """The parts of an outcome that are no times."""

    status: TerminalStatus
    fault: Fault
    failures: tuple[Failure, ...]
    layers: tuple[LayerResult, ...]
    strength: Strength | None
    usage: Usage | None


def conclude(contents: Contents) -> Conclusion:
    """The one end that the contents of a record allow.

    Raises:
        NoConclusion: neither a package of a passed candidate nor a failure stands in it.
    """
    failures = tuple(_failures(contents))
    artifact = contents.artifact
    strength = artifact.strength if artifact is not None else None
    usage = usage_of(contents.calls)
    if failures:
        proven = contents.certificate is not None and contents.stopped is None
        status = TerminalStatus.INFEASIBLE_PROVEN if proven else TerminalStatus.VALIDATION_FAILED
        return Conclusion(status, blame(failures), failures, _layers(contents, failures), strength, usage)
    if artifact is None or not artifact.passed or contents.package is None:
        raise NoConclusion("the run ends without a verdict and without a cause")
    return Conclusion(TerminalStatus.VERIFIED, Fault.NONE, (), artifact.layers, strength, usage)


def _layers(contents: Contents, failures: tuple[Failure, ...]) -> tuple[LayerResult, ...]:
    """As the last candidate was judged; where none was, that no layer was executed, and why (law 4)."""
    if contents.artifact is not None:
        return contents.artifact.layers
    return tuple(
        LayerResult(layer=layer, executed=False, passed=False, not_executed=failures[0].detail) for layer in LAYERS
    )


def blame(failures: tuple[Failure, ...]) -> Fault:
    """Whose fault several failures are. What the infrastructure left open is not put on a candidate (law 3)."""
    faults = {fault_of(failure.signature) for failure in failures}
    order = (Fault.INFRASTRUCTURE, Fault.REQUIREMENT, Fault.CANDIDATE)
    return next((fault for fault in order if fault in faults), Fault.NONE)


def _failures(contents: Contents) -> Iterator[Failure]:
    if contents.spec is not None:
        yield from contradictions(contents.spec)
        yield from open_questions(contents.spec)
    if contents.certificate is not None:
        yield _infeasible(contents.certificate)
    if contents.readings is not None:
        yield from contents.readings.failures
    if contents.artifact is not None:
        yield from contents.artifact.failures
        yield from _not_executed(contents, contents.artifact)
    if contents.stopped is not None and not _gave_up(contents):
        yield contents.stopped.failure


def _not_executed(contents: Contents, artifact: ValidationArtifact) -> Iterator[Failure]:
    """Why layers did not run, where the judgement does not say it: the last fault of their stage.

    A layer behind one that did not pass is skipped, and has no cause of its own.
    """
    silent = [layer for layer in artifact.layers if not layer.executed and not layer.failures]
    known = [failure for layer in silent for failure in _stage_faults(contents, layer.layer, artifact.attempt)]
    yield from known
    if silent and not known and not artifact.failures:
        detail = f"the layer {silent[0].layer} was not executed: {silent[0].not_executed}"
        yield Failure(signature=FailureSignature.INFRASTRUCTURE_ERROR, detail=detail)


def _stage_faults(contents: Contents, layer: LayerName, attempt: int) -> list[Failure]:
    stage = VALIDATE[layer].name
    return [note.failure for note in contents.faults if (note.stage, note.attempt) == (stage, attempt)][-1:]


def _gave_up(contents: Contents) -> bool:
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
