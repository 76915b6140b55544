"""Lenses: what each sees, that it is loaded only when asked, and that without its library nothing breaks."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from contracts.plan import FeasiblePlan, InfeasibilityCertificate
from contracts.requirement import Requirement
from contracts.verdict import FailureSignature
from tasks.planning import lenses
from tasks.planning.lenses import graphs, quantities, symbolic
from tasks.planning.lowering import lower
from tasks.planning.planner import plan
from tasks.planning.topics import budgets
from tasks.requirement.compiler import compile_requirement

NEEDS = {"graphs": "networkx", "quantities": "pint", "symbolic": "sympy", "formal": "z3"}


def planned(text: str) -> FeasiblePlan | InfeasibilityCertificate:
    requirement = Requirement(text=text)
    return plan(compile_requirement(requirement, {}), requirement)


def hints(text: str, kind: str) -> list[str]:
    found = planned(text)
    assert isinstance(found, FeasiblePlan)
    return [hint.text for hint in found.hints if hint.kind == kind]


@pytest.mark.parametrize(("name", "library"), NEEDS.items())
def test_without_its_library_a_lens_says_so_and_nothing_breaks(
    name: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.util.find_spec

    def absent(wanted: str) -> object:
        return None if wanted == library else real(wanted)

    for module in (graphs, quantities, symbolic, sys.modules["tasks.planning.solving"]):
        monkeypatch.setattr(module, "find_spec", absent)
    found = planned("Write a program that prints the sum of the first n squares. The wait is 90 s, or 2 min.")
    assert isinstance(found, FeasiblePlan)
    assert found.failures == ()
    assert set(found.lenses) == set(lenses.NAMES) - {name}
    assert [hint.lens for hint in found.hints if f"{library} is not installed" in hint.text] == [name]


def test_a_cycle_of_required_orders_needs_no_bounds_and_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Write a program that prints the steps a, b and c in an order. a comes before b. b comes before c. {}"
    found = planned(text.format("c comes before a."))
    assert isinstance(found, InfeasibilityCertificate)
    assert [item.text for item in found.constraints] == ["a comes before b", "b comes before c", "c comes before a"]
    assert hints(text.format("a comes before c."), "value") == ["an order that keeps every `before`: a, b, c"]


def test_differences_that_go_round_to_less_than_nothing_are_a_cycle() -> None:
    text = "Write a program that chooses two integers x and y. x is 3 more than y. y is at least x minus {}."
    tight, loose = (lower(Requirement(text=text.format(number))).constraints for number in (2, 3))
    assert graphs.cyclic(tight)
    assert not graphs.cyclic(loose)
    assert len(graphs.around(tight, ())) == 2
    assert graphs.around(loose, ()) == ()


def test_amounts_are_said_in_the_smallest_unit_of_the_text() -> None:
    text = "The program waits before each retry. The wait is at least 90 seconds. The wait is at most 2 minutes."
    assert hints(text, "value") == ["2 minute is 120 second"]


def test_a_unit_that_pint_sizes_otherwise_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Law 7: a wrong table of units would make proofs of its own."""
    text = "The program waits before each retry. The wait is at least 3 minutes. The wait is at most 2 minutes."
    requirement = Requirement(text=text)
    scene = compile_requirement(requirement, {}), requirement, lower(requirement)
    assert quantities.LENS.look(*scene).certificate is not None
    monkeypatch.setitem(budgets.TIMES, "minute", 61_000)
    assert quantities.LENS.look(*scene).certificate is None


FORMS = [
    ("Print the sum of the first n odd numbers.", "n**2"),
    ("Print the sum of the squares from 1 to n.", "n*(n + 1)*(2*n + 1)/6"),
    ("Print the sum of the first n integers.", "n*(n + 1)/2"),
    ("Print the sum of the first n cubes.", "n**2*(n + 1)**2/4"),
    ("Print a(n), where a(n) = 2*a(n-1) + 1 and a(0) = 0.", "2**n - 1"),
    ("Print a(n), where a(n) = a(n-1) + 3 and a(1) = 2.", "3*n - 1"),
]


@pytest.mark.parametrize(("text", "form"), FORMS)
def test_closed_forms_are_hints(text: str, form: str) -> None:
    (hint,) = hints(text, "form")
    assert hint.endswith(f" is {form}")


def test_a_form_that_does_not_hold_is_not_offered() -> None:
    """Law 7: it is evaluated beside its definition."""
    sympy = pytest.importorskip("sympy")
    n = sympy.symbols("n")
    assert symbolic._held(n * n, n, lambda m: sum(2 * i - 1 for i in range(1, m + 1))) == "n**2"
    assert symbolic._held(n * n, n, lambda m: m * m + (m == 7)) is None


def test_a_recurrence_without_its_start_has_no_form() -> None:
    assert hints("Print a(n), where a(n) = 2*a(n-1) + 1.", "form") == []


def test_growth_names_the_first_number_that_leaves_a_machine_word() -> None:
    (hint,) = hints("Print the factorial of n.", "growth")
    assert "n = 21" in hint


RULES = [
    ("The program always exits with status 0. The program always exits with status 1.", "any input"),
    (
        "If the input file is missing, exit with status 2. If the input file is missing, exit with status 3.",
        "an input file that does not exist",
    ),
]


@pytest.mark.parametrize(("text", "witness"), RULES)
def test_two_rules_on_one_channel_for_one_input_are_a_contradiction(text: str, witness: str) -> None:
    found = planned(text)
    assert isinstance(found, FeasiblePlan)
    (failure,) = found.failures
    assert failure.signature is FailureSignature.CONTRADICTORY_REQUIREMENT
    assert witness in failure.detail
    assert len(failure.spans) == 2


@pytest.mark.parametrize(
    "text",
    [
        "If the input file is missing, exit with status 2. If the output file is missing, exit with status 3.",
        "If the input file is missing, exit with status 2. If the input file is missing and --force is given, exit "
        "with status 0.",
        "The program always exits with status 0 in a dry run. The program always exits with status 1 in strict mode.",
        "With no arguments print the usage and exit with status 0. If an argument is missing, exit with status 2.",
    ],
)
def test_rules_for_different_inputs_are_none(text: str) -> None:
    """Law 7."""
    found = planned(text)
    assert isinstance(found, FeasiblePlan)
    assert found.failures == ()


def test_heavy_libraries_are_loaded_only_where_a_text_needs_them() -> None:
    """A start-up time is promised: no solver, no algebra for a text that asks for neither."""
    code = (
        "import sys\n"
        "from contracts.requirement import Requirement\n"
        "from tasks.planning.planner import plan\n"
        "from tasks.requirement.compiler import compile_requirement\n"
        "requirement = Requirement(text='Print the lines of a file in reverse.')\n"
        "plan(compile_requirement(requirement, {}), requirement)\n"
        "print(sorted({'z3', 'sympy', 'networkx', 'pint'} & set(sys.modules)))\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
