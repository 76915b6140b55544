"""What readings agree on becomes an expectation; where they differ the requirement is ambiguous (DEC-09). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from contracts.probe import (
    CommandProbe,
    ExitExpectation,
    Expectation,
    FileExpectation,
    Observation,
    Origin,
    Probe,
    ProbeCase,
    Stream,
    TextExpectation,
)
from contracts.requirement import BuildSpec, ConditionalObligation
from contracts.verdict import Failure, FailureSignature, Witness
from tasks.reading.generators import proving, success
from tasks.reading.situation import convention, output_paths, separator
from tasks.validation.cases import unread_parts
from tasks.validation.check import check, csv_rows, lines_of
from tasks.validation.readable import command, inputs, seen

Answers = tuple[Expectation, ...]
Runs = Mapping[str, Observation]
"""The observations of one reading, by probe id."""


def answers(spec: BuildSpec, observation: Observation) -> Answers:
    """The exact behaviour of one run in the bound channels; of a run that fails, what the text may say of it.

    Raises:
        ValueError: the run did not end by itself, or what it wrote cannot be compared.
    """
    if observation.outcome != "exited" or observation.exit_code is None:
        raise ValueError("it did not end by itself")
    if observation.exit_code != success(spec):
        return _failing(spec, observation)
    found: list[Expectation] = [ExitExpectation(status=observation.exit_code)]
    if "stdout" in spec.interface.bound:
        found.append(_text(spec, "stdout", observation.stdout))
    if "stderr" in spec.interface.bound:
        found.append(_text(spec, "stderr", observation.stderr))
    if "files" in spec.interface.bound:
        found += [_file(spec, path, form, observation) for path, form in output_paths(spec)]
    return tuple(found)


def settle(spec: BuildSpec, probe: CommandProbe, readings: Mapping[str, Runs], origin: Origin) -> ProbeCase | Failure:
    """The case for ``probe`` on which more than half of the readings agree, or the ambiguity that they witness."""
    runs = {label: of[probe.id] for label, of in readings.items()}
    for run in runs.values():
        if 2 * sum(_agree(spec, run, other) for other in runs.values()) > len(runs):
            return ProbeCase(
                probe=probe,
                origin=origin,
                obligations=(*_proven(spec, run), *proving(spec, "invariant")),
                expectations=answers(spec, run),
            )
    return ambiguity(spec, probe, runs)


def undated(spec: BuildSpec, case: ProbeCase, readings: Mapping[str, Runs], dated: Sequence[str]) -> ProbeCase:
    """``case``, a run without a date, with nothing in it that readings show to depend on the date.

    ``dated`` are the ids of the same run on two dates: what differs between them is left out of the comparison.
    """
    runs = next(iter(readings.values()))
    first, second = (answers(spec, runs[name]) for name in dated)
    if not (len(first) == len(second) == len(case.expectations)):
        return case.model_copy(update={"expectations": ()})
    kept = [_timeless(*parts) for parts in zip(case.expectations, first, second, strict=True)]
    return case.model_copy(update={"expectations": tuple(item for item in kept if item is not None)})


def _agree(spec: BuildSpec, run: Observation, other: Observation) -> bool:
    """True iff each run meets the other's answers. Where no clause decides how a program fails, failures agree."""
    pairs = ((answers(spec, run), other), (answers(spec, other), run))
    if not all(expected for expected, _ in pairs):
        return not any(expected for expected, _ in pairs)
    return all(_meets(expected, seen_in) for expected, seen_in in pairs)


def _meets(expected: Answers, observation: Observation) -> bool:
    return all(check(item, observation, {}) is None for item in expected)


def _failing(spec: BuildSpec, observation: Observation) -> Answers:
    """What is compared of a run that fails: that it fails, and how, by the clauses of which readings tell when.

    Nothing where the text holds no such clause: then none decides what happens outside of the domain.
    """
    unread = [clause for clause in spec.conditional_obligations if unread_parts(clause)]
    if not unread:
        return ()
    fired = [clause for clause in unread if _fires(clause, observation)]
    found: list[Expectation] = [ExitExpectation(relation="differs", status=success(spec))]
    found += [item for clause in fired for item in clause.consequences]
    if "stdout" in spec.interface.bound and any(clause.unparsed for clause in fired):
        found.append(_text(spec, "stdout", observation.stdout))
    return tuple(found)


def _fires(clause: ConditionalObligation, observation: Observation) -> bool:
    """True iff the run shows everything that was read of the clause's effect."""
    return bool(clause.consequences) and _meets(clause.consequences, observation)


def _proven(spec: BuildSpec, observation: Observation) -> tuple[str, ...]:
    """The criteria that agreement on this run proves: not those of a clause whose effect it does not show (law 3)."""
    silent = {
        clause.id for clause in spec.conditional_obligations if clause.consequences and not _fires(clause, observation)
    }
    return tuple(
        item.id for item in spec.acceptance_criteria if item.method == "reading" and not silent & set(item.atoms)
    )


def _text(spec: BuildSpec, channel: str, stream: Stream) -> Expectation:
    if stream.truncated:
        raise ValueError(f"{channel} is too long to be compared")
    newline, text = convention(spec, "print.newline", "optional"), lines_of(stream.head)
    if newline != "forbidden":
        text = text.removesuffix("\n")
    return TextExpectation.model_validate({"channel": channel, "relation": "equals", "text": text, "newline": newline})


def _file(spec: BuildSpec, path: str, form: str, observation: Observation) -> Expectation:
    file = next((item for item in observation.files if item.path == path), None)
    if file is None:
        return FileExpectation(path=path, relation="absent")
    if file.content is None:
        raise ValueError(f"{path} is no file, or too long to be compared")
    if form != "csv":
        lines_of(file.content)
        return FileExpectation(path=path, relation="text", content=file.content)
    csv_rows(file.content, separator(spec))
    given = {"path": path, "relation": "csv", "content": file.content, "separator": separator(spec)}
    return FileExpectation.model_validate(given)


def _timeless(now: Expectation, first: Expectation, second: Expectation) -> Expectation | None:
    if first == second:
        return now
    if not (isinstance(now, FileExpectation) and isinstance(first, FileExpectation)):
        return None
    if now.relation != "csv" or not isinstance(second, FileExpectation):
        return FileExpectation(path=now.path, relation="exists")
    columns = _varying(*(csv_rows(item.content, now.separator) for item in (first, second)))
    if columns is None:
        return FileExpectation(path=now.path, relation="exists")
    return now.model_copy(update={"ignore": columns})


def _varying(first: list[list[str]], second: list[list[str]]) -> tuple[str, ...] | None:
    """The columns, by the names in the first row, in which two tables of one shape differ; None for other shapes."""
    if [len(row) for row in first] != [len(row) for row in second] or not first or first[0] != second[0]:
        return None
    pairs = zip(first[1:], second[1:], strict=True)
    differing = {place for left, right in pairs for place in range(len(left)) if left[place] != right[place]}
    return tuple(name for place, name in enumerate(first[0]) if place in differing)


def ambiguity(spec: BuildSpec, probe: Probe, runs: Runs) -> Failure:
    """What the author has to decide: one input on which readings differ, by their labels."""
    criteria = [item for item in spec.acceptance_criteria if item.method == "reading"]
    shown = [f"{label}: {seen(run)}" for label, run in runs.items()]
    return Failure(
        signature=FailureSignature.AMBIGUOUS_REQUIREMENT,
        requirement_ids=tuple(dict.fromkeys(name for item in criteria for name in (item.id, *item.atoms))),
        spans=tuple(dict.fromkeys(item.span for item in criteria)),
        detail="independent readings of the requirement differ on this input, and no clause decides between them",
        witness=Witness(
            probe=probe.id,
            command=command(probe),
            files=inputs(probe),
            expected="one behaviour that every reading of the text shows",
            observed="\n".join(shown),
        ),
    )
