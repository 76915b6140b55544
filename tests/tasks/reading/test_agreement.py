"""General rules that the compiler could not read: readings prove them, and what they agree on is compared (law 3)."""

from __future__ import annotations

from pathlib import Path

import pytest

import tasks
from contracts.probe import CommandProbe, ExitExpectation, Observation, ProbeCase
from contracts.requirement import BuildSpec, Requirement, TriggerKind
from contracts.verdict import Failure
from tasks.reading.agreement import settle
from tasks.requirement.compiler import compile_requirement
from tasks.validation.cases import run_failures, unread_parts

PLAIN = "# Words\n\nWrite a program that reads standard input and prints the number of words.\n"
LONG = PLAIN + "If a word has more than nine letters, print TOO LONG and exit 3.\n"
ZERO = PLAIN + "If a line has no words, print 0 for that line.\n"


def spec_of(text: str) -> BuildSpec:
    return compile_requirement(Requirement(text=text), {})


def settled(spec: BuildSpec, *runs: Observation) -> ProbeCase | Failure:
    probe = CommandProbe(id="p", argv=("python3", "/candidate/main.py"), stdin=b"some words")
    return settle(spec, probe, {str(number): {"p": run} for number, run in enumerate(runs)}, "reading")


def accepts(spec: BuildSpec, case: ProbeCase | Failure, run: Observation) -> bool:
    assert isinstance(case, ProbeCase)
    return next(run_failures(spec, case, {"p": run}), None) is None


def proven(spec: BuildSpec, case: ProbeCase | Failure) -> set[str]:
    """The conditionals whose criterion the case names."""
    assert isinstance(case, ProbeCase)
    return {
        name
        for item in spec.acceptance_criteria
        if item.id in case.obligations
        for name in item.atoms
        if name.startswith("if-")
    }


def test_the_texts_hold_what_the_tests_are_about():
    (clause,) = spec_of(LONG).conditional_obligations
    assert clause.triggers[0].kind is TriggerKind.UNKNOWN
    assert clause.consequences
    assert unread_parts(spec_of(ZERO).conditional_obligations[0])
    assert spec_of(PLAIN).conditional_obligations == ()


def test_how_a_clause_fails_is_compared_where_readings_show_that_it_applies(seen):
    """Its condition was not read; a candidate that fails otherwise, or not at all, is wrong."""
    spec = spec_of(LONG)
    case = settled(spec, *(seen("p", status=3, stdout=b"TOO LONG\n") for _ in range(2)))
    assert accepts(spec, case, seen("p", status=3, stdout=b"TOO LONG"))
    assert not accepts(spec, case, seen("p", status=1, stdout=b"TOO LONG\n"))
    assert not accepts(spec, case, seen("p", status=3, stdout=b"2\n"))
    assert not accepts(spec, case, seen("p", stdout=b"2\n"))
    assert proven(spec, case) == {spec.conditional_obligations[0].id}


def test_a_run_that_does_not_show_the_clause_proves_nothing_of_it(seen):
    spec = spec_of(LONG)
    assert proven(spec, settled(spec, *(seen("p", stdout=b"2\n") for _ in range(2)))) == set()


def test_readings_that_disagree_about_the_clause_are_an_ambiguity(seen):
    spec = spec_of(LONG)
    runs = [seen("p", status=3, stdout=b"TOO LONG\n"), seen("p", status=1)]
    assert isinstance(settled(spec, *runs), Failure)
    assert isinstance(settled(spec, *reversed(runs)), Failure)


def test_a_clause_of_which_no_effect_was_read_is_proven_by_any_agreement(seen):
    spec = spec_of(ZERO)
    case = settled(spec, *(seen("p", stdout=b"0\n") for _ in range(2)))
    assert proven(spec, case) == {spec.conditional_obligations[0].id}
    assert not accepts(spec, case, seen("p", stdout=b"\n"))


def test_standard_error_is_compared_only_where_the_text_speaks_of_it(seen):
    spec = spec_of(PLAIN)
    bound = spec.model_copy(update={"interface": spec.interface.model_copy(update={"bound": ("exit", "stderr")})})
    runs = [seen("p", stdout=b"2\n", stderr=word) for word in (b"one", b"two")]
    assert isinstance(settled(spec, *runs), ProbeCase)
    assert isinstance(settled(bound, *runs), Failure)


def test_tables_are_compared_by_their_fields_with_the_separator_of_the_convention(seen):
    text = (Path(tasks.__file__).parents[1] / "examples" / "contracts" / "requirement.md").read_text()
    spec = compile_requirement(Requirement(text=text), {"csv.dialect": "semicolon"})
    plain, quoted = (seen("p", files={"OUTPUT": rows}) for rows in (b"a;b\n1;2,5\n", b'"a";"b"\r\n"1";"2,5"\r\n'))
    case = settled(spec, plain, quoted)
    assert accepts(spec, case, quoted)
    assert not accepts(spec, case, seen("p", files={"OUTPUT": b"a;b\n1;2;5\n"}))
    assert not accepts(spec, case, seen("p"))


@pytest.mark.parametrize(("text", "passes"), [(ZERO, False), (PLAIN, True)])
def test_success_where_readings_fail_is_wrong_only_where_a_clause_may_say_so(text, passes, seen):
    """DEC-09: with no such clause nothing decides what happens outside of the domain."""
    spec = spec_of(text)
    case = settled(spec, seen("p", status=1), seen("p", status=2))
    assert isinstance(case, ProbeCase)
    assert case.expectations == (() if passes else (ExitExpectation(relation="differs", status=0),))
    assert accepts(spec, case, seen("p")) is passes
