"""Which integers the program itself chooses: "Write a program that chooses two integers x and y and prints them"."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.requirement.blocks import Sentence
from tasks.requirement.grammar import number_of, word_set
from tasks.requirement.tokens import Token

_MAKES = word_set("write build create implement develop make design provide")
_ARTEFACT = word_set(
    "it this a an the python small simple command line command-line cli tool program script application utility"
)
_CHOOSES = word_set("chooses finds picks selects prints outputs assigns determines searches produces computes")
_TAIL = word_set(
    "and then prints outputs writes them all of the three two four on one line in a single this order "
    "separated by spaces "
    "space single to standard output stdout each its own ,"
)


def declared(sentence: Sentence) -> tuple[str, ...]:
    """The names that the sentence declares; empty if any word of it says something else ("given", "for each")."""
    words = sentence.words
    at = _before_verb(words)
    if at is None or at >= len(words) or words[at].norm not in _CHOOSES:
        return ()
    at, count = _announced(words, at + 1)
    names, end = _names(words, at)
    if not names or count not in {None, len(names)} or len(set(names)) != len(names):
        return ()
    return names if all(token.norm in _TAIL for token in words[end:]) else ()


def _before_verb(words: Sequence[Token]) -> int | None:
    """Where the verb stands: after "Write a ... that" or after "The program"."""
    at = int(words[0].norm in _MAKES)
    while at < len(words) and words[at].norm in _ARTEFACT:
        at += 1
    if words[0].norm not in _MAKES:
        return at if at else None
    return at + 1 if 1 < at < len(words) and words[at].norm in {"that", "which"} else None


def _announced(words: Sequence[Token], at: int) -> tuple[int, int | None]:
    """Where the names start, after "three integers called", and how many are announced; len(words) if not integers."""
    count = number_of(words[at]) if at < len(words) else None
    at += count is not None
    if at < len(words) and words[at].norm in {"an", "a"}:
        count, at = 1, at + 1
    noun = [token.norm for token in words[at : at + 2]]
    if noun in (["whole", "numbers"], ["whole", "number"]):
        at += 2
    elif noun and noun[0] in {"integer", "integers"}:
        at += 1
    else:
        return len(words), count
    return at + (at < len(words) and words[at].norm in {"called", "named"}), count


def _names(words: Sequence[Token], at: int) -> tuple[tuple[str, ...], int]:
    """A list "x, y and z", and where it ends."""
    names: list[str] = []
    while at < len(words) and _is_name(words[at]):
        names.append(words[at].value)
        at += 1
        step = at
        while step < len(words) and step < at + 2 and words[step].norm in {",", "and"}:
            step += 1
        if step == at or step == len(words) or not _is_name(words[step]):
            break
        at = step
    return tuple(names), at


def _is_name(token: Token) -> bool:
    value = token.value
    known = value.lower() in _TAIL - {"a"}
    return token.kind in {"word", "literal"} and value.isidentifier() and len(value) <= 12 and not known
