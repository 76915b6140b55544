"""How the input of an example reaches the program, and where its output is looked for."""

from __future__ import annotations

from contracts.probe import Expectation, FileExpectation, InputFile, TextExpectation
from contracts.requirement import Argument, CommandInterface, Example
from tasks.requirement.consequences import OUTPUT_FILE
from tasks.requirement.examples import Pair

_FILE_NAMES = {"csv": "example.csv", "json": "example.json"}


def deliver(pair: Pair, atom: str, interface: CommandInterface) -> Example | None:
    """The executable form of an example; None where no command line fits it (a call of a function, say)."""
    if pair.call:
        return None
    argv, stdin, files = _input(pair.given, interface)
    if argv is None or (pair.words and argv != pair.words):
        return None
    return Example(
        id="ex-" + atom.rsplit("-", 1)[1],
        atom=atom,
        span=pair.span,
        argv=argv,
        stdin=stdin,
        files=files,
        expectations=(_output(pair.wanted, interface), *pair.also),
    )


def _input(given: str, interface: CommandInterface) -> tuple[tuple[str, ...] | None, str | None, tuple[InputFile, ...]]:
    needed = [item for item in interface.arguments if item.required]
    values = [item for item in needed if item.role in {"integer", "text"}]
    inputs = [item for item in needed if item.role == "input_file"]
    if any(item.role == "date" for item in needed) or len(inputs) > 1:
        return None, None, ()
    if inputs and not values:
        path = _FILE_NAMES.get(inputs[0].format or "", "example.txt")
        content = InputFile(path=path, content=given.encode("utf-8"))
        return tuple(_path(item, path) for item in needed), None, (content,)
    if not inputs and not values and interface.reads_stdin:
        return tuple(item.name for item in needed), given, ()
    words = (given,) if len(values) == 1 else tuple(given.split())
    return (words, None, ()) if values and values == needed and len(words) == len(values) else (None, None, ())


def _path(argument: Argument, path: str) -> str:
    return path if argument.role == "input_file" else argument.name


def _output(wanted: str, interface: CommandInterface) -> Expectation:
    """On standard output, unless the program only writes a file."""
    if "stdout" in interface.bound or "files" not in interface.bound:
        text = wanted.removesuffix("\n")
        return TextExpectation(channel="stdout", relation="equals" if wanted else "empty", text=text)
    return FileExpectation(path=OUTPUT_FILE, relation="text", content=wanted.encode("utf-8"))
