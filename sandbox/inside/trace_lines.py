"""Run a program and note which of its lines it reaches.

Called as ``trace_lines.py OUTPUT TREE ENTRY ARGUMENTS...``.

The note only chooses which mutants are worth running; a program that hides its lines gets none chosen, and so no
certificate.
"""

import atexit
import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

TraceFunction = Callable[[FrameType, str, Any], Any]


def main(output: str, tree: str, entry: str) -> None:
    """Run TREE/ENTRY as ``__main__`` and write the lines reached, by file, to OUTPUT."""
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
    sys.argv = [f"{tree}/{entry}", *sys.argv[4:]]
    sys.path[:0] = [tree]
    sys.settrace(follow)
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).absolute()), sys.argv[2], sys.argv[3])
