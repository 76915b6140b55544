"""One case of the plan against one run: which failure it is, and where the text asks for it (law 1). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from contracts.probe import (
    CallProbe,
    CommandProbe,
    Expectation,
    Observation,
    Origin,
    ProbeCase,
    ProbePlan,
    Raised,
    Unreadable,
)
from contracts.requirement import BuildSpec, ConditionalObligation, Span, TriggerKind
from contracts.verdict import Failure, FailureSignature, LayerName
from tasks.validation.check import check, is_cut
from tasks.validation.line_ends import line_end_fault
from tasks.validation.readable import plain, seen, witness

ORIGINS: dict[LayerName, tuple[Origin, ...]] = {
    "runtime": ("parse", "import", "entry", "tests", "repeat"),
    "obligations": ("example", "conditional", "invariant", "reading"),
    "adversarial": ("near_example", "hostile"),
}
"""Which layer runs which cases of the plan."""

SIGNATURES: dict[Origin, FailureSignature] = {
    "parse": FailureSignature.SYNTAX_ERROR,
    "import": FailureSignature.IMPORT_ERROR,
    "entry": FailureSignature.ENTRY_POINT_BROKEN,
    "tests": FailureSignature.CANDIDATE_TESTS_FAILED,
    "repeat": FailureSignature.NONDETERMINISTIC_OUTPUT,
    "example": FailureSignature.EXAMPLE_MISMATCH,
    "conditional": FailureSignature.CONDITIONAL_VIOLATION,
    "invariant": FailureSignature.INVARIANT_VIOLATION,
    "reading": FailureSignature.READING_MISMATCH,
    "near_example": FailureSignature.SPECIAL_CASED_EXAMPLE,
    "hostile": FailureSignature.HOSTILE_INPUT_FAILURE,
}

_ALWAYS = {FailureSignature.VERIFIER_TAMPERING, FailureSignature.ENTRY_POINT_MISSING, FailureSignature.IMPORT_ERROR}
"""What is a fault whatever the input."""

LISTING = "list_tests.py"
"""The helper that fails where a tree holds no tests."""

OUTCOMES = {
    "limit": FailureSignature.RESOURCE_LIMIT,
    "signalled": FailureSignature.KILLED_BY_SIGNAL,
    "tampering": FailureSignature.VERIFIER_TAMPERING,
}


def cases_of(plan: ProbePlan, layer: LayerName) -> tuple[ProbeCase, ...]:
    """The sealed cases that ``layer`` has to run, in the order of the plan."""
    return tuple(case for case in plan.cases if case.origin in ORIGINS[layer])


def unread_parts(clause: ConditionalObligation) -> tuple[Span, ...]:
    """The conditions and consequences that could not be read: no witness proves them, readings have to."""
    conditions = (item.span for item in clause.triggers if item.kind is TriggerKind.UNKNOWN)
    return (*conditions, *clause.unparsed)


def run_failures(spec: BuildSpec, case: ProbeCase, seen_by: Mapping[str, Observation]) -> Iterator[Failure]:
    """The failure of a case, if any, with the spans of its clauses; then the invariants, which hold for every run."""
    observation = seen_by[case.probe.id]
    failure = case_failure(case, observation, seen_by)
    claimed = case.origin == "tests" and not case.obligations
    if claimed and (failure is None or failure.signature is not FailureSignature.VERIFIER_TAMPERING):
        return  # the candidate's own tests are its claim; the text does not ask for them
    if failure is not None:
        yield _placed(spec, failure, case.obligations)
    if case.origin not in ORIGINS["runtime"] and observation.outcome in {"exited", "stopped"}:
        yield from _invariant_failures(spec, case, observation)


def _invariant_failures(spec: BuildSpec, case: ProbeCase, observation: Observation) -> Iterator[Failure]:
    for invariant in spec.invariants:
        reasons = _reasons(invariant.expectations, observation, {})
        if reasons:
            yield Failure(
                signature=FailureSignature.INVARIANT_VIOLATION,
                requirement_ids=(invariant.id, invariant.atom),
                spans=(invariant.span,),
                detail="; ".join(reasons),
                witness=witness(case, observation, invariant.expectations),
            )
    fault = None if case.origin == "hostile" else line_end_fault(spec, observation)
    if fault:
        yield _failure(FailureSignature.INVARIANT_VIOLATION, case, observation, fault)


def _reasons(
    expectations: Sequence[Expectation], observation: Observation, others: Mapping[str, Observation]
) -> list[str]:
    found = (check(item, observation, others) for item in expectations)
    return [reason for reason in found if reason is not None]


def _failure(signature: FailureSignature, case: ProbeCase, observation: Observation, detail: str) -> Failure:
    return Failure(
        signature=signature,
        detail=detail,
        witness=witness(case, observation, case.expectations),
    )


def _placed(spec: BuildSpec, failure: Failure, obligations: Sequence[str]) -> Failure:
    """The failure with the clauses concerned; invariants, which every case names, fail under their own name."""
    named = [item for item in spec.acceptance_criteria if item.id in obligations and item.method != "invariant"]
    ids = dict.fromkeys(name for item in named for name in (item.id, *item.atoms))
    spans = dict.fromkeys(item.span for item in named)
    return failure.model_copy(update={"requirement_ids": tuple(ids), "spans": tuple(spans)})


def case_failure(case: ProbeCase, observation: Observation, others: Mapping[str, Observation]) -> Failure | None:
    """The failure of one run, or None. A run that does not end by itself fails whatever is expected of it."""
    failure = _fault(case, observation, others)
    if failure is None or case.standing == "shown" or failure.signature in _ALWAYS:
        return failure
    if case.standing == "outside" and isinstance(observation.value, Raised):
        return None  # outside of the domain a traceback is a note
    detail = f"the text shows no input of this kind, and the program differs from the readings: {failure.detail}"
    return failure.model_copy(update={"signature": FailureSignature.INSUFFICIENT_EVIDENCE, "detail": detail})


def _fault(case: ProbeCase, observation: Observation, others: Mapping[str, Observation]) -> Failure | None:
    if observation.outcome in OUTCOMES:
        return _failure(OUTCOMES[observation.outcome], case, observation, seen(observation))
    if observation.leftovers:
        left = plain(", ".join(observation.leftovers))[:400]
        return _failure(FailureSignature.VERIFIER_TAMPERING, case, observation, f"left behind after the run: {left}")
    if any(is_cut(item, observation) for item in case.expectations):
        return _failure(FailureSignature.OUTPUT_TRUNCATED, case, observation, "the output is too long to be judged")
    if isinstance(case.probe, CallProbe) and (signature := _unanswered(case, observation)):
        return _failure(signature, case, observation, seen(observation))
    reasons = _reasons(case.expectations, observation, others)
    return _failure(_signature(case), case, observation, "; ".join(reasons)) if reasons else None


def _unanswered(case: ProbeCase, observation: Observation) -> FailureSignature | None:
    """Why a call says nothing of the function: it could not be imported, is not there, or nothing came back."""
    match observation.value:
        case None | Unreadable():
            return _signature(case)
        case Raised(stage="import", type="AttributeError" | "ModuleNotFoundError"):
            return FailureSignature.ENTRY_POINT_MISSING
        case Raised(stage="import"):
            return FailureSignature.IMPORT_ERROR
        case _:
            return None


def _signature(case: ProbeCase) -> FailureSignature:
    words = case.probe.argv if isinstance(case.probe, CommandProbe) else ()
    if case.origin == "tests" and any(word.endswith(f"/{LISTING}") for word in words):
        return FailureSignature.CANDIDATE_TESTS_MISSING
    return SIGNATURES[case.origin]
