"""CSV inputs for a table of known columns: valid, boundary and invalid rows, and every way to write them down.

Only what the conventions decide is generated (DEC-09): no field of blanks, no date that some readers of
YYYY-MM-DD accept and others refuse, no lone carriage return, no byte order mark.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

from contracts.requirement import BuildSpec, Column, Threshold
from tasks.reading.said import decides_bad, decides_fields
from tasks.reading.situation import REFERENCE_DATE, separator

Row = list[str]
Table = tuple[bytes, str]
"""The bytes of the file, and the current date of the run."""

TODAYS = ("2024-02-29", "2023-12-31", "2025-01-31", "2024-12-01", "2000-03-01", "2026-11-30", "2027-02-28")
UNREADABLE = ("soon", "2026-02-30", "2026-13-01", "31/12/2026", "2023-02-29", "2026-00-10", "2026-04-31", "n/a")
NO_INTEGERS = ("x", "1.5", "12a", "-")
PAST, FUTURE = "1900-01-01", "2199-12-31"
IDENTIFIERS = ("C-001", "007", "A/7", "x", "Ünïcode-Ł", "合同42", "two words", "1e3", "None", "0")
TEXTS = ("plain", "a, b", 'say "hi"', "two\nlines", "naïve café", "0042", "-", 'comma,and "quote"', "x" * 500)


def tables(spec: BuildSpec, rng: Random) -> Iterator[Table]:
    """Tables for the columns of the contract: the telling ones first, then random ones."""
    maker = _Maker(spec, rng)
    yield from maker.boundaries()
    yield from maker.spoilt()
    yield from maker.written()
    yield from maker.random_tables(24)
    yield maker.table([maker.row(number) for number in range(1_500)])


def far_table(spec: BuildSpec, rng: Random) -> bytes:
    """Rows whose dates are far from any current date, so that a run without a date can be judged."""
    maker = _Maker(spec, rng)
    rows = [maker.row(number, **maker.dated(day)) for number, day in enumerate((PAST, FUTURE, PAST))]
    return maker.table(rows)[0]


class _Maker:
    def __init__(self, spec: BuildSpec, rng: Random) -> None:
        self.columns = spec.interface.columns
        self.thresholds = spec.interface.thresholds
        self.separator = separator(spec)
        self.rng = rng
        self.checked = [item for item in self.columns if item.kind == "integer" and decides_bad(spec, item)]
        self.counted = not self.checked or decides_fields(spec)
        """False where the text has a rule of its own for bad fields, and none for rows of another length.

        What is read line by line then has a row over two lines for such ones, and no clause decides (DEC-09).
        """

    def row(self, number: int, **given: str) -> Row:
        """A valid row; ``given`` fixes some of its fields by column."""
        return [given.get(column.name) or self._field(column, number) for column in self.columns]

    def dated(self, day: str) -> dict[str, str]:
        return {column.name: day for column in self.columns if column.kind == "date"}

    def table(self, rows: list[Row], today: str = REFERENCE_DATE, end: str = "\n", final: bool = True) -> Table:
        """Header and rows as RFC 4180 text."""
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self.separator, lineterminator=end).writerows(
            [[column.name for column in self.columns], *rows]
        )
        body = text.getvalue()
        return (body if final else body.removesuffix(end)).encode(), today

    def boundaries(self) -> Iterator[Table]:
        """Around every threshold: on, just below and just above it, each alone and all together, on telling days."""
        yield self.table([self.row(number) for number in range(5)])
        for threshold in self.thresholds:
            for today in (REFERENCE_DATE, *TODAYS):
                rows = [self.row(n, **given) for n, given in enumerate(self._around(threshold, today))]
                self.rng.shuffle(rows)
                yield self.table(rows, today)
            for given in self._around(threshold, REFERENCE_DATE):
                yield self.table([self.row(1, **given)])
        for column in self.columns:
            if column.kind == "date":
                rows = [self.row(n, **{column.name: day}) for n, day in enumerate((PAST, FUTURE, "2024-02-29"))]
                yield self.table(rows)

    def spoilt(self) -> Iterator[Table]:
        """Tables with rows that are not valid: alone, and among valid ones."""
        bad = list(self._bad_rows())
        for row in bad:
            yield self.table([self.row(1), row, self.row(2)])
        yield self.table(bad)
        yield self.table([row for number, each in enumerate(bad) for row in (each, self.row(number))])

    def written(self) -> Iterator[Table]:
        """The same kinds of rows, written down in every way that the dialect allows."""
        rows = [self.row(number) for number in range(3)]
        yield self.table([])
        yield self.table([], final=False)
        yield self.table([self.row(1)])
        yield self.table(rows, end="\r\n")
        yield self.table(rows, final=False)
        yield self.table([rows[0], rows[0], rows[1], rows[0]])
        yield self.table(sorted(rows, reverse=True))
        body, today = self.table(rows)
        yield body.replace(b"\n", b"\n\n", 2) + b"\n\n", today
        yield self._quoted(rows)
        for column in self.columns:
            if column.kind in ("text", "identifier"):
                known = TEXTS if column.kind == "text" else (*IDENTIFIERS, *TEXTS)
                values = [value for value in known if self.counted or "\n" not in value]
                yield self.table([self.row(n, **{column.name: value}) for n, value in enumerate(values)])

    def random_tables(self, count: int) -> Iterator[Table]:
        """Valid and invalid rows in any order."""
        bad = list(self._bad_rows())
        for _ in range(count):
            today = self.rng.choice((REFERENCE_DATE, *TODAYS))
            near = [given for item in self.thresholds for given in self._around(item, today)] or [{}]
            rows = [self.row(self.rng.randrange(1_000), **self.rng.choice(near)) for _ in range(self.rng.randint(1, 9))]
            rows += self.rng.choices(bad, k=self.rng.randint(0, 4))
            self.rng.shuffle(rows)
            yield self.table(rows, today, end=self.rng.choice(("\n", "\r\n")))

    def _quoted(self, rows: list[Row]) -> Table:
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=self.separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerows([[column.name for column in self.columns], *rows])
        return text.getvalue().encode(), REFERENCE_DATE

    def _around(self, threshold: Threshold, today: str) -> Iterator[dict[str, str]]:
        bound = threshold.bound
        for value in dict.fromkeys((bound - 1, bound, bound + 1, 0, 1, -1, -bound, bound * 4, bound + 1_000)):
            yield {threshold.column: _measured(threshold, value, today)}
        if threshold.measure == "days_ahead":
            yield {threshold.column: PAST}
            yield {threshold.column: FUTURE}

    def _bad_rows(self) -> Iterator[Row]:
        """Rows that the convention of the valid row rules out; a row of nothing but blank fields is left undecided."""
        for column in self.checked:
            yield from (self.row(16, **{column.name: text}) for text in NO_INTEGERS)
        if self.counted:
            yield from self._other_lengths()
        for column in self.columns:
            if len(self.columns) > 1 and (self.counted or column in self.checked):
                row = self.row(14)
                row[self.columns.index(column)] = ""
                yield row
            if column.kind == "date":
                yield from (self.row(15, **{column.name: text}) for text in UNREADABLE)

    def _other_lengths(self) -> Iterator[Row]:
        if len(self.columns) > 1:
            yield self.row(11)[:-1]
        yield [*self.row(12), "more"]
        yield [*self.row(13), "", "more"]

    def _field(self, column: Column, number: int) -> str:
        match column.kind:
            case "identifier":
                return f"C-{number:03}"
            case "integer":
                return str(self.rng.randint(-50, 500))
            case "date":
                return _shift(REFERENCE_DATE, self.rng.randint(-400, 800))
            case _:
                return f"{self.rng.choice(('alpha', 'beta', 'gamma'))} {number}"


def _measured(threshold: Threshold, value: int, today: str) -> str:
    return _shift(today, value) if threshold.measure == "days_ahead" else str(value)


def _shift(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
