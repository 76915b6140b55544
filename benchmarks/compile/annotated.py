"""Measure the compiler on texts that were annotated by hand: ``python benchmarks/compile/annotated.py``.

A row of an annotation is the words of a condition and its effects: ``exit=2``, ``stdout=TEXT`` (empty: nothing),
``stderr~PART``, ``file absent``, ``return=VALUE``, ``raise=NAME``, ``http=404``. ``~words`` is a consequence that
varies with the input: it has to be listed as such under that condition. The failures are printed, then one JSON object,
with the conditionals of each file under ``files``.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from contracts.probe import ExitExpectation, Expectation, FileExpectation, TextExpectation
from contracts.requirement import BuildSpec, ConditionalObligation, Requirement, Span
from tasks.requirement.blocks import sentences
from tasks.requirement.compiler import compile_requirement
from tasks.requirement.examples import columns, pairs

TEXTS = Path(__file__).parent / "texts"
_MARKS = {"equals": "=", "empty": "=", "contains": "~", "not_empty": "!"}


def texts() -> Iterator[dict[str, Any]]:
    """All annotated texts, each with the ``file`` that it stands in."""
    for path in sorted(TEXTS.glob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["text"]:
            yield case | {"file": path.stem}


def short(item: Expectation) -> str:
    """An expectation in the form of the annotations."""
    if isinstance(item, ExitExpectation):
        return f"exit{'=' if item.relation == 'equals' else '!='}{item.status}"
    if isinstance(item, FileExpectation):
        return f"file {item.relation}"
    return f"{item.channel}{_MARKS[item.relation]}{item.text}" if isinstance(item, TextExpectation) else item.channel


def effects(found: ConditionalObligation) -> list[str]:
    """All fixed effects of a conditional in the form of the annotations."""
    return [short(item) for item in found.consequences] + [f"{item.channel}={item.value}" for item in found.effects]


def places(text: str, words: str) -> list[Span]:
    """Where ``words`` stand in ``text``, whatever the white space and the case."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    return [Span(start=m.start(), end=m.end()) for m in re.finditer(pattern, text, re.IGNORECASE)]


def plain(text: str, spans: Sequence[Span]) -> str:
    """The text of ``spans``, with single blanks, in lower case."""
    return " ".join(" ".join(text[span.start : span.end].split()) for span in spans).lower()


def judged(text: str, spec: BuildSpec, row: Sequence[str], place: Span) -> tuple[str, str]:
    """``whole``, ``partial``, ``lost`` or ``wrong`` (an effect that the text does not state), and what was found."""
    here = [
        known
        for known in spec.conditional_obligations
        if any(item.span.start < place.end and place.start < item.span.end for item in known.triggers)
    ]
    here = [known for known in here if not any(item.negated for item in known.triggers)] or here
    branches = [known.otherwise for known in spec.conditional_obligations if known.otherwise is not None]
    fixed = {item for item in row[1:] if not item.startswith("~")}
    varying = [item[1:].lower() for item in row[1:] if item.startswith("~")]
    other = [span for span in branches if span.start <= place.start < span.end]
    if other and not here:
        return "whole" if all(item in plain(text, other) for item in varying) else "partial", plain(text, other)
    if not here:
        return "lost", ""
    found = {item for known in here for item in effects(known)}
    left = plain(text, [span for known in here for span in known.unparsed])
    shown = f"{sorted(found)} unread: {left!r}"
    if any(not _is_stated(item, fixed) for item in found):
        return "wrong", shown
    return ("whole" if found == fixed and all(item in left for item in varying) else "partial"), shown


def _is_stated(effect: str, fixed: set[str]) -> bool:
    """True iff the text states this effect, or one that implies it."""
    channel, _, part = effect.partition("~")
    return effect in fixed or (bool(part) and any(item.startswith(f"{channel}=") and part in item for item in fixed))


def examples(text: str) -> list[tuple[str, str]]:
    """Input and output of every example that is found."""
    found: list[tuple[str, str]] = []
    header: tuple[str, ...] = ()
    previous = None
    for sentence in sentences(text):
        if previous is None or previous.kind != "table":
            header = ()
        elif sentence.kind == "table" and not header:
            header = columns(previous)
        previous = sentence
        found += [(pair.given, pair.wanted) for pair in pairs(text, sentence, header)]
    return found


def measure(case: Mapping[str, Any]) -> tuple[Counter[str], list[str]]:
    """Figures of one text, and its failures in words."""
    text = case["words"]
    spec = compile_requirement(Requirement(text=text), {})
    figures: Counter[str] = Counter(texts=1)
    failures: list[str] = []
    used: Counter[str] = Counter()
    covered: list[Span] = []
    for row in case["conditionals"]:
        where = places(text, row[0])[used[row[0]]]
        used[row[0]] += 1
        covered.append(where)
        verdict, shown = judged(text, spec, row, where)
        figures["conditionals"] += 1
        figures[f"conditionals_{verdict}"] += 1
        if verdict != "whole":
            failures.append(f"{case['id']} {verdict}: {row} -> {shown}")
    for known in spec.conditional_obligations:
        if not any(
            item.span.start < span.end and span.start < item.span.end for item in known.triggers for span in covered
        ):
            figures["conditionals_beside"] += 1
            if effects(known):
                figures["expectations_not_stated"] += 1
            failures.append(f"{case['id']} beside: {plain(text, [known.span])!r} {effects(known)}")
    wanted = [(given.replace("\\n", "\n"), out) for given, out in case.get("examples", [])]
    found = examples(text)
    figures["examples"] += len(wanted)
    figures["examples_found"] += sum(item in found for item in wanted)
    figures["examples_wrong"] += sum(item not in wanted for item in found)
    failures += [f"{case['id']} example lost: {item}" for item in wanted if item not in found]
    failures += [f"{case['id']} example not stated: {item}" for item in found if item not in wanted]
    figures["artefact_right"] += spec.artefact == case["artefact"]
    if spec.artefact != case["artefact"]:
        failures.append(f"{case['id']} artefact: {spec.artefact}, not {case['artefact']}")
    characters = len("".join(text.split()))
    figures["characters"] += characters
    figures["unbound"] += sum(len("".join(text[span.start : span.end].split())) for span in spec.unbound)
    return figures, failures


def main() -> int:
    """Measure all texts."""
    total: Counter[str] = Counter()
    files: dict[str, Counter[str]] = {}
    for case in texts():
        figures, failures = measure(case)
        total.update(figures)
        files.setdefault(case["file"], Counter()).update(figures)
        for line in failures:
            print(line)
    shares = {
        name: f"{known['conditionals_whole']}/{known['conditionals']}, wrong {known['conditionals_wrong']}"
        for name, known in files.items()
    }
    print(json.dumps({**dict(sorted(total.items())), "files": shares}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
