"""Run a program, or call functions, and note which lines of the tree are reached.

Called as ``trace_lines.py OUTPUT TREE ENTRY ARGUMENTS...`` or ``trace_lines.py OUTPUT TREE --calls FILE``, whose JSON
is a list of calls, as call.py reads one.

The note only chooses which mutants are worth running; a program that hides its lines gets none chosen, and so no
certificate.
"""

import atexit
import importlib
import json
import runpy
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

CALL_S = 1.0

TraceFunction = Callable[[FrameType, str, Any], Any]


def main(output: str, tree: str, entry: str) -> None:
    """Run TREE/ENTRY as ``__main__``, or all calls, and write the lines reached, by file, to OUTPUT."""
    reached: dict[str, set[int]] = {}

    def follow(frame: FrameType, event: str, _argument: object) -> TraceFunction | None:
        lines = reached.get(frame.f_code.co_filename)
        if lines is None and frame.f_code.co_filename.startswith(tree + "/"):
            lines = reached.setdefault(frame.f_code.co_filename, set())
        if lines is None:
            return None
        if event in ("line", "call"):
            lines.add(frame.f_lineno)
        return follow

    def write() -> None:
        sys.settrace(None)
        found = {str(Path(name).relative_to(tree)): sorted(lines) for name, lines in reached.items()}
        Path(output).write_text(json.dumps(found))

    atexit.register(write)
    if entry == "--calls":
        call_all(tree, json.loads(Path(sys.argv[4]).read_text()), follow)
        return
    sys.argv = [f"{tree}/{entry}", *sys.argv[4:]]
    sys.path[:0] = [tree]
    sys.settrace(follow)
    runpy.run_path(sys.argv[0], run_name="__main__")


def call_all(tree: str, calls: list[dict[str, Any]], follow: TraceFunction) -> None:
    """Make the calls one after another, each for a bounded time; what they return or raise is of no interest here."""
    import forge_value  # type: ignore[import-not-found]  # a copy of contracts/value.py, made by the toolbox

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    for call in calls:
        signal.setitimer(signal.ITIMER_REAL, CALL_S)
        sys.settrace(follow)
        try:
            sys.path.insert(0, f"{tree}/{call['root']}".rstrip("/"))
            function: Any = importlib.import_module(call["module"])
            for name in call["function"].split("."):
                function = getattr(function, name)
            arguments = [forge_value.decode(item) for item in call["arguments"]]
            forge_value.encode(
                function(*arguments, **{name: forge_value.decode(item) for name, item in call["keywords"].items()})
            )
        except BaseException:  # noqa: BLE001, S112 - whatever it raises, the lines before it were reached
            continue
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            del sys.path[0]


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).absolute()), sys.argv[2], sys.argv[3])
