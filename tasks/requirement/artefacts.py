"""What kind of software a text asks for, and the signatures of functions and routes that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from contracts.probe import ExitExpectation, Expectation, TextExpectation
from contracts.requirement import ArtefactKind, CallEffect, ConditionalObligation, Signature, Span
from tasks.requirement.answers import MAX_STATUS, MIN_STATUS
from tasks.requirement.blocks import Sentence
from tasks.requirement.phrasings import GRAMMAR

_ROUTE = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE|HEAD)\s+(/[\w{}<>:/.*-]*)")
_FUNCTION = re.compile(
    r"(?:\bdef\s+(?P<defined>\w+)\s*\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)(?:\s*->\s*[\w.]+(?:\[[^\n:]*\])?)?)"
    r"|(?:(?<![\w.])(?P<typed>[A-Za-z_]\w*)\([^()\n]*\)\s*->\s*[\w.]+(?:\[[^\n\]]*\])*)"
    r"|(?:(?<![\w.])(?P<annotated>[A-Za-z_]\w*)\(\w+\s*:\s*[^()\n]*\))"
    r"|(?:(?<![\w.])(?P<headed>[A-Za-z_]\w*)\(\w+(?:,\s*\w+)*\)(?=`?:\s))"
    r"|(?:^[ \t]*(?P<alone>[A-Za-z_]\w*)\(\w+(?:,\s*\w+)*\)(?=[ \t]*$))"
    r"|(?:\bfunction\s+(?:called\s+|named\s+)?`?(?P<called>[A-Za-z_]\w*)\([^()\n]*\))",
    re.MULTILINE,
)
_CLASS = re.compile(r"\bclass\s+(?P<name>[A-Z]\w*)\b")
_OPENING_SENTENCES = 4
_LENDS = 200
"""How far before a bare value its verb may stand: "returns 0 on success, *1* if a line was too long"."""


def signatures(text: str) -> tuple[Signature, ...]:
    """Functions, classes and routes as the text writes them, in its order, each once."""
    found: dict[str, Signature] = {}
    matches = [match for pattern in (_ROUTE, _FUNCTION, _CLASS) for match in pattern.finditer(text)]
    for match in sorted(matches, key=lambda item: item.start()):
        words = " ".join(match.group().removeprefix("function ").split())
        name = words if match.re is _ROUTE else next(value for value in match.groupdict().values() if value)
        span = Span(start=match.start(), end=match.end())
        found.setdefault(name, Signature(name=name, text=words, span=span))
    return tuple(found.values())


def artefact_of(sentences: Sequence[Sentence], named: Sequence[Signature]) -> ArtefactKind | None:
    """The kind that the text states; None where it is silent, and a command is assumed.

    What is said of a command line counts more than a function that is to be importable beside it.
    """
    routes = [item for item in named if _ROUTE.match(item.text)]
    if routes or _says(sentences, "asks_service", opening=True):
        return "service"
    command = _says(sentences, "asks_command", opening=False)
    pipeline = _says(sentences, "asks_pipeline", opening=True)
    if command or (pipeline and not named):
        return "pipeline" if pipeline else "command"
    return "library" if named or _says(sentences, "asks_library", opening=True) else None


def _says(sentences: Sequence[Sentence], rule: str, *, opening: bool) -> bool:
    prose = [sentence for sentence in sentences if sentence.kind not in {"code", "doctest", "table"}]
    return any(
        GRAMMAR.longest(rule, sentence.tokens, at) is not None
        for sentence in (prose[:_OPENING_SENTENCES] if opening else prose)
        for at in range(len(sentence.tokens))
    )


def fitted(conditionals: Sequence[ConditionalObligation], kind: ArtefactKind, text: str) -> list[ConditionalObligation]:
    """The conditionals with every effect on a channel that the artefact has.

    "returns 2" is the exit status of a command, "yields 404" the status of a response; what a command has no channel
    for is left to readings.
    """
    return [_as_service(item) if kind == "service" else _as_started(item, kind, text) for item in conditionals]


def _as_service(known: ConditionalObligation) -> ConditionalObligation:
    answered = [number for item in known.consequences if (number := _status(item)) is not None]
    answered += [int(item.value) for item in known.effects if item.channel == "return" and item.value.isdigit()]
    kept = [item for item in known.effects if item.channel != "return" or not item.value.isdigit()]
    kept += [CallEffect(channel="http", value=str(number), span=known.span) for number in answered]
    consequences = tuple(item for item in known.consequences if _status(item) is None)
    return known.model_copy(update={"consequences": consequences, "effects": tuple(kept)})


def _status(item: Expectation) -> int | None:
    """The HTTP status that was read as an exit status or as printed text."""
    number = item.status if isinstance(item, ExitExpectation) else None
    if isinstance(item, TextExpectation) and item.text.isdigit():
        number = int(item.text)
    return number if number is not None and MIN_STATUS <= number <= MAX_STATUS else None


def _as_started(known: ConditionalObligation, kind: ArtefactKind, text: str) -> ConditionalObligation:
    if kind == "library":
        return _as_called(known)
    if not known.effects:
        return known
    complains = any(item.channel == "stderr" for item in known.consequences)
    statuses = [item for item in known.effects if _is_exit(item, text, complains=complains)]
    left = tuple(item.span for item in known.effects if item not in statuses)
    exits = tuple(ExitExpectation(status=int(item.value)) for item in statuses)
    unparsed = tuple(sorted((*known.unparsed, *left), key=lambda span: span.start))
    return known.model_copy(update={"consequences": (*known.consequences, *exits), "effects": (), "unparsed": unparsed})


def _as_called(known: ConditionalObligation) -> ConditionalObligation:
    """A call answers with no HTTP status and ends no process."""
    calls = tuple(item for item in known.effects if item.channel != "http")
    lost = [item.span for item in known.effects if item.channel == "http"]
    kept = tuple(item for item in known.consequences if item.channel != "exit")
    lost += [known.span] if len(kept) < len(known.consequences) else []
    return known.model_copy(
        update={"consequences": kept, "effects": calls, "unparsed": (*known.unparsed, *lost)} if lost else {}
    )


def _is_exit(item: CallEffect, text: str, *, complains: bool) -> bool:
    """Said of a program, "It returns 2" is its status; "return 0" may as well mean a result, unless it complains."""
    said = text[item.span.start : item.span.end].lower()
    verb = "return" if complains else "returns"
    lent = said.isdigit() and verb in text[max(0, item.span.start - _LENDS) : item.span.start].lower()
    status = item.channel == "return" and item.value.isdigit() and int(item.value) < 256
    return status and (lent or said.startswith(verb))
