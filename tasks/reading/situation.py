"""One situation in which a program is run: values for its arguments, files, standard input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from contracts.probe import CommandProbe, InputFile
from contracts.requirement import Argument, BuildSpec
from tasks.reading.values import usual_integer

REFERENCE_DATE = "2026-06-15"
"""The current date of a run for which no other date matters."""

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
SUFFIX = {"csv": ".csv", "json": ".json", "text": ".txt", None: ".txt"}


@dataclass(frozen=True)
class Situation:
    """``arguments`` maps argument names to values, None where the argument is left out; ``extra`` follows them."""

    arguments: dict[str, str | None]
    files: dict[str, bytes] = field(default_factory=dict)
    stdin: bytes | None = None
    extra: tuple[str, ...] = ()

    def probe(self, spec: BuildSpec, name: str) -> CommandProbe:
        """The run of the program of ``spec`` in this situation; positional arguments come before options."""
        words: list[str] = []
        for argument in sorted(spec.interface.arguments, key=lambda item: item.name.startswith("-")):
            value = self.arguments.get(argument.name)
            if value is not None:
                named = [argument.name] if argument.name.startswith("-") else []
                words += named if argument.role == "flag" else [*named, value]
        return CommandProbe(
            id=name,
            argv=(*program(spec), *words, *self.extra),
            stdin=self.stdin,
            files=tuple(InputFile(path=path, content=content) for path, content in self.files.items()),
        )

    def content(self) -> bytes:
        """What the program is given to read."""
        return self.stdin if self.stdin is not None else next(iter(self.files.values()), b"")

    def without(self, *names: str) -> Situation:
        """The same with some arguments left out."""
        return replace(self, arguments=self.arguments | dict.fromkeys(names))


def convention(spec: BuildSpec, key: str, default: str) -> str:
    """The value of a convention of the contract, or ``default`` where it does not apply."""
    return next((item.value for item in spec.conventions if item.key == key), default)


def separator(spec: BuildSpec) -> str:
    """What parts the fields of a table."""
    return SEPARATORS[convention(spec, "csv.dialect", "comma")]


def program(spec: BuildSpec) -> tuple[str, ...]:
    """How the program of ``spec`` is started inside the sandbox."""
    return ("python3", f"/candidate/{spec.interface.entry}")


def input_file(spec: BuildSpec) -> Argument | None:
    """The first argument that names a file to read, if there is one."""
    return next((item for item in spec.interface.arguments if item.role == "input_file"), None)


def output_paths(spec: BuildSpec) -> tuple[tuple[str, str], ...]:
    """Path and format (``csv`` or ``text``) of every file that the program is told to write."""
    outputs = [item for item in spec.interface.arguments if item.role == "output_file"]
    return tuple((_path(spec, item), "csv" if item.format == "csv" else "text") for item in outputs)


def usual(
    spec: BuildSpec, content: bytes, today: str = REFERENCE_DATE, values: Mapping[str, str] | None = None
) -> Situation:
    """A complete call whose input, be it the first file or standard input, holds ``content``.

    ``values`` are those of arguments that are no files; the others have their usual ones.
    """
    arguments: dict[str, str | None] = {item.name: _value(spec, item, today) for item in spec.interface.arguments}
    first = input_file(spec)
    files = {_path(spec, item): b"" for item in spec.interface.arguments if item.role == "input_file"}
    if first is not None:
        files[_path(spec, first)] = content
    reads = spec.interface.reads_stdin and first is None
    return Situation(arguments=arguments | dict(values or {}), files=files, stdin=content if reads else None)


def calls(spec: BuildSpec, content: bytes, today: str = REFERENCE_DATE) -> tuple[Situation, ...]:
    """Every way to hand ``content`` to the program: as its file, on standard input, or as either."""
    whole, first = usual(spec, content, today), input_file(spec)
    if first is None or first.required or not spec.interface.reads_stdin:
        return (whole,)
    return whole, replace(whole.without(first.name), files={}, stdin=content)


def missing_input(spec: BuildSpec) -> Situation | None:
    """A complete call whose input file does not exist; None where the program reads no file."""
    first = input_file(spec)
    if first is None:
        return None
    situation = usual(spec, b"")
    files = {path: content for path, content in situation.files.items() if path != _path(spec, first)}
    return replace(situation, files=files)


def _value(spec: BuildSpec, argument: Argument, today: str) -> str | None:
    match argument.role:
        case "flag":
            return None
        case "input_file" | "output_file":
            return _path(spec, argument)
        case "date":
            return today
        case "integer":
            return usual_integer(spec, argument)
        case _:
            return "word"


def _path(spec: BuildSpec, argument: Argument) -> str:
    """The file that an argument names. One to be written bears the argument's name, as expectations call it."""
    if argument.role == "output_file":
        return argument.name.lstrip("-")
    number = [item for item in spec.interface.arguments if item.role == "input_file"].index(argument)
    return f"input{number + 1 if number else ''}{SUFFIX[argument.format]}"
