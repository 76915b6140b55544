"""The main job, written once for both engines: a requirement in, a verified package or an explicit failure out.

Order is law here: contract, readings and probes are in the record before the first candidate exists (law 2, DEC-14),
every attempt stays in it (law 6), and whatever goes wrong ends in a sealed record with somebody's name on it (law 3).
The outcome is derived from the record (`tasks.evidence.conclusion`), not decided here.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from contracts.candidate import Candidate
from contracts.evidence import BuildReport, BuildRequest, EntryKind
from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.reading import ReadingSet
from contracts.repair import RepairDirective
from contracts.requirement import BuildSpec
from contracts.verdict import LAYERS, Fault, LayerEvidence, LayerResult, ValidationArtifact
from flows import modelled
from flows.engine import Engine, InlineEngine
from flows.listening import Listener, Silent
from flows.models import check_models
from flows.report import check_output, report_on
from flows.run import Run, failure_of, run_name
from sandbox.base import SandboxError
from tasks import stages
from tasks.errors import InfrastructureError, NoCandidateError, StoreError, UsageError
from tasks.evidence.conclusion import blame
from tasks.evidence.signing import SigningKey


class Interrupted(KeyboardInterrupt):
    """A build that a signal ended; ``report`` names the record of it in the store."""

    def __init__(self, report: BuildReport) -> None:
        super().__init__("the run was interrupted")
        self.report = report


def build(
    request: BuildRequest,
    engine: Engine | None = None,
    listener: Listener | None = None,
    *,
    out: Path | None = None,
    name: str | None = None,
    key: SigningKey | None = None,
) -> BuildReport:
    """Build from a requirement and leave a signed record of it in the store (DEC-24).

    Args:
        request: the requirement's text and the settings.
        engine: how stages are run; plain calls by default.
        listener: told of progress.
        out: a directory that does not exist yet, for the record with its blobs and the package; nothing is written
            there before the record is sealed.
        name: of the run; by default from the requirement's first words.
        key: signs the record; by default the user's own.

    Raises:
        UsageError: the request cannot be carried out as given, and nothing is recorded; or ``out`` cannot be written.
        StoreError: the record cannot be kept.
        Interrupted: a KeyboardInterrupt; the store holds a sealed record of that, and ``out`` is untouched (CLI-06).
    """
    check_output(out)
    check_models(request.settings.models)
    run = Run(request, engine or InlineEngine(), listener or Silent(), name or run_name(request.requirement), key)
    try:
        _pursue(run)
        if run.package is None:
            modelled.reword(run)
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the record says so (law 3)
        run.fault(error)
    except BaseException as interruption:
        with contextlib.suppress(StoreError):  # whoever interrupts is not held up by a store that is full
            run.fault(interruption)
            report = report_on(run, None)
            if isinstance(interruption, KeyboardInterrupt):
                raise Interrupted(report) from interruption
        raise
    return report_on(run, out)


def _pursue(run: Run) -> None:
    spec = run.spec = run.stage(stages.COMPILE, run.requirement, run.settings.assumptions)
    run.add(EntryKind.BUILD_SPEC, spec)
    if _is_flawed(spec):
        return
    plan = run.stage(stages.PLAN, spec, run.requirement)
    if isinstance(plan, InfeasibilityCertificate):
        run.add(EntryKind.CERTIFICATE, plan)
        return
    run.add(EntryKind.PLAN, plan)
    if plan.failures:
        return
    run.add(EntryKind.ISOLATION, run.stage(stages.ISOLATE, run.settings))
    readings = modelled.readings(run, spec)
    run.add(EntryKind.READINGS, readings)
    if not readings.failures:
        _attempt(run, spec, plan, readings)


def _is_flawed(spec: BuildSpec) -> bool:
    """True for a text that contradicts itself or leaves a decision open: its author has to answer first."""
    from tasks.requirement.consistency import contradictions, open_questions

    return bool(contradictions(spec) or open_questions(spec))


def _attempt(run: Run, spec: BuildSpec, plan: FeasiblePlan, readings: ReadingSet) -> None:
    """Code, judge, deliver; or direct and code again while the candidate is at fault and rounds are left."""
    from tasks.repair.best import best_first
    from tasks.repair.directive import direct

    directive: RepairDirective | None = None
    judged: list[tuple[Candidate, ValidationArtifact]] = []
    while True:
        try:
            candidate = modelled.candidate(run, spec, plan, directive, best_first(judged))
        except NoCandidateError:
            if directive is None:
                raise
            return  # the coder has no answer to the directive; the last candidate stands as it was judged
        run.add(EntryKind.CANDIDATE, candidate)
        artifact = _validate(run, spec, readings, candidate)
        judged.append((candidate, artifact))
        if artifact.passed:
            run.package = run.stage(stages.PACKAGE, spec, candidate, artifact, run.requirement, run.settings)
            run.add(EntryKind.PACKAGE, run.package)
            return
        if not _is_repairable(run, candidate, artifact):
            return
        directive = direct(spec, readings.plan, [artifact for _, artifact in judged])
        run.add(EntryKind.DIRECTIVE, directive)
        run.attempt += 1


def _is_repairable(run: Run, candidate: Candidate, artifact: ValidationArtifact) -> bool:
    """True while rounds are left, the candidate alone is at fault, and a coder stands behind it who could answer."""
    answers = candidate.provenance.source != "directory"
    return answers and run.attempt < run.settings.rounds and blame(artifact.failures) is Fault.CANDIDATE


def _validate(run: Run, spec: BuildSpec, readings: ReadingSet, candidate: Candidate) -> ValidationArtifact:
    """The three layers in order, each judged here, outside of the sandbox (law 1); the first that fails is the last."""
    from tasks.validation.judge import assemble, judge_layer, not_executed

    judged: list[tuple[LayerEvidence | None, LayerResult]] = []
    stopped: str | None = None
    for layer in LAYERS:
        if stopped:
            judged.append((None, not_executed(layer, stopped)))
            continue
        try:
            evidence = run.stage(stages.VALIDATE[layer], spec, readings, candidate, run.settings)
        except (InfrastructureError, SandboxError) as error:  # not the candidate's (law 3)
            stopped = failure_of(error).detail
            judged.append((None, not_executed(layer, stopped)))
            continue
        run.add(EntryKind.LAYER_EVIDENCE, evidence)
        result = judge_layer(spec, readings.plan, evidence, run.settings.floor)
        judged.append((evidence, result))
        stopped = None if result.passed else f"the layer {layer} did not pass"
    artifact = assemble(spec, readings, candidate, judged, run.settings.floor)
    run.add(EntryKind.ARTIFACT, artifact)
    return artifact
