"""A plan with a step for every acceptance criterion, or a checked proof that nothing can satisfy the requirement."""

from __future__ import annotations

from contracts.plan import FeasiblePlan, InfeasibilityCertificate, PlanStep
from contracts.requirement import AcceptanceCriterion, BuildSpec, Requirement, Span
from tasks.planning import lenses
from tasks.planning.checker import check_certificate

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
        if view.certificate is not None and _confirmed(view.certificate, spec):
            return view.certificate
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


def _confirmed(certificate: InfeasibilityCertificate, spec: BuildSpec) -> bool:
    return certificate.build_spec == spec.seal() and check_certificate(certificate) is None


def _step(criterion: AcceptanceCriterion, text: str) -> PlanStep:
    words = " ".join(text[criterion.span.start : criterion.span.end].split())
    return PlanStep(criterion=criterion.id, method=criterion.method, text=f"{words}: {_HOW[criterion.method]}")
