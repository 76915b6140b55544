"""Who writes the candidate: a supplied directory, or the answer that ships with a sample (DEC-14, DEC-16)."""

from __future__ import annotations

from pathlib import Path

from contracts.candidate import Candidate, Provenance
from contracts.plan import FeasiblePlan
from contracts.repair import RepairDirective
from contracts.requirement import BuildSpec, Requirement
from contracts.settings import BuildSettings
from tasks.coding.samples import scripted
from tasks.errors import NoCandidateError, UsageError
from tasks.evidence.store import open_store
from tasks.trees import ingest

NO_CODER = "no coder is configured: --candidate DIR, or --provider"


def code(  # noqa: PLR0917 - the signature of the stage
    spec: BuildSpec,
    plan: FeasiblePlan,  # noqa: ARG001 - part of every coder's call; these two coders have their answer already
    requirement: Requirement,
    settings: BuildSettings,
    attempt: int,
    directive: RepairDirective | None,  # noqa: ARG001
) -> Candidate:
    """The candidate of attempt ``attempt``, counted from 0.

    Raises:
        NoCandidateError: nobody writes code for this requirement, or there is no further answer.
        UsageError: the supplied directory cannot be read.
    """
    if settings.candidate is not None:
        return _supplied(Path(settings.candidate), settings, attempt)
    if settings.answers:
        return _answered(tuple(map(Path, settings.answers)), "a bundle", settings, attempt)
    if any(convention.source == "override" for convention in spec.conventions):
        raise NoCandidateError(f"{NO_CODER} (a scripted answer knows the default assumptions only)")
    answers = scripted(requirement.text, "answers")
    if not answers:
        raise NoCandidateError(NO_CODER)
    return _answered(answers, f"the sample {answers[0].parents[1].name}", settings, attempt)


def _answered(answers: tuple[Path, ...], source: str, settings: BuildSettings, attempt: int) -> Candidate:
    if attempt >= len(answers):
        raise NoCandidateError("there is no further scripted answer")
    label = f"written by hand, answer {attempt + 1} of {source}"
    return ingest(answers[attempt], open_store(settings.store), Provenance(source="scripted", label=label), attempt)


def _supplied(directory: Path, settings: BuildSettings, attempt: int) -> Candidate:
    if attempt > 0:
        raise NoCandidateError("a supplied directory is one candidate; nobody is there to repair it")
    try:
        provenance = Provenance(source="directory", label=directory.name or "directory")
        return ingest(directory, open_store(settings.store), provenance, attempt)
    except (ValueError, OSError) as error:
        raise UsageError(f"the candidate cannot be read: {error}") from error
