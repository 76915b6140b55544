"""One text that the program prints: how long it is, and how many characters of a class it has.

Each character is of exactly one kind, so that a class is a sum of kinds: an upper-case vowel counts as a vowel, as an
upper-case letter, as a letter and as a character. A letter may be of no case, and neither vowel nor consonant. Kinds
that no sentence tells apart are one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from contracts.plan import Expression
from tasks.planning.terms import NotUnderstood, all_of, combine, integer
from tasks.planning.topics import NOTHING, Implied, Stated, readable
from tasks.planning.topics.phrases import (
    MAKES,
    MUST,
    NUMBER,
    OP,
    bounded,
    compared,
    conditioned,
    listed,
    total,
    value,
    variable,
)
from tasks.requirement.blocks import Sentence

_LETTERS = (
    "upper vowel",
    "upper consonant",
    "lower vowel",
    "lower consonant",
    "upper letter",
    "lower letter",
    "letter",
)
_VOWELS = tuple(kind for kind in _LETTERS if "vowel" in kind)
_CONSONANTS = tuple(kind for kind in _LETTERS if "consonant" in kind)
_UPPER = tuple(kind for kind in _LETTERS if "upper" in kind)
_LOWER = tuple(kind for kind in _LETTERS if "lower" in kind)
_ALL = (*_LETTERS, "digit", "space", "mark")
_CLASSES = {
    "character": _ALL,
    "char": _ALL,
    "letter": _LETTERS,
    "vowel": _VOWELS,
    "consonant": _CONSONANTS,
    "upper-case letter": _UPPER,
    "uppercase letter": _UPPER,
    "capital letter": _UPPER,
    "capital": _UPPER,
    "lower-case letter": _LOWER,
    "lowercase letter": _LOWER,
    "small letter": _LOWER,
    "digit": ("digit",),
    "decimal digit": ("digit",),
    "space": ("space",),
    "special character": ("space", "mark", "upper letter", "lower letter", "letter"),
    "punctuation mark": ("mark",),
    "word": (),
}
_CLASS = "(?:" + "|".join(sorted(_CLASSES, key=len, reverse=True)) + ")"
_NOUN = (
    r"(?:(?:license |licence |product |access |room |api |user |file |booking |order )?"
    r"(?:one-time password|password|passphrase|word|code|string|identifier|token|line|name|text|message|title|sentence|"
    r"slug|key|pin|label|username|user name|nickname|serial number|headline|coupon|voucher|caption|greeting|banner))"
)
_REST = (
    r"(?:,? (?:of|with|that has|which has|that contains|which contains|containing|having|consisting of|"
    r"that consists of|made of|made up of|that is|which is|that includes|which includes|which|that) (?P<rest>.+))?"
)
_OPENS = re.compile(
    rf"{MAKES}(?:prints|outputs|writes|generates|chooses|makes|picks|produces|creates|shows|returns) "
    r"(?:exactly one|a single|a|an|one) (?:(?:random|valid|new|strong|secret|unique|different|short|temporary) )*"
    rf"(?:(?P<n>{NUMBER})[ -](?P<unit>character|letter|digit) )?(?P<noun>{_NOUN}){_REST}"
)
_ITEM = re.compile(rf"(?:(?P<op>{OP}) )?(?P<n>{NUMBER}|a|an|no)(?: (?P<class>{_CLASS}?)(?:es|s)?)")
_LENGTH = re.compile(
    rf"(?:(?P<op>{OP}) )?(?P<n>{NUMBER})(?: (?:characters?|chars?)(?: long| in length)?| long| in length)"
)
_BETWEEN = re.compile(
    rf"(?:between|from) (?P<low>{NUMBER}) (?:and|to) (?P<high>{NUMBER}) "
    rf"(?P<class>{_CLASS}?)(?:s|es)?(?: long| in length)?"
)
_UNLIKE = (
    r"no character (?:occurs|appears) (?:twice|more than once)|no character is repeated|"
    r"(?:all|its) characters are (?:all )?different"
)
_LED = re.compile(
    r"^(?:that |which )?(?:must )?(?:has|have|contains?|includes?|is|be|consists? of|is made (?:up )?of) (?=.*\d|.*\w)"
)
_FURTHER = re.compile(r",? (?:which|that) (?=has|contains|includes|is|must)")
_QUOTED = re.compile(r"""(?:the )?(?:(?:word|text|string|substring) )?["'`](?P<text>[^"'`]+)["'`]""")
_WORDS = variable("words#")
_HAS = r"(?:has|have|contains?|includes?|holds?|consists? of|(?:is|be) made (?:up )?of)"


def stated(found: Sequence[Sentence]) -> Stated:
    """What sentences say of the one text that the program prints."""
    texts = readable(found)
    opened = {index: match for index, text in texts.items() if (match := _OPENS.fullmatch(text)) is not None}
    if len(opened) != 1:
        return NOTHING
    ((main, match),) = opened.items()
    first = _Reader(match["noun"], {kind: kind for kind in _ALL})
    _statements(first, texts, main, match)
    reader = _Reader(match["noun"], first.merged())
    statements = _statements(reader, texts, main, match)
    if main not in statements or (len(statements) == 1 and not statements[main]):
        return NOTHING
    return Stated(statements, tuple(reader.meaning(main)), subjects=frozenset(match["noun"].split()))


def _statements(
    reader: _Reader, texts: Mapping[int, str], main: int, match: re.Match[str]
) -> dict[int, tuple[Expression, ...]]:
    found = {}
    for index, text in texts.items():
        try:
            found[index] = tuple(reader.opening(match) if index == main else [reader.sentence(text)])
        except NotUnderstood:
            continue
    return found


class _Reader:
    """Sentences about the text called ``noun``."""

    def __init__(self, noun: str, kinds: Mapping[str, str]) -> None:
        self.kinds = kinds
        self.used: set[str] = {"character"}
        last = noun.rsplit(maxsplit=1)[-1]
        self.subject = rf"(?:(?:the|this|that|each|every) (?:{noun}|{last})|it)"
        self.whose = rf"(?:its|the {noun}'s)"
        self.exact = False
        self.forms: tuple[tuple[str, Callable[..., list[Expression]]], ...] = (
            (_UNLIKE, self._unlike),
            (rf"{self.subject} {MUST}{_HAS} (.+)", self._rest),
            (rf"{self.subject} (?:does|do|must|may) not (?:contain|include|have) (?:any )?(.+)", self._none),
            (rf"{self.subject} (?:is|must be) (.+)", self._rest),
            (rf"(?:{self.whose} length|the length of {self.subject}) (?:is|must be) (.+)", self._long),
            (rf"{self.subject} (?:starts|begins) with (an? .+)", self._rest),
            (rf"{self.subject} ends (?:with|in) (an? .+)", self._rest),
            (r"(?:all|each|every)(?: one)?(?: of (?:its|the))? characters? (?:is|are|must be) (.+)", self._only),
            (rf"((?:{OP} )?{NUMBER})(?: of (?:its characters|the characters|them))? (?:are|must be) (.+)", self._among),
        )

    def opening(self, match: re.Match[str]) -> list[Expression]:
        self.exact = False
        found = []
        if match["n"] is not None:
            names = dict.fromkeys(("character", match["unit"]))
            found += [combine("=", self._count(name), integer(value(match["n"]))) for name in names]
        if match["rest"] is not None:
            found += self._rest(match["rest"])
        return found

    def sentence(self, text: str) -> Expression:
        condition, statement = conditioned(text)
        self.exact = False
        found = all_of(self._statements(statement))
        if condition is None:
            return found
        self.exact = True
        return combine("implies", all_of(self._statement(condition)), found)

    def _statements(self, text: str) -> list[Expression]:
        """One statement, or several: "at least 3 of them are digits, and at least 2 are letters"."""
        try:
            return self._statement(text)
        except NotUnderstood:
            parts = re.split(r",? and (?=(?:it|the|its|at|exactly|no) )", text)
            if len(parts) == 1:
                raise
            return [item for part in parts for item in self._statement(part)]

    def _statement(self, text: str) -> list[Expression]:
        for pattern, read in self.forms:
            match = re.fullmatch(pattern, text)
            if match is not None:
                return read(*match.groups())
        raise NotUnderstood

    def _rest(self, text: str) -> list[Expression]:
        found: list[Expression] = []
        for item in _pieces(text):
            between = _BETWEEN.fullmatch(item)
            match = _ITEM.fullmatch(item)
            quoted = _QUOTED.fullmatch(item)
            if quoted is not None:
                found.append(combine(">=", self._count("character"), integer(len(quoted["text"]))))
            elif between is not None:
                found += bounded(value(between["low"]), self._count(between["class"]), value(between["high"]))
            elif match is not None:
                found.append(self._item(match))
            elif item.startswith("only "):
                found += self._only(item.removeprefix("only "))
            else:
                found += self._length(item)
        return found

    def _item(self, match: re.Match[str]) -> Expression:
        count = self._count(match["class"])
        if match["n"] == "no":
            return combine("=", count, integer(0))
        whole = self.exact or _CLASSES[match["class"]] == _ALL
        return compared(count, match["op"], integer(value(match["n"])), bare="=" if whole else ">=")

    def _count(self, name: str) -> Expression:
        """How many characters of a class there are; words are counted by themselves."""
        self.used.add(name)
        kinds = dict.fromkeys(self.kinds[kind] for kind in _CLASSES[name])
        return total([variable(f"{kind}#") for kind in kinds]) if kinds else _WORDS

    def merged(self) -> dict[str, str]:
        """For each kind the first one of those that no class that was used tells apart from it."""
        known: dict[tuple[bool, ...], str] = {}
        classes = [_CLASSES[name] for name in sorted(self.used)]
        return {kind: known.setdefault(tuple(kind in item for item in classes), kind) for kind in _ALL}

    def meaning(self, main: int) -> Iterator[Implied]:
        """No number is below zero; between words stands something."""
        kinds = [combine(">=", variable(f"{kind}#"), integer(0)) for kind in dict.fromkeys(self.kinds.values())]
        yield Implied(all_of(kinds), main, "no number of characters is below zero")
        if "word" in self.used:
            apart = combine(">=", combine("+", self._count("character"), integer(1)), combine("*", integer(2), _WORDS))
            yield Implied(apart, main, "words have a character each, and one between two of them")

    def _none(self, text: str) -> list[Expression]:
        return [combine("=", self._count(name), integer(0)) for name in _names(text)]

    def _only(self, text: str) -> list[Expression]:
        names = list(_names(text))
        for name in names:
            self._count(name)
        kinds = {self.kinds[kind] for name in names for kind in _CLASSES[name]}
        if not kinds:
            raise NotUnderstood
        return [combine("=", self._count("character"), total([variable(f"{kind}#") for kind in sorted(kinds)]))]

    def _among(self, number: str, name: str) -> list[Expression]:
        return self._rest(f"{number} {name}")

    def _unlike(self) -> list[Expression]:
        return [combine("<=", self._count("digit"), integer(10))]

    def _long(self, text: str) -> list[Expression]:
        """What is said of the length, with or without a unit."""
        return self._length(text if re.search("[a-z]$", text) else f"{text} characters")

    def _length(self, text: str) -> list[Expression]:
        """What the text itself is said to be; without a unit it may be a value."""
        found: list[Expression] = []
        for item in _pieces(text):
            between, match = _BETWEEN.fullmatch(item), _LENGTH.fullmatch(item)
            if between is not None and _CLASSES[between["class"]] == _ALL:
                found += bounded(value(between["low"]), self._count("character"), value(between["high"]))
            elif match is not None:
                found.append(compared(self._count("character"), match["op"], integer(value(match["n"]))))
            else:
                raise NotUnderstood
        return found


def _pieces(text: str) -> list[str]:
    """Items of a list; the "and" of a range does not part it."""
    return [
        _LED.sub("", item) for item in listed(re.sub(rf"(between {NUMBER}) and ", r"\1 to ", _FURTHER.sub(", ", text)))
    ]


def _names(text: str) -> Iterator[str]:
    for item in re.split(r",? (?:and|or) |, ", text):
        name = re.sub(r"^(?:an?|any) ", "", item)
        for end in ("", "s", "es"):
            if name.endswith(end) and name[: len(name) - len(end)] in _CLASSES:
                yield name[: len(name) - len(end)]
                break
        else:
            raise NotUnderstood
