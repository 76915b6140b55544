"""YAML, as far as it is another way to write JSON: no anchors, aliases, tags or second documents.

A plain scalar is null, true, false or a decimal integer if it is written so, and else text: ``no`` and ``1.50`` are
text (YAML 1.1 would make them false and 1.5). The bounds are those of `contracts.loading.load_json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from contracts.canonical import MAX_DEPTH, CanonicalError, Json, canonical_bytes
from contracts.loading import SPEC_BYTES, DocumentError

_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,15})")
_PLAIN: dict[str, Json] = {"": None, "~": None, "null": None, "true": True, "false": False}


def load_yaml(data: bytes, max_bytes: int = SPEC_BYTES) -> Json:
    """Decode one YAML document (SPEC-10 to 12).

    Raises:
        DocumentError: too large, not UTF-8, no YAML, a repeated key, more than JSON can say, or too deep.
    """
    import yaml

    if len(data) > max_bytes:
        raise DocumentError(f"larger than {max_bytes} bytes")
    try:
        text = data.decode("utf-8")
        value = _Builder().build(yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
        canonical_bytes(value)
    except UnicodeDecodeError as error:
        raise DocumentError(f"not UTF-8 at byte {error.start}") from error
    except yaml.MarkedYAMLError as error:
        line = f" at line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise DocumentError(f"not YAML: {' '.join((error.problem or 'unreadable').split())}{line}") from error
    except (yaml.YAMLError, CanonicalError) as error:
        raise DocumentError(" ".join(str(error).split())[:300]) from error
    return value


class _Builder:
    """From events to a value, by a stack of our own: no depth exhausts the interpreter's."""

    def __init__(self) -> None:
        self._open: list[Any] = [[]]
        self._keys: list[str | None] = [None]
        self._documents = 0

    def build(self, events: Iterable[Any]) -> Json:
        for event in events:
            self._take(type(event).__name__, event)
        if not self._documents:
            raise DocumentError("an empty document")
        root: Json = self._open[0][0]
        return root

    def _take(self, kind: str, event: Any) -> None:
        if kind == "AliasEvent" or getattr(event, "anchor", None) is not None:
            raise _refused("an anchor or alias", event)
        if getattr(event, "tag", None) is not None:
            raise _refused("a tag", event)
        if kind == "DocumentStartEvent":
            self._documents += 1
            if self._documents > 1 or event.tags:
                raise _refused("a second document, or a tag directive", event)
        elif kind == "ScalarEvent":
            self._add(event.value if event.style else _plain(event.value), event)
        elif kind == "SequenceStartEvent":
            self._enter([], event)
        elif kind == "MappingStartEvent":
            self._enter({}, event)
        elif kind in ("SequenceEndEvent", "MappingEndEvent"):
            self._open.pop()
            self._keys.pop()

    def _enter(self, container: Any, event: Any) -> None:
        self._add(container, event)
        self._open.append(container)
        self._keys.append(None)
        if len(self._open) > MAX_DEPTH:
            raise DocumentError(f"nested deeper than {MAX_DEPTH} levels")

    def _add(self, value: Any, event: Any) -> None:
        into, key = self._open[-1], self._keys[-1]
        if isinstance(into, list):
            into.append(value)
        elif key is not None:
            into[key] = value
            self._keys[-1] = None
        else:
            self._keys[-1] = _key(value, into, event)


def _key(value: Any, mapping: dict[str, Any], event: Any) -> str:
    if not isinstance(value, str):
        raise _refused("a key that is no text", event)
    if value in mapping:
        raise _refused(f"the repeated key {value[:100]!r}", event)
    return value


def _plain(text: str) -> Json:
    if text in _PLAIN:
        return _PLAIN[text]
    return int(text) if _INTEGER.fullmatch(text) else text


def _refused(what: str, event: Any) -> DocumentError:
    return DocumentError(f"{what} at line {event.start_mark.line + 1}")
