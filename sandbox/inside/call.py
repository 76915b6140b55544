"""Import a module of the candidate, call a function of it, and write what came of it to a pipe.

Descriptor 3 holds the request, descriptor 4 takes one frame: four bytes of length, big-endian, then JSON. Whoever runs
here may write what it likes there: it is read outside as a claim of what the function returned, no more (DEC-08).
"""

import importlib
import json
import os
import sys
from typing import Any

REQUEST, ANSWER = 3, 4
HERE = "/opt/forge"
TREE = "/candidate"
MOST_BASES = 50

sys.path.insert(0, HERE)
import forge_value  # type: ignore[import-not-found]  # noqa: E402 - a copy of contracts/value.py, made by the toolbox

sys.path.remove(HERE)


def main() -> None:
    """One call, one frame; then the interpreter ends as any program does."""
    os.set_inheritable(ANSWER, False)
    with os.fdopen(REQUEST, "rb") as file:
        request = json.load(file)
    with os.fdopen(ANSWER, "wb", buffering=0, closefd=False) as answer:
        body = json.dumps(_outcome(request), separators=(",", ":")).encode("utf-8")
        data = memoryview(len(body).to_bytes(4, "big") + body)
        while data:
            data = data[answer.write(data) :]
    os.close(ANSWER)


def _outcome(request: dict[str, Any]) -> dict[str, Any]:
    stage = "import"
    try:
        sys.path.insert(0, f"{TREE}/{request['root']}".rstrip("/"))
        function: Any = importlib.import_module(request["module"])
        for name in request["function"].split("."):
            function = getattr(function, name)
        stage = "call"
        arguments = [forge_value.decode(item) for item in request["arguments"]]
        keywords = {name: forge_value.decode(item) for name, item in request["keywords"].items()}
        answer = {"returned": forge_value.encode(function(*arguments, **keywords))}
        return answer | ({"arguments": forge_value.encode(arguments)} if request["watched"] else {})
    except forge_value.ValueEncodingError as error:
        return {"unreadable": str(error)[:500]}
    except BaseException as error:  # noqa: BLE001 - whatever it raises is the answer
        kinds = [_name(kind) for kind in type(error).__mro__[:MOST_BASES]]
        return {"raised": {"stage": stage, "type": kinds[0], "bases": kinds[1:], "message": _message(error)}}


def _name(kind: type) -> str:
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return _plain(name, 400)


def _message(error: BaseException) -> str:
    try:
        return _plain(str(error), 1_000)
    except BaseException:  # noqa: BLE001 - the candidate's own method
        return ""


def _plain(text: str, most: int) -> str:
    return text[:most].encode("utf-8", "replace").decode("utf-8")


if __name__ == "__main__":
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    main()
