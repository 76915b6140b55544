"""The one table of stages: name, plain function, retry and cache policy.

Importing the table costs nothing: a stage's function is imported when the stage first runs. Pure steps (judging,
assembling, directing) are no stages; the composition calls them itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from contracts.calls import ModelCall
    from contracts.candidate import Candidate
    from contracts.gate import CheckRequest, CheckRun, Subject
    from contracts.isolation import IsolationReport, SandboxPolicy
    from contracts.modelling import Written
    from contracts.package import PackageManifest
    from contracts.plan import FeasiblePlan, InfeasibilityCertificate
    from contracts.reading import ReadingSet
    from contracts.repair import RepairDirective
    from contracts.requirement import BuildSpec, Requirement
    from contracts.settings import BuildSettings
    from contracts.taskspec import Check, TaskSpec
    from contracts.verdict import LayerEvidence, ValidationArtifact

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Stage(Generic[P, R]):
    """One step of a build; ``load`` imports its function.

    ``retries`` are spent on faults of the infrastructure only (law 3, PRE-12). ``cached`` says whether a resumed run
    may take the persisted result (PRE-13): not where the stage measures the host or has effects beside its result.
    """

    name: str
    load: Callable[[], Callable[P, R]]
    retries: int = 0
    cached: bool = True


def _compile() -> Callable[[Requirement, Mapping[str, str]], BuildSpec]:
    from tasks.requirement.compiler import compile_requirement

    return compile_requirement


def _plan() -> Callable[[BuildSpec, Requirement], FeasiblePlan | InfeasibilityCertificate]:
    from tasks.planning.planner import plan

    return plan


def _isolate() -> Callable[[BuildSettings], IsolationReport]:
    from tasks.isolation import measure

    return measure


def _read() -> Callable[..., ReadingSet]:
    from tasks.reading.reader import read

    return read


def _code() -> Callable[
    [BuildSpec, FeasiblePlan, Requirement, BuildSettings, int, RepairDirective | None],
    Candidate,
]:
    from tasks.coding.coder import code

    return code


def _write() -> Callable[
    [
        BuildSpec,
        FeasiblePlan,
        Requirement,
        BuildSettings,
        int,
        RepairDirective | None,
        tuple[Candidate, ...],
        tuple[ModelCall, ...],
    ],
    Written,
]:
    from tasks.coding.model import write

    return write


def _write_readings() -> Callable[[BuildSpec, Requirement, BuildSettings, tuple[ModelCall, ...]], Written]:
    from tasks.reading.written import write_readings

    return write_readings


Observe = Callable[["BuildSpec", "ReadingSet", "Candidate", "BuildSettings"], "LayerEvidence"]


def _runtime() -> Observe:
    from tasks.validation.runtime import observe_runtime

    return observe_runtime


def _obligations() -> Observe:
    from tasks.validation.obligations import observe_obligations

    return observe_obligations


def _adversarial() -> Observe:
    from tasks.validation.adversarial import observe_adversarial

    return observe_adversarial


def _package() -> Callable[[BuildSpec, Candidate, ValidationArtifact, Requirement, BuildSettings], PackageManifest]:
    from tasks.packaging.wheel import package

    return package


def _subject() -> Callable[[CheckRequest], Subject]:
    from tasks.gate.subject import read_subject

    return read_subject


def _check() -> Callable[[Check, TaskSpec, Subject, SandboxPolicy, str], tuple[CheckRun, ...]]:
    from tasks.gate.observe import observe_check

    return observe_check


COMPILE = Stage("compile", _compile)
PLAN = Stage("plan", _plan)
ISOLATE = Stage("isolate", _isolate, retries=2, cached=False)
WRITE_READINGS = Stage("write_readings", _write_readings)
READ = Stage("read", _read, retries=2)
CODE = Stage("code", _code, retries=2)
WRITE = Stage("write", _write)
VALIDATE = {
    "runtime": Stage("validate_runtime", _runtime, retries=2),
    "obligations": Stage("validate_obligations", _obligations, retries=2),
    "adversarial": Stage("validate_adversarial", _adversarial, retries=2),
}
PACKAGE = Stage("package", _package, retries=2, cached=False)

STAGES: tuple[Stage[Any, Any], ...] = (
    COMPILE,
    PLAN,
    ISOLATE,
    WRITE_READINGS,
    READ,
    CODE,
    WRITE,
    *VALIDATE.values(),
    PACKAGE,
)
"""All stages, in the order of a build. Where models are asked, tries and their cost are counted by their client."""

SUBJECT = Stage("read_change", _subject)
CHECK = Stage("check", _check, retries=2)
"""What a check of a change has beside `ISOLATE`: read it; then one stage for each check of the task."""
