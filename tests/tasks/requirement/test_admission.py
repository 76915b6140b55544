"""What a model proposes for unbound words: what is admitted, and every kind of hostile proposal that is not."""

from __future__ import annotations

from typing import Any

import pytest

from contracts.canonical import digest
from contracts.formalisation import Formalisation, Refusal
from contracts.requirement import BuildSpec, Requirement, Span, TriggerKind
from tasks.requirement.admission import admit
from tasks.requirement.compiler import compile_requirement

TEXT = (
    "A command line tool reads a text file and prints its lines. If the file is missing, exit with status 3.\n\n"
    "Void file => quiet `none` print plus status 4.\n\n"
    "Sample `b` makes `B` printed.\n\n"
    "Errors? `oops` on stderr."
)
ANSWER = digest(b"answer")


def at(words: str, text: str = TEXT) -> dict[str, int]:
    start = text.index(words)
    return {"start": start, "end": start + len(words)}


def conditional(
    words: str, condition: str, *effects: dict[str, Any], trigger: str = "unknown", text: str = TEXT
) -> Any:
    found = {"kind": "conditional", "span": at(words, text), "condition": at(condition, text), "trigger": trigger}
    return found | {"consequences": list(effects)}


def exits(status: int) -> dict[str, Any]:
    return {"channel": "exit", "status": status}


def prints(text: str, channel: str = "stdout", relation: str = "equals") -> dict[str, Any]:
    return {"channel": channel, "relation": relation, "text": text}


def ruled(*bindings: Any, text: str = TEXT) -> tuple[BuildSpec, BuildSpec, list[Refusal | None]]:
    requirement = Requirement(text=text)
    spec = unbound(compile_requirement(requirement, {}), text)
    proposal = Formalisation.model_validate({"source": "test", "answer": ANSWER, "bindings": bindings})
    joined, admission = admit(proposal, spec, requirement)
    assert admission.formalisation == proposal.seal()
    return spec, joined, [item.refusal for item in admission.rulings]


def unbound(spec: BuildSpec, text: str) -> BuildSpec:
    """The contract without what the compiler read in all paragraphs but the first: the words are free."""
    end = text.index("\n\n")
    free = tuple(item.model_copy(update={"atoms": ()}) if item.span.start >= end else item for item in spec.fragments)
    paragraphs = []
    for item in free:
        if item.atoms:
            paragraphs.append(item)
        elif paragraphs and not paragraphs[-1].atoms and "\n\n" not in text[paragraphs[-1].span.end : item.span.start]:
            last = paragraphs.pop()
            span = Span(start=last.span.start, end=item.span.end)
            paragraphs.append(last.model_copy(update={"span": span}))
        else:
            paragraphs.append(item)
    return spec.model_copy(
        update={
            "fragments": tuple(paragraphs),
            "unbound": tuple(item.span for item in paragraphs if not item.atoms),
            "conditional_obligations": tuple(x for x in spec.conditional_obligations if x.span.end <= end),
            "examples": (),
            "invariants": (),
        }
    )


WORDS = "Void file => quiet `none` print plus status 4"
RIGHT = conditional(WORDS, "Void file", prints("none"), exits(4))


def test_a_conditional_joins_with_its_words_and_its_source() -> None:
    spec, joined, refusals = ruled(RIGHT)
    assert refusals == [None]
    known = joined.conditional_obligations[-1]
    assert [item.kind for item in known.triggers] == [TriggerKind.UNKNOWN]
    assert joined.formalised[0].text == "If Void file, print `none` to standard output and exit with status 4."
    assert (joined.formalised[0].source, joined.formalised[0].answer) == ("test", ANSWER)
    assert len(joined.unbound) == len(spec.unbound)  # the final stop stays
    assert joined.seal() != spec.seal()


def test_an_example_joins_as_a_probe() -> None:
    _, joined, refusals = ruled(
        {"kind": "example", "span": at("Sample `b` makes `B` printed"), "given": "b", "wanted": "B"}
    )
    assert refusals == [None]
    assert [item.content for item in joined.examples[0].files] == [b"b"]
    assert {item.method for item in joined.acceptance_criteria if joined.examples[0].id in item.atoms} == {"example"}


def test_everything_bound_before_is_bound_after_and_every_character_still_has_one_fragment() -> None:
    spec, joined, _ = ruled(RIGHT)
    assert set(spec.requirement_atoms) < set(joined.requirement_atoms)
    assert set(spec.acceptance_criteria) < set(joined.acceptance_criteria)
    assert set(spec.conditional_obligations) < set(joined.conditional_obligations)
    assert joined.conventions == spec.conventions
    assert joined.interface == spec.interface
    covered = [place for item in joined.fragments for place in range(item.span.start, item.span.end)]
    assert len(covered) == len(set(covered))
    assert {place for place, sign in enumerate(TEXT) if not sign.isspace()} <= set(covered)


HOSTILE = [
    ("outside", RIGHT | {"span": {"start": 0, "end": 10_000}}),
    ("outside", RIGHT | {"condition": at("If the file is missing")}),
    ("outside", RIGHT | {"span": {"start": 9, "end": 9}}),
    ("bound", conditional("If the file is missing, exit with status 3", "the file is missing", exits(3))),
    ("bound", RIGHT | {"span": {"start": 0, "end": at(WORDS)["end"]}}),
    ("ungrounded", conditional(WORDS, "Void file", prints("other"), exits(4))),
    ("ungrounded", conditional(WORDS, "Void file", prints("none"), exits(5))),
    ("incomplete", conditional(WORDS, "Void file", prints("none"))),
    ("incomplete", conditional(WORDS, "Void file", exits(4))),
    ("ungrounded", conditional(WORDS, "Void file", prints("none", relation="contains"), exits(4))),
    ("ungrounded", conditional(WORDS, "Void file", {"channel": "exit", "relation": "differs", "status": 0})),
    ("inexpressible", conditional(WORDS, "Void file", prints("none"), exits(4), trigger="input_empty")),
    ("inexpressible", conditional(WORDS, "Void file", prints("none"), exits(4), trigger="remaining")),
    ("incomplete", {"kind": "invariant", "span": at(WORDS), "expectations": [exits(4)]}),
    (
        "inexpressible",
        {"kind": "invariant", "span": at("`oops` on stderr"), "expectations": [prints("oops", "stderr")]},
    ),
    ("ungrounded", {"kind": "example", "span": at("Sample `b` makes `B` printed"), "given": "b", "wanted": "C"}),
]


@pytest.mark.parametrize(("reason", "binding"), HOSTILE, ids=[f"{i}-{row[0]}" for i, row in enumerate(HOSTILE)])
def test_a_hostile_binding_is_refused_and_changes_nothing(reason: str, binding: Any) -> None:
    """The planted faults of admission (law 7)."""
    spec, joined, refusals = ruled(binding)
    assert refusals == [Refusal(reason)]
    assert joined == spec


def test_the_same_words_join_once() -> None:
    _, joined, refusals = ruled(RIGHT, RIGHT, RIGHT)
    assert refusals == [None, Refusal.BOUND, Refusal.BOUND]
    assert len(joined.formalised) == 1


def test_what_is_told_of_something_else_does_not_join() -> None:
    text = "A command line tool reads a text file.\n\nEarlier versions: Void file => print `none`."
    words = "Void file => print `none`"
    _, _, refusals = ruled(conditional(words, "Void file", prints("none"), text=text), text=text)
    assert refusals == [Refusal.NOT_ASKED]


def test_a_denied_effect_does_not_join_as_one() -> None:
    text = "A command line tool reads a text file.\n\nVoid file => never `none` printed."
    words = "Void file => never `none` printed"
    _, _, refusals = ruled(conditional(words, "Void file", prints("none"), text=text), text=text)
    assert refusals == [Refusal.UNGROUNDED]


def test_what_contradicts_a_rule_or_an_invariant_does_not_join() -> None:
    text = (
        "A command line tool reads a text file. Nothing is ever written to standard error. If the file is missing, "
        "exit with status 3.\n\nThe file is missing, so to say: status 4.\n\nOdd file: the message `odd` on stderr."
    )
    rule = conditional("The file is missing, so to say: status 4", "The file is missing", exits(4), text=text)
    noise = conditional("Odd file: the message `odd` on stderr", "Odd file", prints("odd", "stderr"), text=text)
    requirement = Requirement(text=text)
    spec = compile_requirement(requirement, {})
    free = unbound(spec, text).model_copy(update={"invariants": spec.invariants})
    proposal = {"source": "test", "answer": ANSWER, "bindings": [rule | {"trigger": "input_missing"}, noise]}
    joined, admission = admit(Formalisation.model_validate(proposal), free, requirement)
    assert [item.refusal for item in admission.rulings] == [Refusal.CONTRADICTS, Refusal.CONTRADICTS]
    assert joined == free


def test_a_flood_is_no_document() -> None:
    with pytest.raises(ValueError, match="200"):
        Formalisation.model_validate({"source": "test", "answer": ANSWER, "bindings": [RIGHT] * 201})


def test_a_contract_of_another_text_is_refused() -> None:
    """Law 5."""
    proposal = Formalisation.model_validate({"source": "test", "answer": ANSWER, "bindings": []})
    with pytest.raises(ValueError, match="another requirement"):
        admit(proposal, compile_requirement(Requirement(text="A tool."), {}), Requirement(text=TEXT))
