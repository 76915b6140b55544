"""A task's file, read once and bounded (SPEC-10 to 12, SPEC-16)."""

from __future__ import annotations

import os
from pathlib import Path

from contracts.canonical import Json
from contracts.gate import Task
from contracts.loading import SPEC_BYTES, DocumentError, load_json, parse_document
from contracts.paths import path_bytes
from contracts.taskspec import TaskSpec
from contracts.yaml_text import load_yaml
from tasks.evidence.files import read_regular


def read_task(path: Path) -> tuple[Task, Path | None]:
    """The task in a file, and the directory of its overlay.

    Raises:
        DocumentError: no such document (CLI-12), or the overlay that it names is no directory beside it.
        OSError: it is no file, or no regular one.
    """
    try:
        data = read_regular(path, SPEC_BYTES)
        spec = parse_task(data)
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from error
    task = Task(text=data.decode("utf-8"), spec=spec)
    if spec.overlay is None:
        return task, None
    overlay = path.parent / os.fsdecode(path_bytes(spec.overlay))
    if not overlay.is_dir():
        raise DocumentError(f"{path}: there is no directory {spec.overlay} beside it")
    return task, overlay


def parse_task(data: bytes) -> TaskSpec:
    """As `read_task`, for the bytes of a file. What begins with a brace is JSON, all else YAML."""
    value: Json = load_json(data) if data.lstrip().startswith(b"{") else load_yaml(data)
    return parse_document(TaskSpec, value)
