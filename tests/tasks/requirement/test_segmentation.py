"""Every character is accounted for: tokens, sentences and fragments are partitions of what is not white space."""

from __future__ import annotations

import gc
import time
from random import Random

import pytest

from contracts.requirement import Requirement
from tasks.requirement.blocks import sentences
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.tokens import tokenize

PARTS = (
    "If the file is empty, print EMPTY and exit with status 2.",
    "Otherwise, process every valid row;",
    "# Title\n",
    "- item one\n",
    "1. do `this and that`\n",
    "| input | output |\n| --- | --- |\n| `a` | `b` |\n",
    "```python\nprint('x')\n```\n",
    "~~~\nnever closed",
    ">>> f(1)\n2\n",
    "don't \"quote, me\" 'or, me' “nor me”",
    "(a, (b), c",
    "e.g. 3.14, -7 and 1,000 -> 2…",
    "if if unless otherwise, and or then",
    "\t \n\n\r\n",
    "ümläut 合同 🎈 \u2003",
    "'",
    '"',
    "`",
    "...",
    "x<=y != z",
)


def covered(text: str) -> list[tuple[int, int]]:
    spec = compile_requirement(Requirement(text=text), {})
    return [(item.span.start, item.span.end) for item in spec.fragments]


def check_partition(text: str, spans: list[tuple[int, int]]) -> None:
    seen = [0] * len(text)
    for start, end in spans:
        assert 0 <= start < end <= len(text)
        for index in range(start, end):
            seen[index] += 1
    wrong = [index for index, char in enumerate(text) if not char.isspace() and seen[index] != 1]
    assert not wrong, (text, [text[index] for index in wrong])
    assert max(seen, default=0) <= 1


@pytest.mark.parametrize("seed", range(60))
def test_every_character_belongs_to_exactly_one_fragment(seed: int) -> None:
    """Law 8: on seeded mixtures of everything that texts are made of, whole and cut in the middle."""
    rng = Random(seed)
    text = "".join(rng.choice(PARTS) + rng.choice(("", " ", "\n", "\n\n")) for _ in range(rng.randint(1, 8)))
    text = text[rng.randint(0, 3) : len(text) - rng.randint(0, 3)] or "x"
    check_partition(text, covered(text))
    check_partition(text, [(token.start, token.end) for token in tokenize(text)])
    check_partition(text, [(item.start, item.end) for item in sentences(text)])


@pytest.mark.parametrize("seed", range(40))
def test_random_characters_are_covered_too(seed: int) -> None:
    rng = Random(seed)
    text = "".join(rng.choice("abIf ,.;:'\"`()[]|#->*~\n\t12é") for _ in range(rng.randint(1, 80)))
    check_partition(text, covered(text))


WORDS = [
    "if",
    "when",
    "unless",
    "otherwise",
    "then",
    "else",
    "that",
    "no",
    "not",
    "any",
    "each",
    "a",
    "an",
    "the",
    "x",
    "file",
    "input",
    "output",
    "arguments",
    "stderr",
    "example",
    "e.g.",
    "print",
    "prints",
    "writes",
    "exit",
    "return",
    "raise",
    "with",
    "by",
    "for",
    "is",
    "are",
    "empty",
    "given",
    "and",
    "or",
    "status",
    "0",
    "2",
    "12",
    "(",
    ")",
    ",",
    ".",
    ";",
    ":",
    "-",
    "*",
    "|",
    "#",
    ">",
    "<",
    "<=",
    "'",
    '"',
    "`",
    "`EMPTY`",
    "\n",
]


@pytest.mark.parametrize("seed", range(60))
def test_no_salad_of_the_words_of_the_grammar_is_lost_or_fatal(seed: int) -> None:
    rng = Random(seed)
    for _ in range(10):
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 40)))
        if text.strip():
            check_partition(text, covered(text))


def test_the_check_of_a_partition_catches_a_lost_and_a_doubled_character() -> None:
    """Law 7: the planted faults."""
    with pytest.raises(AssertionError):
        check_partition("ab", [(0, 1)])
    with pytest.raises(AssertionError):
        check_partition("ab", [(0, 2), (1, 2)])


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("print `a, b and c` now", "`a, b and c`"),
        ("print 'if empty, exit 2' now", "'if empty, exit 2'"),
        ('say "x. Y" now', '"x. Y"'),
        ("say “one; two” now", "“one; two”"),
        (r"say 'it\'s' now", r"'it\'s'"),
        ("use ``a ` b`` now", "``a ` b``"),
    ],
)
def test_literals_are_one_token(text: str, literal: str) -> None:
    assert [token.text for token in tokenize(text) if token.kind == "literal"] == [literal]


def test_an_apostrophe_opens_no_literal() -> None:
    assert not [
        token for token in tokenize("don't touch the users' files or the tool's log") if token.kind == "literal"
    ]


def test_nothing_inside_a_literal_or_code_is_read_as_a_rule() -> None:
    text = "Print `if the file is empty, exit with status 2`.\n\n```\nIf the file is empty, exit with status 3.\n```\n"
    assert not compile_requirement(Requirement(text=text), {}).conditional_obligations


def test_unbound_is_what_no_atom_covers() -> None:
    text = "# Tool\n\nPrint the sum.\n\n## Background\n\n[docs]: https://example.org/a\n"
    spec = compile_requirement(Requirement(text=text), {})
    assert [text[span.start : span.end].strip() for span in spec.unbound] == [
        "## Background",
        "[docs]: https://example.org/a",
    ]


def test_an_edit_elsewhere_does_not_renumber() -> None:
    rule = "If the file is empty, print EMPTY and exit with status 2."
    before = compile_requirement(Requirement(text=f"Read a file. {rule}"), {})
    after = compile_requirement(Requirement(text=f"Read two files.  Print the sum.\n\n{rule}"), {})
    assert before.conditional_obligations[0].id == after.conditional_obligations[0].id
    assert before.acceptance_criteria[-1].id == after.acceptance_criteria[-1].id


def test_the_same_statement_twice_has_two_ids() -> None:
    spec = compile_requirement(Requirement(text="Print the sum. Print the sum."), {})
    ids = [atom.id for atom in spec.requirement_atoms]
    assert len(ids) == len(set(ids)) == 2


def test_compiling_is_deterministic() -> None:
    text = "# T\n\nRead a CSV file. If it is empty, print EMPTY and exit 2."
    first, second = (compile_requirement(Requirement(text=text), {}) for _ in range(2))
    assert first.seal() == second.seal()


@pytest.mark.parametrize(
    "unit", ["(", "'", "`", "a, ", "f(", "x and ", "if ", "the file is empty or ", "- a\n", "\\", "| a "]
)
def test_no_text_makes_the_work_grow_beyond_measure(unit: str) -> None:
    """A hostile page of one thing only: the work grows about as the length does.

    Best of three on this thread alone, without the garbage of thousands of other tests: what grows shows all the same.
    """
    gc.disable()
    try:
        times = [min(_spent((unit * size)[:size]) for _ in range(3)) for size in (2_000, 8_000)]
    finally:
        gc.enable()
    assert times[1] < 12 * times[0] + 0.5


def _spent(text: str) -> float:
    started = time.thread_time()
    check_partition(text, covered(text))
    return time.thread_time() - started
