"""The judge (laws 1, 3, 5, 7): every way in which evidence may fall short is refused, and honest evidence passes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tasks
from contracts.candidate import Candidate, Provenance, tree_digest
from contracts.canonical import digest
from contracts.probe import CommandProbe, Observation, Origin, ProbeCase, ProbePlan, RepeatExpectation, TextExpectation
from contracts.reading import ReadingSet
from contracts.requirement import BuildSpec, Invariant, Requirement, Trigger, TriggerKind
from contracts.verdict import (
    LAYERS,
    FailureSignature,
    Fault,
    Floor,
    LayerEvidence,
    LayerName,
    LayerResult,
    MutantRun,
    fault_of,
)
from tasks.reading.generators import proving, stated_cases
from tasks.reading.standing import standing_cases
from tasks.requirement.compiler import compile_requirement
from tasks.validation.cases import cases_of
from tasks.validation.judge import assemble, judge_layer, not_executed
from tasks.validation.strength import UNCHANGED

S = FailureSignature
TREE = tree_digest(())
FLOOR = Floor()
Answer = Callable[[ProbeCase], Observation]


@pytest.fixture(scope="module")
def spec() -> BuildSpec:
    text = (Path(tasks.__file__).parents[1] / "examples" / "words" / "requirement.md").read_text()
    return compile_requirement(Requirement(text=text), {})


@pytest.fixture(scope="module")
def plan(spec: BuildSpec) -> ProbePlan:
    """What a build of the sample seals, with two inputs that readings agree on, one of them near the example."""
    origins: tuple[Origin, ...] = ("reading", "near_example")
    compared = tuple(
        ProbeCase(
            probe=probe(f"{origin}-0", stdin=b"a b"),
            origin=origin,
            obligations=proving(spec, "reading", "invariant"),
            expectations=(TextExpectation(channel="stdout", relation="equals", text="2"),),
        )
        for origin in origins
    )
    hostile = ProbeCase(probe=probe("hostile-0", stdin=b"\xff"), origin="hostile")
    cases = (*standing_cases(spec, [probe("sample", stdin=b"a b")], ()), *stated_cases(spec), *compared, hostile)
    return ProbePlan(build_spec=spec.seal(), seed=1, cases=cases)


def probe(name: str, **given: Any) -> CommandProbe:
    return CommandProbe(id=name, argv=("python3", "/candidate/main.py"), **given)


@pytest.fixture
def right(seen) -> Answer:
    """What a right program of the sample shows."""

    def answer(case: ProbeCase) -> Observation:
        name = case.probe.id
        if case.origin == "example":
            return seen(name, stdout=b"3\n")
        if case.origin == "conditional":
            return seen(name, stdout=b"NONE\n", status=1)
        return seen(name, stdout=b"2\n") if case.origin in ("reading", "near_example") else seen(name)

    return answer


def evidence(plan: ProbePlan, layer: LayerName, answer: Answer, **given: Any) -> LayerEvidence:
    cases = cases_of(plan, layer)
    observations = tuple(answer(case) for case in cases)
    return LayerEvidence(layer=layer, candidate=TREE, cases=cases, observations=observations, **given)


def but(answer: Answer, origin: Origin, other: Callable[[str], Observation]) -> Answer:
    """As ``answer``, but for the first case of ``origin``."""
    done: list[str] = []

    def changed(case: ProbeCase) -> Observation:
        if case.origin == origin and not done:
            done.append(case.probe.id)
            return other(case.probe.id)
        return answer(case)

    return changed


def resealed(plan: ProbePlan, spec: BuildSpec) -> ProbePlan:
    return plan.model_copy(update={"build_spec": spec.seal()})


def signatures(result: LayerResult) -> list[FailureSignature]:
    return [failure.signature for failure in result.failures]


def killed(plan: ProbePlan, seen, count: int) -> tuple[MutantRun, ...]:
    first = next(case for case in plan.cases if case.origin == "reading")
    run = MutantRun(path="main.py", line=1, change="x", observations=(seen(first.probe.id, stdout=b"9\n"),))
    return (run,) * count


def behaviour(plan: ProbePlan) -> list[ProbeCase]:
    return [case for case in plan.cases if case.origin in ("example", "conditional", "reading", "near_example")]


def alike(plan: ProbePlan, right: Answer, seen, count: int, further: bytes = b"5\n") -> tuple[MutantRun, ...]:
    """Mutants that no case catches, and what they print on one further input."""
    observations = (*(right(case) for case in behaviour(plan)), seen("further-000", stdout=further))
    return (MutantRun(path="main.py", line=1, change="x", observations=observations),) * count


def original(seen) -> MutantRun:
    """The candidate itself on the further input."""
    run = seen("further-000", stdout=b"5\n", stderr=b"free")
    return MutantRun(path="main.py", line=0, change=UNCHANGED, observations=(run,))


@pytest.mark.parametrize("layer", ["runtime", "obligations"])
def test_honest_evidence_passes(layer, spec, plan, right):
    result = judge_layer(spec, plan, evidence(plan, layer, right), FLOOR)
    assert result.failures == ()
    assert result.executed
    assert result.passed


def test_honest_adversarial_evidence_passes(spec, plan, right, seen):
    given = evidence(plan, "adversarial", right, mutants=killed(plan, seen, 10), notes={"mutants_possible": ("10",)})
    assert judge_layer(spec, plan, given, FLOOR).passed


@pytest.mark.parametrize(
    "fault",
    [
        ("runtime", "parse", {"status": 1}, S.SYNTAX_ERROR),
        ("runtime", "import", {"status": 1}, S.IMPORT_ERROR),
        ("runtime", "repeat", {"stdout": b"other"}, S.NONDETERMINISTIC_OUTPUT),
        ("obligations", "example", {"stdout": b"4\n"}, S.EXAMPLE_MISMATCH),
        ("obligations", "conditional", {"stdout": b"No rows found\n"}, S.CONDITIONAL_VIOLATION),
        ("obligations", "reading", {"stdout": b"3\n"}, S.READING_MISMATCH),
        ("obligations", "reading", {"stdout": b"2\n", "cut": True}, S.OUTPUT_TRUNCATED),
        ("adversarial", "near_example", {"stdout": b"3\n"}, S.SPECIAL_CASED_EXAMPLE),
        ("adversarial", "hostile", {"status": None, "outcome": "limit", "detail": "wall"}, S.RESOURCE_LIMIT),
        ("adversarial", "hostile", {"status": None, "outcome": "signalled", "signal": 11}, S.KILLED_BY_SIGNAL),
        ("adversarial", "hostile", {"status": None, "outcome": "tampering", "detail": "x"}, S.VERIFIER_TAMPERING),
        ("adversarial", "hostile", {"leftovers": ("process 7",)}, S.VERIFIER_TAMPERING),
    ],
)
def test_a_planted_fault_of_each_kind_is_caught_by_its_name(fault, spec, plan, right, seen):
    """Law 7."""
    layer, origin, given, signature = fault
    answer = but(right, origin, lambda name: seen(name, **given))
    result = judge_layer(spec, plan, evidence(plan, layer, answer), FLOOR)
    assert signatures(result) == [signature]
    assert result.executed
    assert not result.passed
    failure = result.failures[0]
    assert failure.witness is not None
    assert failure.witness.observed


def test_a_failure_names_the_clauses_and_where_they_stand(spec, plan, right, seen):
    answer = but(right, "conditional", seen)
    failure = judge_layer(spec, plan, evidence(plan, "obligations", answer), FLOOR).failures[0]
    conditional = spec.conditional_obligations[0]
    assert conditional.id in failure.requirement_ids
    assert failure.spans == (conditional.span,)
    assert "EMPTY" not in failure.detail
    assert "NONE" in failure.detail


def test_many_failures_of_one_kind_are_one_with_the_smallest_input(spec, plan, right, seen):
    def wrong(case: ProbeCase) -> Observation:
        return seen(case.probe.id, status=0) if case.origin == "conditional" else right(case)

    failures = judge_layer(spec, plan, evidence(plan, "obligations", wrong), FLOOR).failures
    assert len(failures) == 1
    assert failures[0].witness is not None
    assert failures[0].witness.files == {"standard input": b""}
    assert "3 more inputs" in failures[0].detail


@pytest.mark.parametrize("layer", LAYERS)
def test_a_case_without_an_observation_is_not_executed_and_no_pass(layer, spec, plan, right):
    """Law 3."""
    whole = evidence(plan, layer, right)
    result = judge_layer(spec, plan, whole.model_copy(update={"observations": whole.observations[:-1]}), FLOOR)
    assert not result.executed
    assert not result.passed
    assert "not run" in (result.not_executed or "")


@pytest.mark.parametrize("layer", LAYERS)
def test_evidence_cannot_drop_alter_add_or_repeat_a_planned_case(layer, spec, plan, right, seen):
    """Law 5: the cases are the sealed ones."""
    whole = evidence(plan, layer, right)
    softer = whole.cases[0].model_copy(
        update={"expectations": (), "origin": whole.cases[0].origin, "obligations": ("x",)}
    )
    forged = [
        whole.model_copy(update={"cases": whole.cases[1:], "observations": whole.observations[1:]}),
        whole.model_copy(update={"cases": (softer, *whole.cases[1:])}),
        whole.model_copy(update={"cases": (*whole.cases, whole.cases[0])}),
        whole.model_copy(update={"observations": (*whole.observations, whole.observations[0])}),
        whole.model_copy(update={"observations": (*whole.observations, seen("unheard of"))}),
        whole.model_copy(update={"mutants": (MutantRun(path="a", line=1, change="x", observations=(seen("no"),)),)}),
    ]
    for item in forged:
        result = judge_layer(spec, plan, item, FLOOR)
        assert signatures(result) == [S.SEAL_MISMATCH]
        assert not result.executed
        assert not result.passed


def test_a_plan_for_another_contract_judges_nothing(spec, plan, right):
    """Law 5."""
    other = spec.model_copy(update={"examples": ()})
    assert signatures(judge_layer(other, plan, evidence(plan, "obligations", right), FLOOR)) == [S.SEAL_MISMATCH]


def test_another_candidates_evidence_is_refused(spec, plan, right):
    """GAME-55."""
    readings = ReadingSet(build_spec=spec.seal(), readings=(), plan=plan, failures=())
    given = evidence(plan, "runtime", right).model_copy(update={"candidate": digest(b"other")})
    result = judge_layer(spec, plan, given, FLOOR)
    assert result.passed
    candidate = Candidate(
        files=(), tree=TREE, dropped=(), provenance=Provenance(source="directory", label="d"), attempt=0
    )
    artifact = assemble(spec, readings, candidate, [(given, result)], FLOOR)
    assert [failure.signature for failure in artifact.failures] == [S.SEAL_MISMATCH]
    assert artifact.strength.probes == 0


def test_an_obligation_that_no_case_names_is_unproven(spec, plan, right):
    """Issue 5: an obligation without an executed probe is `unproven_requirement`."""
    fewer = plan.model_copy(update={"cases": tuple(case for case in plan.cases if case.origin != "conditional")})
    result = judge_layer(spec, fewer, evidence(fewer, "obligations", right), FLOOR)
    assert signatures(result) == [S.UNPROVEN_REQUIREMENT]
    assert result.failures[0].spans == (spec.conditional_obligations[0].span,)


def test_without_readings_the_evidence_is_insufficient(spec, plan, right):
    """DEC-16: and the record says what would suffice."""
    kept = tuple(case for case in plan.cases if case.origin not in ("reading", "near_example"))
    fewer = plan.model_copy(update={"cases": kept})
    result = judge_layer(spec, fewer, evidence(fewer, "obligations", right), FLOOR)
    assert set(signatures(result)) == {S.INSUFFICIENT_EVIDENCE}
    assert "--reading" in result.failures[0].detail
    assert {fault_of(item) for item in signatures(result)} == {Fault.NONE}


@pytest.mark.parametrize("part", ["trigger", "consequence"])
def test_a_conditional_that_was_read_in_part_is_unproven(part, spec, plan, right):
    conditional = spec.conditional_obligations[0]
    unknown = (Trigger(kind=TriggerKind.UNKNOWN, span=conditional.span),)
    update = {"triggers": unknown} if part == "trigger" else {"unparsed": (conditional.span,)}
    changed = spec.model_copy(update={"conditional_obligations": (conditional.model_copy(update=update),)})
    own = resealed(plan, changed)
    result = judge_layer(changed, own, evidence(own, "obligations", right), FLOOR)
    assert signatures(result) == [S.UNPROVEN_REQUIREMENT]


@pytest.mark.parametrize("admitted", [True, False])
def test_what_was_not_read_is_left_to_the_readings_and_to_nothing_else(admitted, spec, plan, right):
    """Law 3: without a case on which readings agree nothing of it passes."""
    conditional = spec.conditional_obligations[0].model_copy(update={"unparsed": (spec.examples[0].span,)})
    criterion = next(item for item in spec.acceptance_criteria if item.method == "reading")
    named = criterion.model_copy(update={"atoms": (*criterion.atoms, conditional.id)})
    criteria = tuple(named if item is criterion else item for item in spec.acceptance_criteria)
    update = {"conditional_obligations": (conditional,), "acceptance_criteria": criteria}
    changed = spec.model_copy(update=update)
    own = resealed(plan, changed)
    if not admitted:
        own = own.model_copy(update={"cases": tuple(case for case in own.cases if case.origin != "reading")})
    result = judge_layer(changed, own, evidence(own, "obligations", right), FLOOR)
    assert set(signatures(result)) == (set() if admitted else {S.INSUFFICIENT_EVIDENCE})


def test_what_only_readings_speak_for_is_said(spec, plan):
    """Law 8."""
    conditional = spec.conditional_obligations[0]
    changed = spec.model_copy(
        update={"conditional_obligations": (conditional.model_copy(update={"unparsed": (conditional.span,)}),)}
    )
    readings = ReadingSet(build_spec=changed.seal(), readings=(), plan=resealed(plan, changed), failures=())
    provenance = Provenance(source="directory", label="d")
    candidate = Candidate(files=(), tree=TREE, dropped=(), provenance=provenance, attempt=0)
    before, after = (assemble(each, readings, candidate, [], FLOOR).strength.not_checked for each in (spec, changed))
    assert any("nothing but the readings" in line for line in after)
    assert not any("nothing but the readings" in line for line in before)


def test_a_clause_that_no_generated_input_fires_is_not_proven_by_the_others(spec, plan, right):
    cases = tuple(
        case.model_copy(update={"obligations": ()}) if case.origin in ("reading", "near_example") else case
        for case in plan.cases
    )
    own = plan.model_copy(update={"cases": cases})
    result = judge_layer(spec, own, evidence(own, "obligations", right), FLOOR)
    assert set(signatures(result)) == {S.INSUFFICIENT_EVIDENCE}
    assert "no generated input" in result.failures[0].detail


@pytest.mark.parametrize("origin", ["entry", "tests"])
def test_what_outlives_its_run_is_tampering(origin, spec, plan, right, seen):
    """DEC-21: also where the run is one of the candidate's own tests, whose claims decide nothing."""
    left = but(right, origin, lambda name: seen(name, leftovers=("process 7",)))
    result = judge_layer(spec, plan, evidence(plan, "runtime", left), FLOOR)
    assert S.VERIFIER_TAMPERING in signatures(result)


@pytest.mark.parametrize(
    ("line_ends", "passes"), [("any", True), ("lf", True), ("crlf", False)], ids=["any", "lf", "crlf"]
)
def test_the_convention_on_line_ends_holds_for_every_output(line_ends, passes, spec, plan, right):
    conventions = tuple(
        item.model_copy(update={"value": line_ends}) if item.key == "text.line_ends" else item
        for item in spec.conventions
    )
    changed = spec.model_copy(update={"conventions": conventions})
    own = resealed(plan, changed)
    result = judge_layer(changed, own, evidence(own, "obligations", right), FLOOR)
    assert signatures(result) == ([] if passes else [S.INVARIANT_VIOLATION])


def test_an_invariant_holds_for_every_run(spec, plan, right, seen):
    never = TextExpectation(channel="stderr", relation="empty")
    span = spec.examples[0].span
    invariant = Invariant(id="inv-1", atom="invariant-1", span=span, expectations=(never,))
    changed = spec.model_copy(update={"invariants": (invariant,)})
    noisy = but(right, "example", lambda name: seen(name, stdout=b"3\n", stderr=b"debug\n"))
    own = resealed(plan, changed)
    assert judge_layer(changed, own, evidence(own, "obligations", right), FLOOR).passed
    result = judge_layer(changed, own, evidence(own, "obligations", noisy), FLOOR)
    assert signatures(result) == [S.INVARIANT_VIOLATION]
    assert result.failures[0].requirement_ids == ("inv-1", "invariant-1")
    tools = but(right, "tests", lambda name: seen(name, stderr=b"1 passed\n"))
    assert judge_layer(changed, own, evidence(own, "runtime", tools), FLOOR).passed


@pytest.mark.parametrize(
    ("note", "signature"),
    [
        ("entry_missing", S.ENTRY_POINT_MISSING),
        ("tampering", S.VERIFIER_TAMPERING),
        ("undeclared", S.UNDECLARED_FILE),
    ],
)
def test_notes_about_the_tree_that_are_failures(note, signature, spec, plan, right):
    given = evidence(plan, "adversarial", right, notes={note: ("a\x1bb",)})
    result = judge_layer(spec, plan, given, FLOOR)
    assert signatures(result) == [signature]
    assert result.failures[0].detail.isprintable()


def test_other_notes_are_facts_only(spec, plan, right, seen):
    notes = {"mutants_possible": ("10",), "hidden": (".gitignore",), "dropped": ("x: link",)}
    given = evidence(plan, "adversarial", right, mutants=killed(plan, seen, 10), notes=notes)
    assert judge_layer(spec, plan, given, FLOOR).passed


def test_own_tests_decide_only_where_the_text_asks_for_them(spec, plan, right, seen):
    """DEC-03: a claim; the sample's text does not ask for tests."""
    broken = but(right, "tests", lambda name: seen(name, status=None, outcome="limit", detail="wall"))
    assert judge_layer(spec, plan, evidence(plan, "runtime", broken), FLOOR).passed


@pytest.mark.parametrize(
    "row",
    [
        ((0, 0), "0", Floor(), "0 of 0 mutants were judged"),
        ((9, 0), "30", Floor(), "9 of 30 mutants were judged"),
        ((8, 0), "8", Floor(), None),
        ((10, 0), "30", Floor(), None),
        ((10, 10), "30", Floor(), None),
        ((9, 11), "30", Floor(), "behave like the program"),
        ((9, 11), "30", Floor(mutants_equivalent_percent=60), None),
        ((10, 0), "30", Floor(output_classes=5), "kinds of output"),
    ],
)
def test_the_floor(row, spec, plan, right, seen):
    """DEC-17: below the policy the outcome is `insufficient_evidence`, and nobody's fault."""
    runs, possible, floor, reason = row
    mutants = (original(seen), *killed(plan, seen, runs[0]), *alike(plan, right, seen, runs[1]))
    given = evidence(plan, "adversarial", right, mutants=mutants, notes={"mutants_possible": (possible,)})
    result = judge_layer(spec, plan, given, floor)
    if reason is None:
        assert result.passed
    else:
        assert signatures(result) == [S.INSUFFICIENT_EVIDENCE]
        assert reason in result.failures[0].detail


@pytest.mark.parametrize("way", ["differs beyond the plan", "not run to the end", "nothing to compare with"])
def test_a_survivor_is_equivalent_only_if_it_was_compared_on_every_input_and_agreed(way, spec, plan, right, seen):
    """DEC-17: any other survivor counts against the evidence."""
    survivors = alike(plan, right, seen, 3, further=b"6\n" if way == "differs beyond the plan" else b"5\n")
    if way == "not run to the end":
        survivors = tuple(run.model_copy(update={"observations": run.observations[1:]}) for run in survivors)
    first = () if way == "nothing to compare with" else (original(seen),)
    mutants = (*first, *killed(plan, seen, 10), *survivors)
    given = evidence(plan, "adversarial", right, mutants=mutants, notes={"mutants_possible": ("13",)})
    result = judge_layer(spec, plan, given, FLOOR)
    assert "caught 10 of 13" in result.failures[0].detail


@pytest.mark.parametrize("whole", [True, False])
def test_without_readings_a_survivor_is_compared_with_the_candidate_everywhere(whole, spec, plan, right, seen):
    cases = tuple(case for case in plan.cases if case.origin != "reading")
    fewer = plan.model_copy(update={"cases": cases})
    own = original(seen)
    if whole:
        own = own.model_copy(update={"observations": (*map(right, behaviour(fewer)), *own.observations)})
    caught = MutantRun(
        path="main.py", line=1, change="x", observations=(seen(behaviour(fewer)[0].probe.id, stdout=b"9\n"),)
    )
    mutants = (own, *(caught,) * 10, *alike(fewer, right, seen, 5))
    given = evidence(fewer, "adversarial", right, mutants=mutants, notes={"mutants_possible": ("15",)})
    assert judge_layer(spec, fewer, given, FLOOR).passed is whole


def test_the_artifact_binds_everything_and_counts_what_was_done(spec, plan, right, seen):
    """Laws 5 and 8."""
    readings = ReadingSet(build_spec=spec.seal(), readings=(), plan=plan, failures=())
    candidate = Candidate(
        files=(), tree=TREE, dropped=(), provenance=Provenance(source="directory", label="d"), attempt=1
    )
    given = {
        "runtime": evidence(plan, "runtime", right),
        "obligations": evidence(plan, "obligations", right),
        "adversarial": evidence(
            plan, "adversarial", right, mutants=killed(plan, seen, 10), notes={"mutants_possible": ("10",)}
        ),
    }
    layers = [(item, judge_layer(spec, plan, item, FLOOR)) for item in given.values()]
    artifact = assemble(spec, readings, candidate, layers, FLOOR)
    assert artifact.passed
    assert (artifact.build_spec, artifact.probe_plan, artifact.candidate) == (spec.seal(), plan.seal(), TREE)
    strength = artifact.strength
    assert (strength.obligations, strength.obligations_covered) == (4, 4)
    assert strength.probes == sum(len(item.observations) for item in given.values())
    assert (strength.mutants, strength.mutants_killed, strength.mutants_equivalent) == (10, 10, 0)
    assert any("readings" in item for item in strength.not_checked)


def test_a_layer_that_did_not_run_never_passes_and_is_named(spec, plan, right):
    """Law 3 and law 8."""
    readings = ReadingSet(build_spec=spec.seal(), readings=(), plan=plan, failures=())
    candidate = Candidate(
        files=(), tree=TREE, dropped=(), provenance=Provenance(source="directory", label="d"), attempt=0
    )
    runtime = evidence(plan, "runtime", right)
    layers = [
        (runtime, judge_layer(spec, plan, runtime, FLOOR)),
        (None, not_executed("obligations", "sandbox gone")),
        (None, not_executed("adversarial", "sandbox gone")),
    ]
    artifact = assemble(spec, readings, candidate, layers, FLOOR)
    assert not artifact.passed
    assert artifact.strength.obligations_covered == 0
    assert "the layer obligations: sandbox gone" in artifact.strength.not_checked


def test_the_judge_is_pure_and_repeatable(spec, plan, right):
    """Verification judges the stored evidence again and must come to the same bytes."""
    given = evidence(plan, "obligations", right)
    loaded = LayerEvidence.model_validate_json(given.canonical())
    first = judge_layer(spec, plan, given, FLOOR)
    assert judge_layer(spec, ProbePlan.model_validate_json(plan.canonical()), loaded, FLOOR) == first


def test_a_repeat_of_a_run_that_is_missing_is_no_pass(spec, plan, right, seen):
    lonely = ProbeCase(probe=probe("repeat-9"), origin="repeat", expectations=(RepeatExpectation(of="gone"),))
    more = plan.model_copy(update={"cases": (*plan.cases, lonely)})
    result = judge_layer(spec, more, evidence(more, "runtime", right), FLOOR)
    assert signatures(result) == [S.NONDETERMINISTIC_OUTPUT]
