"""The interface of the program and the conventions that complete it, from the facts of the text and the user's say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, cast

from contracts.paths import slug
from contracts.requirement import Argument, Column, CommandInterface, Threshold
from tasks.requirement.conventions import ConventionError, Settlement
from tasks.requirement.facts import Bound, Facts
from tasks.requirement.overrides import declared_arguments
from tasks.requirement.usage import Usage

ColumnKind = Literal["identifier", "text", "integer", "date"]
Channel = Literal["exit", "stdout", "stderr", "files"]


def build_interface(facts: Facts, settlement: Settlement, *, speaks_of_empty: bool) -> CommandInterface:
    """Settle every convention that applies, and draw the interface from the settled values.

    Raises:
        ConventionError: an assumption that does not fit this requirement.
    """
    title = slug(facts.command or facts.title or "", "forged-tool")
    entry = settlement.settle("python.entry", text=facts.entry)
    program = settlement.settle("package.command", text=title if facts.command else None, default=title)
    arguments = _arguments(facts, settlement)
    facts.reads_stdin = (settlement.given("interface.stdin") or ("read" if facts.reads_stdin else "")) == "read"
    if arguments:
        settlement.settle("argv.program_name")
    if facts.reads_stdin:
        settlement.settle("stdin.stream")
    settlement.settle("exit.success", text=None if facts.success is None else str(facts.success))
    settlement.settle("text.encoding")
    settlement.settle("text.line_ends")
    settlement.settle("stderr.messages")
    if _prints(facts):
        settlement.settle("print.newline", text=facts.newline)
    if facts.stderr:
        settlement.settle("stderr.newline", text=facts.newline)
    if speaks_of_empty:
        settlement.settle("file.empty")
    arguments += tuple(Argument(name=name, role="flag", required=False) for name in facts.switches)
    columns = _columns(facts, settlement)
    thresholds = tuple(_threshold(bound, columns) for bound in facts.bounds) if columns else ()
    if any(item.measure == "days_ahead" for item in thresholds):
        option = settlement.settle("clock.today")
        settlement.settle("threshold.past")
        arguments = (*arguments, Argument(name=option, role="date", required=False))
    _written(facts, settlement, columns, thresholds)
    return CommandInterface(
        entry=entry,
        program=program,
        arguments=arguments,
        columns=columns,
        thresholds=thresholds,
        domain=facts.domain,
        reads_stdin=facts.reads_stdin,
        bound=_channels(facts, settlement),
    )


def _prints(facts: Facts) -> bool:
    return facts.prints or facts.output_format is None


def _channels(facts: Facts, settlement: Settlement) -> tuple[Channel, ...]:
    given = settlement.given("interface.channels")
    return _bound_channels(facts) if given is None else cast("tuple[Channel, ...]", tuple(given.split(",")))


def _bound_channels(facts: Facts) -> tuple[Channel, ...]:
    found: list[Channel] = ["exit"]
    if _prints(facts):
        found.append("stdout")
    if facts.stderr:
        found.append("stderr")
    if facts.output_format is not None:
        found.append("files")
    return tuple(found)


def _arguments(facts: Facts, settlement: Settlement) -> tuple[Argument, ...]:
    declared = settlement.given("interface.arguments")
    if declared is not None:
        return _ordered({item.name: item for item in declared_arguments(declared)}, settlement)
    found: dict[str, Argument] = {}
    if facts.input_format is not None:
        required = not (facts.reads_stdin and facts.input_optional)
        found["INPUT"] = Argument(name="INPUT", role="input_file", format=facts.input_format, required=required)
    if facts.output_format is not None:
        found["OUTPUT"] = Argument(name="OUTPUT", role="output_file", format=facts.output_format)
    if facts.usage is not None:
        found = dict(_used(facts.usage, found))
    else:
        found |= {name: Argument(name=name, role=role) for name, role in facts.values}
    return _ordered(found, settlement)


def _ordered(found: dict[str, Argument], settlement: Settlement) -> tuple[Argument, ...]:
    order = settlement.settle("arguments", default=" ".join(found)).split()
    if sorted(order) != sorted(found):
        raise ConventionError(f"arguments: not {' '.join(found) or 'empty'} in another order")
    return tuple(found[name] for name in order)


def _used(usage: Usage, files: dict[str, Argument]) -> Iterator[tuple[str, Argument]]:
    """The arguments of the usage line in its order; files under the names that they have everywhere."""
    for name, role in usage.arguments:
        known = files.get({"input_file": "INPUT", "output_file": "OUTPUT"}.get(role, ""))
        yield (name, Argument(name=name, role=role)) if known is None else (known.name, known)


def _columns(facts: Facts, settlement: Settlement) -> tuple[Column, ...]:
    if not facts.csv or not (facts.input_format in {"csv", "text"} or facts.reads_stdin):
        return ()
    settlement.settle("csv.dialect", text=facts.separator)
    derived = _derived(facts)
    names = settlement.settle(
        "csv.columns",
        text=",".join(facts.columns) if facts.columns else None,
        default=",".join(name for name, _ in derived),
    ).split(",")
    if len(set(names)) != len(names):
        raise ConventionError("csv.columns: a name stands there twice")
    kinds = _given_kinds(names, settlement) or _kinds(names, derived, facts)
    settlement.settle("csv.valid_row")
    settlement.settle("csv.bad_row")
    settlement.settle("csv.blank_line")
    if "date" in kinds:
        settlement.settle("csv.date_format")
    if any(bound.column is None for bound in facts.bounds) and "date" not in kinds:
        raise ConventionError("csv.columns: a rule of the text counts days, so one column must hold a date")
    return tuple(Column(name=name, kind=kind) for name, kind in zip(names, kinds, strict=True))


def _given_kinds(names: Sequence[str], settlement: Settlement) -> list[ColumnKind]:
    given = settlement.given("csv.kinds")
    kinds = [] if given is None else given.split(",")
    if kinds and len(kinds) != len(names):
        raise ConventionError(f"csv.kinds: {len(kinds)} kinds for {len(names)} columns")
    return cast("list[ColumnKind]", kinds)


def _derived(facts: Facts) -> list[tuple[str, ColumnKind]]:
    first: list[tuple[str, ColumnKind]] = []
    if facts.entity is not None:
        first = [(f"{facts.entity}_id", "identifier")]
    dates: list[tuple[str, ColumnKind]] = [(name, "date") for name in facts.dates]
    if not dates and any(bound.column is None for bound in facts.bounds):
        dates = [("date", "date")]
    if not first and not dates:
        return [("name", "text"), ("value", "text")]
    return [*(first or [("name", "text")]), *(dates or [("value", "text")])]


def _kinds(names: Sequence[str], derived: Sequence[tuple[str, ColumnKind]], facts: Facts) -> list[ColumnKind]:
    """By name where the name tells; else, for as many columns as were derived, by place."""
    counted = {bound.column for bound in facts.bounds} | facts.integers
    told: list[ColumnKind] = ["integer" if name in counted else _told(name) for name in names]
    if "date" not in told and any(kind == "date" for _, kind in derived) and len(names) == len(derived):
        return [kind for _, kind in derived]
    return told


def _told(name: str) -> ColumnKind:
    words = re.split(r"[^a-z0-9]+", name.lower())
    if "date" in words or words[-1] in {"expires", "expiry", "due"}:
        return "date"
    return "identifier" if words[-1] == "id" else "text"


def _threshold(bound: Bound, columns: Sequence[Column]) -> Threshold:
    dated = next((column.name for column in columns if column.kind == "date"), "")
    return Threshold(
        column=dated if bound.column is None else bound.column,
        measure="days_ahead" if bound.column is None else "value",
        relation=bound.relation,
        bound=bound.bound,
        span=bound.span,
    )


def _written(facts: Facts, settlement: Settlement, columns: Sequence[Column], thresholds: Sequence[Threshold]) -> None:
    if facts.output_format is None:
        return
    settlement.settle("output.on_error")
    if facts.summary and columns:
        names = [column.name for column in columns]
        if any(item.measure == "days_ahead" for item in thresholds):
            names.append("days_left")
        settlement.settle("summary.columns", default=",".join([*names, "flagged"]) if facts.flags else "metric,value")
