"""Files as a chat writes them: the path on a line of its own, then the content in a fence."""

from __future__ import annotations

import re
from collections.abc import Mapping

_NESTING = (".md", ".markdown", ".mdx", ".rst", ".qmd", ".rmd")


def fenced(files: Mapping[str, str]) -> str:
    """``files`` by path, in the form that `tasks.repair.patch.apply_patch` reads as whole files."""
    return "\n".join(_fenced(path, content) for path, content in sorted(files.items()))


def _fenced(path: str, content: str) -> str:
    runs = [len(run) for run in re.findall(r"`+", content)]
    least = 4 if path.endswith(_NESTING) else 3
    marks = "`" * max(least, *(run + 1 for run in runs)) if runs else "`" * least
    end = "" if content.endswith("\n") or not content else "\n"
    return f"{path}\n{marks}\n{content}{end}{marks}\n"
