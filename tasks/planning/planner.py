"""A plan with a step for every acceptance criterion, or a checked proof that nothing can satisfy the requirement."""

from __future__ import annotations

from collections.abc import Sequence

from contracts.plan import FeasiblePlan, InfeasibilityCertificate, PlanStep, Setting
from contracts.requirement import AcceptanceCriterion, BuildSpec, Requirement, Span
from tasks.planning import lenses
from tasks.planning.bounds import bounds
from tasks.planning.checker import check_certificate, settled, truth
from tasks.planning.lowering import Lowered, lower

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

    A certificate is returned only if the checker, which shares no code with any lens, confirms it.

    Raises:
        PlanError: ``requirement`` is not that of ``spec`` (law 5).
    """
    if requirement.seal() != spec.requirement:
        raise PlanError("the requirement is not the one that this BuildSpec was compiled from")
    hints: list[str] = []
    used: list[str] = []
    unlowered: dict[Span, None] = {}
    for name in lenses.NAMES:
        lens = lenses.load(name)
        missing = lens.unavailable()
        if missing is not None:
            hints.append(f"lens {name} not used: {missing}; infeasibility is not looked for by it")
            continue
        view = lens.look(spec, requirement)
        if view.certificate is not None:
            refused = check_claim(view.certificate, spec, requirement)
            if refused is None:
                return view.certificate
            hints.append(f"a proof of infeasibility by the lens {name} was refused: {refused}")
        used.append(name)
        hints.extend(view.hints)
        unlowered |= dict.fromkeys(view.unlowered)
    return FeasiblePlan(
        build_spec=spec.seal(),
        steps=tuple(_step(item, requirement.text) for item in spec.acceptance_criteria),
        hints=tuple(hints),
        lenses=tuple(used),
        unlowered=tuple(unlowered),
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
    problem = _input_problem(certificate.given, lowered)
    if problem is not None:
        return problem
    stated = bounds(settled(lowered.constraints, certificate.given))
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
