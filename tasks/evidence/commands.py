"""A run as lines for a shell, so that a person can repeat it beside the candidate (REC-17, ENC-07)."""

from __future__ import annotations

import base64
import os
import re
import shlex

from contracts.paths import path_bytes
from contracts.probe import Probe

LONGEST = 4_096
_CANDIDATE = "/candidate/"
_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]*")


def script(probe: Probe) -> str | None:
    """Lines for bash in an empty directory, with ``CANDIDATE`` set to the candidate's; None where there are none.

    Nothing of a text is run by the shell, whatever it says.
    """
    if probe.kind != "command" or not all(map(_VARIABLE.fullmatch, probe.environment)):
        return None
    lines = [_file(os.fsdecode(path_bytes(file.path)), file.content) for file in probe.files]
    settings = [f"{name}={shell(value)}" for name, value in sorted(probe.environment.items())]
    words = " ".join([*settings, *(_word(word) for word in probe.argv)])
    if probe.stdin is not None:
        words = f"{_bytes(probe.stdin)} | {words}"
    text = "\n".join([*lines, words])
    return text if len(text) <= LONGEST else None


def shell(text: str) -> str:
    """``text`` as one word of a shell, on one line and in printable characters (REC-17)."""
    if text.isprintable():
        return shlex.quote(text)
    return "$'" + "".join(_escaped(char) for char in text) + "'"


def _word(word: str) -> str:
    if not word.startswith(_CANDIDATE):
        return shell(word)
    return f'"$CANDIDATE"/{shell(word.removeprefix(_CANDIDATE))}'


def _file(path: str, content: bytes) -> str:
    folder, slash, _ = path.rpartition("/")
    made = f"mkdir -p -- {shell(folder)} && " if slash else ""
    return f"{made}{_bytes(content)} > {shell(path)}"


def _bytes(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:  # no argument can hold it
        return f"printf %s {base64.b64encode(data).decode('ascii')} | base64 -d"
    return f"printf %s {shell(text)}"


def _escaped(char: str) -> str:
    if char in "\\'":
        return f"\\{char}"
    if char == "\n":
        return "\\n"
    if char.isprintable():
        return char
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))
