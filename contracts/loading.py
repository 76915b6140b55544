"""The one bounded loader of documents that come from outside.

Bytes in, checked JSON out: size, UTF-8, duplicate keys, numbers, depth, surrogates; then the published JSON Schema,
then the model. A tool in another language that follows the schema judges a document the same way.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from contracts.canonical import CanonicalError, Json, canonical_bytes
from contracts.model import Model

if TYPE_CHECKING:
    from pydantic import ValidationError

SPEC_BYTES = 4 * 1024 * 1024
RECORD_BYTES = 64 * 1024 * 1024

M = TypeVar("M", bound=Model)


class DocumentError(ValueError):
    """A document cannot be read: one line, fit for a person (CLI-05, CLI-12)."""


def load_json(data: bytes, max_bytes: int = SPEC_BYTES) -> Json:
    """Decode one JSON document in the canonical profile (EVI-02, SPEC-10 to 12, BND-06).

    Raises:
        DocumentError: too large, not UTF-8, not JSON, a repeated key, a float, or outside the canonical profile.
    """
    if len(data) > max_bytes:
        raise DocumentError(f"larger than {max_bytes} bytes")
    try:
        text = data.decode("utf-8")
        value: Json = json.loads(text, object_pairs_hook=_unique, parse_float=_no_float, parse_constant=_no_float)
        canonical_bytes(value)
    except UnicodeDecodeError as error:
        raise DocumentError(f"not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise DocumentError(f"not JSON: {error.msg} at line {error.lineno}") from error
    except RecursionError as error:
        raise DocumentError("nested too deeply") from error
    except CanonicalError as error:
        raise DocumentError(str(error)) from error
    except DocumentError:
        raise
    except ValueError as error:  # more digits than the interpreter reads
        raise DocumentError("integer of 2^53 or more") from error
    return value


def load_document(model: type[M], data: bytes, max_bytes: int = SPEC_BYTES) -> M:
    """Load bytes as ``model``: bounded JSON, then the published schema, then pydantic.

    Raises:
        DocumentError: the bytes do not hold such a document; the message names the first place that differs.
    """
    return parse_document(model, load_json(data, max_bytes))


def load_canonical(model: type[M], data: bytes, max_bytes: int = SPEC_BYTES) -> M:
    """Load what Forge wrote: bytes that are the canonical form of a ``model``, and no others.

    Such bytes meet the published schema, since the model writes them back; a validator of schemas is not needed.

    Raises:
        DocumentError: they are too many, or not that form.
    """
    from pydantic import ValidationError

    if len(data) > max_bytes:
        raise DocumentError(f"larger than {max_bytes} bytes")
    try:
        document = model.model_validate_json(data)
        canonical = document.canonical()
    except ValidationError as invalid:
        raise DocumentError(_first(invalid)) from invalid
    except ValueError as error:
        raise DocumentError(str(error)) from error
    if canonical != data:
        raise DocumentError(f"not the canonical form of a {model.__name__}")
    return document


def parse_document(model: type[M], value: Json) -> M:
    """As `load_document`, for JSON that is loaded already."""
    import jsonschema
    from pydantic import ValidationError

    validator = jsonschema.Draft202012Validator(model.model_json_schema())
    error = jsonschema.exceptions.best_match(validator.iter_errors(value))
    if error is not None and error.validator not in ("anyOf", "oneOf"):
        raise DocumentError(f"{error.json_path}: {error.message[:300]}")
    try:
        found = model.model_validate(value)
    except ValidationError as invalid:  # of several forms it says which was meant
        raise DocumentError(_first(invalid)) from invalid
    if error is not None:
        raise DocumentError(f"{error.json_path}: {error.message[:300]}")
    return found


def _first(invalid: ValidationError) -> str:
    first = invalid.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place or '$'}: {first['msg'].removeprefix('Value error, ')}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise DocumentError("a key is repeated in one object")
    return result


def _no_float(text: str) -> NoReturn:
    raise DocumentError(f"not an integer: {text[:40]}")
