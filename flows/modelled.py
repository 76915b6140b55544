"""Where models stand in a build: readers before the first candidate, the coder after; every call in the record."""

from __future__ import annotations

from contracts.candidate import Candidate
from contracts.evidence import EntryKind
from contracts.plan import FeasiblePlan
from contracts.reading import ReadingSet
from contracts.repair import RepairDirective
from contracts.requirement import BuildSpec
from flows.run import Run
from tasks import stages


def readings(run: Run, spec: BuildSpec) -> ReadingSet:
    """What the readings showed: the supplied ones, or those that models write now, or those of the sample."""
    models = run.settings.models
    if models is None or models.reader is None or run.settings.readings:
        return run.stage(stages.READ, spec, run.requirement, run.settings)
    written = run.stage(stages.WRITE_READINGS, spec, run.requirement, run.settings, run.calls)
    run.account(written.calls)
    return run.stage(stages.READ, spec, run.requirement, run.settings, written.trees)


def reword(run: Run) -> None:
    """Have what was not read of the requirement reworded for its author, where a formaliser is configured."""
    if run.spec is None or run.settings.models is None or run.settings.models.formaliser is None:
        return
    from tasks.models.formaliser import reword as asked

    answer = asked(run.spec, run.requirement, run.settings, run.attempt, run.calls)
    if answer is not None:
        explanation, calls = answer
        run.account(calls)
        run.add(EntryKind.EXPLANATION, explanation)


def candidate(
    run: Run, spec: BuildSpec, plan: FeasiblePlan, directive: RepairDirective | None, earlier: tuple[Candidate, ...]
) -> Candidate:
    """The next candidate: by a model where one codes, else supplied or scripted. ``earlier`` begins with the best.

    Raises:
        NoCandidateError, ModelFault: there is none.
    """
    settings = run.settings
    if settings.candidate is not None or settings.models is None or settings.models.coder is None:
        return run.stage(stages.CODE, spec, plan, run.requirement, settings, run.attempt, directive)
    written = run.stage(stages.WRITE, spec, plan, run.requirement, settings, run.attempt, directive, earlier, run.calls)
    run.account(written.calls)
    return written.trees[0]
