"""What people leave unsaid: one table of keys, defaults and meanings; each settled before any code exists.

A value comes from the text, from ``--assume key=value``, or is the default. `docs/conventions.md` is made from here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from contracts.requirement import Convention
from tasks.errors import UsageError


class ConventionError(UsageError):
    """An assumption that cannot be made: unknown, not applicable here, or a bad value. One line, for a person."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One convention. ``default`` is shown in the table; the compiler derives some defaults from the text.

    ``accepts`` is a regular expression that a whole value matches, ``allowed`` says it in words.
    """

    key: str
    default: str
    meaning: str
    accepts: str
    allowed: str
    applies: str


_ROLE = r"[\w-]+=(?:date|integer|text|(?:in|out)put_file(?:/(?:csv|text|json))?)"
_ARGUMENT = rf"(?:{_ROLE}|\[{_ROLE}\])"
_FREE = r"[^\x00-\x1f]{1,200}"

RULES: tuple[Rule, ...] = (
    Rule(
        "artefact",
        "command",
        "What is to be made. A command and a pipeline are judged by what they do when they are started, a library by "
        "calls of the functions whose signatures the text gives, a service by HTTP exchanges that the text states.",
        r"command|library|service|pipeline",
        "command, library, service or pipeline",
        "always",
    ),
    Rule(
        "python.entry",
        "main.py",
        "The program is started as `python3 <entry> ARGUMENTS`.",
        r"(?!/)(?!.*\.\.)[\w./-]+\.py",
        "a relative path that ends in .py",
        "always",
    ),
    Rule(
        "package.command",
        "the title of the text, else forged-tool",
        "The name of the command that the package installs.",
        r"[a-z0-9][a-z0-9-]{0,39}",
        "lower-case letters, digits and hyphens",
        "always",
    ),
    Rule(
        "arguments",
        "INPUT OUTPUT, as far as the text reads and writes files",
        "The arguments in order: the file to read, then the file to write; options come after them.",
        r"(?:\S+(?: \S+)*)?",
        "the same names in another order",
        "always",
    ),
    Rule(
        "interface.arguments",
        "what the text says",
        "The arguments in order, with what each is; those in brackets may be left out.",
        rf"(?:{_ARGUMENT}(?: {_ARGUMENT})*)?",
        "NAME=ROLE with a role of input_file, output_file (each with /csv, /text or /json), date, integer or text",
        "always",
    ),
    Rule(
        "interface.stdin",
        "what the text says",
        "Whether the program reads standard input.",
        r"read|unused",
        "read or unused",
        "always",
    ),
    Rule(
        "interface.channels",
        "exit; files, stdout and stderr as far as the text speaks of them",
        "What is compared where no clause decides: exit status, files, standard output, standard error.",
        r"(?:exit|stdout|stderr|files)(?:,(?:exit|stdout|stderr|files)){0,3}",
        "exit, stdout, stderr and files, separated by commas",
        "always",
    ),
    Rule(
        "argv.program_name",
        "excluded",
        "The name of the program is none of its arguments, and is not counted among them.",
        r"excluded",
        "excluded",
        "the program takes arguments",
    ),
    Rule(
        "stdin.stream",
        "bytes",
        "Standard input is a stream of bytes that ends; it is empty where nothing is given.",
        r"bytes",
        "bytes",
        "the program reads standard input",
    ),
    Rule(
        "exit.success",
        "0",
        "The exit status of a run that did its work.",
        r"\d{1,2}|1\d\d|2[0-4]\d|25[0-5]",
        "a status from 0 to 255",
        "always",
    ),
    Rule(
        "print.newline",
        "optional",
        "Whether one newline follows a printed text: it may (optional), must (required) or must not (forbidden).",
        r"optional|required|forbidden",
        "optional, required or forbidden",
        "the program prints",
    ),
    Rule("text.encoding", "utf-8", "The encoding of all text that is read and written.", r"utf-8", "utf-8", "always"),
    Rule(
        "text.line_ends",
        "any",
        "Line ends: read as LF or CRLF and written as either (any), or written as the one that is named.",
        r"any|lf|crlf",
        "any, lf or crlf",
        "always",
    ),
    Rule(
        "stderr.messages",
        "free",
        "What stands on standard error is free where the text says nothing about it.",
        r"free",
        "free",
        "always",
    ),
    Rule(
        "stderr.newline",
        "optional",
        "Whether one newline follows a message on standard error whose text is given: as for print.newline.",
        r"optional|required|forbidden",
        "optional, required or forbidden",
        "the text speaks of standard error",
    ),
    Rule(
        "csv.dialect",
        "comma",
        "The separator of CSV files; the first row is the header, and fields are quoted as in RFC 4180.",
        r"comma|semicolon|tab",
        "comma, semicolon or tab",
        "the program reads or writes CSV",
    ),
    Rule(
        "csv.columns",
        "those that the text names, else name,value",
        "The columns of the input, in order.",
        r"[^,\s][^,\n]*(?:,[^,\s][^,\n]*)*",
        "names separated by commas",
        "the program reads CSV",
    ),
    Rule(
        "csv.kinds",
        "from the names, thresholds and dates of the text",
        "What the columns hold, in their order.",
        r"(?:identifier|text|integer|date)(?:,(?:identifier|text|integer|date))*",
        "identifier, text, integer or date for each column, separated by commas",
        "the program reads CSV",
    ),
    Rule(
        "csv.date_format",
        "YYYY-MM-DD",
        "How dates are written.",
        r"YYYY-MM-DD",
        "YYYY-MM-DD",
        "a column holds dates",
    ),
    Rule(
        "csv.valid_row",
        "as many fields as the header, none blank, every date readable",
        "Which rows are valid.",
        _FREE,
        "one line of text",
        "the program reads CSV",
    ),
    Rule(
        "csv.bad_row",
        "skip",
        "A row that is not valid is left out and does not change the exit status.",
        r"skip",
        "skip",
        "the program reads CSV",
    ),
    Rule(
        "csv.blank_line",
        "ignored",
        "A blank line is neither a valid nor an invalid row.",
        r"ignored",
        "ignored",
        "the program reads CSV",
    ),
    Rule(
        "clock.today",
        "--today",
        "The option that sets the current date (YYYY-MM-DD); without it the current date in UTC counts.",
        r"--[a-z][a-z-]*",
        "an option such as --today",
        "a rule depends on the current date",
    ),
    Rule(
        "threshold.past",
        "counts",
        "A date in the past is fewer days ahead than any bound of zero or more.",
        r"counts",
        "counts",
        "a rule counts days ahead",
    ),
    Rule(
        "summary.columns",
        "the input's columns with days_left,flagged where rows are flagged, else metric,value",
        "The columns of the summary. With `flagged`: one row for each valid row, in the order of the input, `flagged` "
        "is yes or no, `days_left` a signed integer. With `metric,value`: the rows valid_rows,N then invalid_rows,M.",
        r"[^,\s][^,\n]*(?:,[^,\s][^,\n]*)*",
        "names separated by commas",
        "the program writes a summary",
    ),
    Rule(
        "file.empty",
        "no byte other than white space",
        "Which input is empty.",
        r"no byte other than white space|no byte at all",
        "'no byte other than white space' or 'no byte at all'",
        "a rule speaks of empty input",
    ),
    Rule(
        "output.on_error",
        "unspecified",
        "What an output file holds after a run that failed, where the text says nothing about it.",
        r"unspecified",
        "unspecified",
        "the program writes a file",
    ),
)
BY_KEY: Mapping[str, Rule] = {rule.key: rule for rule in RULES}


class Settlement:
    """Settles conventions one by one; each asked for stands in the BuildSpec, in the order of the table."""

    def __init__(self, overrides: Mapping[str, str]) -> None:
        """Take over the user's assumptions.

        Raises:
            ConventionError: an unknown key, or a value that the key does not allow.
        """
        for key, value in overrides.items():
            if key not in BY_KEY:
                raise ConventionError(f"no such convention: {_line(key)}; known are {', '.join(BY_KEY)}")
            if re.fullmatch(BY_KEY[key].accepts, value) is None:
                raise ConventionError(f"{key}: {_line(value)} is not {BY_KEY[key].allowed}")
        self._overrides = overrides
        self._settled: dict[str, Convention] = {}

    def settle(self, key: str, *, text: str | None = None, default: str | None = None) -> str:
        """The value of ``key``: assumed by the user, else ``text`` if the text states it, else the default."""
        rule = BY_KEY[key]
        source: Literal["default", "text", "override"] = "default"
        value = rule.default if default is None else default
        if key in self._overrides:
            source, value = "override", self._overrides[key]
        elif text is not None:
            source, value = "text", text
        self._settled[key] = Convention(key=key, value=value, source=source, meaning=rule.meaning)
        return value

    def given(self, key: str) -> str | None:
        """The user's value of a convention that stands in the BuildSpec only where he settles it."""
        return self.settle(key) if key in self._overrides else None

    def result(self) -> tuple[Convention, ...]:
        """All that were settled.

        Raises:
            ConventionError: the user assumed something that has no place in this requirement.
        """
        unused = [key for key in self._overrides if key not in self._settled]
        if unused:
            applies = BY_KEY[unused[0]].applies
            raise ConventionError(f"{unused[0]} has no place in this requirement: it applies where {applies}")
        return tuple(self._settled[rule.key] for rule in RULES if rule.key in self._settled)


def table() -> str:
    """The table as a Markdown page."""
    lines = [
        "# Conventions",
        "",
        "What a requirement leaves unsaid is settled before any code exists: by the text, by `--assume key=value` or a",
        "contract file, or by the default below. Only those that apply stand in a BuildSpec, and `forge compile` shows",
        "them.",
        "",
        "`--contract FILE` reads JSON or YAML (no anchors, tags or floats; schema `contracts/schemas/Overrides.json`):",
        "the keys below under `assume`, and the interface where the text is short of it:",
        "",
        "    assume:",
        "      print.newline: required",
        "    interface:",
        "      arguments:",
        "        - {name: INPUT, role: input_file, format: csv}",
        "        - {name: N, role: integer, required: false}",
        "      columns:",
        "        - {name: id, kind: identifier}",
        "        - {name: due, kind: date}",
        "      reads_stdin: false",
        "      bound: [exit, stdout]",
        "",
        "This page is made by `python -m tasks.requirement.conventions > docs/conventions.md`.",
        "",
        "| Key | Default | Meaning | Allowed | Applies where |",
        "| --- | --- | --- | --- | --- |",
    ]
    rows = [f"| `{r.key}` | {r.default} | {r.meaning} | {r.allowed} | {r.applies} |" for r in RULES]
    return "\n".join(lines + rows) + "\n"


def _line(text: str) -> str:
    return repr(text[:80])


if __name__ == "__main__":
    import sys

    sys.stdout.write(table())
