"""A plan with a step for every acceptance criterion, or a checked proof that nothing can satisfy the requirement."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.plan import Constraint, FeasiblePlan, Hint, InfeasibilityCertificate, PlanStep, Setting
from contracts.requirement import AcceptanceCriterion, BuildSpec, Requirement
from contracts.verdict import Failure, FailureSignature
from tasks.planning import lenses
from tasks.planning.bounds import bounds, settled
from tasks.planning.checker import check_certificate
from tasks.planning.coverage import boundaries, coverage, unjudged
from tasks.planning.evaluation import truth
from tasks.planning.lowering import Lowered, lower
from tasks.planning.terms import names_in

_HOW = {
    "example": "run the input that the text states and compare what it states",
    "conditional": "run inputs that fire the condition and observe every consequence",
    "invariant": "hold it against every run",
    "reading": "compare with what independent readings agree on, over generated inputs",
    "tests": "run the program's own tests",
}


class PlanError(ValueError):
    """The requirement is not the one that the BuildSpec was compiled from."""


def plan(spec: BuildSpec, requirement: Requirement) -> FeasiblePlan | InfeasibilityCertificate:
    """Plan how every criterion is met and proven, unless a lens proves that the text contradicts itself.

    A certificate is returned only if the checker, which shares no code with any lens, confirms it. What ends the build
    otherwise stands in the plan's ``failures``.

    Raises:
        PlanError: ``requirement`` is not that of ``spec`` (law 5).
    """
    if requirement.seal() != spec.requirement:
        raise PlanError("the requirement is not the one that this BuildSpec was compiled from")
    lowered = lower(requirement)
    hints: list[Hint] = []
    used: list[str] = []
    witnesses: list[Failure] = []
    claimed: dict[str, Sequence[Constraint]] = {}
    for name in lenses.NAMES:
        lens = lenses.load(name)
        missing = lens.unavailable()
        if missing is not None:
            note = f"not used: {missing}; what it could find is not looked for"
            hints.append(Hint(lens=name, kind="note", text=note))
            continue
        view = lens.look(spec, requirement, lowered)
        if view.certificate is not None:
            refused = check_claim(view.certificate, spec, requirement)
            if refused is None:
                return view.certificate
            claimed[f"{name}: {refused}"] = view.certificate.constraints
        elif view.claimed:
            claimed[f"{name}: no checker could confirm it"] = view.claimed
        used.append(name)
        hints.extend(view.hints)
        witnesses.extend(view.witnesses)
    return FeasiblePlan(
        build_spec=spec.seal(),
        steps=tuple(_step(item, requirement.text) for item in spec.acceptance_criteria),
        coverage=coverage(spec),
        boundaries=boundaries(spec),
        hints=tuple(hints),
        lenses=tuple(used),
        unlowered=lowered.unlowered,
        failures=(*witnesses, *(_unproven(reason, core) for reason, core in claimed.items()), *unjudged(spec)),
    )


def _unproven(reason: str, core: Sequence[Constraint]) -> Failure:
    """A claim of infeasibility without a checked proof: neither infeasible nor fit to be built (law 3)."""
    words = "; ".join(item.text for item in core)
    return Failure(
        signature=FailureSignature.INFEASIBILITY_UNPROVEN,
        requirement_ids=tuple(item.id for item in core),
        spans=tuple(span for item in core for span in item.spans),
        detail=f"seem not to hold together, but that is not proven ({reason}): {words}",
    )


def check_claim(certificate: InfeasibilityCertificate, spec: BuildSpec, requirement: Requirement) -> str | None:
    """Why the certificate does not prove the requirement infeasible; None if it does. Pure.

    Beside `check_certificate`: it is of this BuildSpec, every constraint stands in the text, no domain is narrower than
    the bounds that the text states, and nothing in the text blocks the claim.
    """
    if certificate.build_spec != spec.seal() or requirement.seal() != spec.requirement:
        return "it is of another requirement"
    lowered = lower(requirement)
    blocked = lowered.block(certificate.constraints)
    if blocked is not None:
        return blocked
    if any(item not in lowered.constraints for item in certificate.constraints):
        return "it names a constraint that the text does not state"
    if any(item not in lowered.implied for item in certificate.implied):
        return "it takes something for implied that the words do not mean"
    names = frozenset[str]().union(
        *(names_in(item.expression) for item in certificate.constraints + certificate.implied)
    )
    if set(certificate.continuous) != lowered.continuous & names:
        return "it takes real numbers for integers"
    problem = _input_problem(certificate.given, lowered)
    if problem is not None:
        return problem
    stated = bounds(settled((*lowered.constraints, *lowered.implied), certificate.given))
    for item in certificate.domains:
        low, high = stated.get(item.variable, (None, None))
        if low is None or high is None or item.low > low or item.high < high:
            return f"the text does not state the domain of {item.variable}"
    return check_certificate(certificate)


def _input_problem(given: Sequence[Setting], lowered: Lowered) -> str | None:
    """An input must set all that the program is given, each within bounds that the text states for it."""
    if sorted(item.variable for item in given) != sorted(lowered.given):
        return "its input is not the one that the program is given"
    stated = bounds(lowered.assumed)
    if any(None in stated.get(name, (None, None)) for name in lowered.given):
        return "the text does not state what the program may be given"
    if not all(truth(item.expression, {})[0] for item in settled(lowered.assumed, given)):
        return "its input is not one that the text allows"
    return None


def _step(criterion: AcceptanceCriterion, text: str) -> PlanStep:
    words = " ".join(text[criterion.span.start : criterion.span.end].split())
    return PlanStep(criterion=criterion.id, method=criterion.method, text=f"{words}: {_HOW[criterion.method]}")
