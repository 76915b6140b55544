"""Ways to falsify a record, by the description of the format alone: byte, entry, field, chain, signature."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from contracts.canonical import CanonicalError, canonical_bytes, digest
from tasks.evidence import dsse
from tasks.evidence.signing import SigningKey

Document = dict[str, Any]
GENESIS = digest(b"forge-record/1 genesis")
INLINE = 4_096
OTHERS: tuple[Any, ...] = (None, True, False, 0, -1, 2**60, 1.5, "", "x" * 5_000, "\ud800", [], {}, [[]], "sha256:0")


def flipped(data: bytes, source: Random) -> bytes:
    """One bit changed."""
    place = source.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << source.randrange(8))]) + data[place + 1 :]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in ``value`` with each of its keys."""
    pending = [value]
    while pending:
        item = pending.pop()
        keys = item if isinstance(item, dict) else range(len(item)) if isinstance(item, list) else ()
        for key in keys:
            yield item, key
            pending.append(item[key])


def dropped(value: Any, source: Random) -> None:
    """One field or element less."""
    holder, key = source.choice(list(places(value)))
    del holder[key]


def repeated(value: Any, source: Random) -> None:
    """One element of a list twice, or a field under another name as well."""
    holder, key = source.choice(list(places(value)))
    if isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    else:
        holder[f"{key}_"] = copy.deepcopy(holder[key])


def reordered(value: Any, source: Random) -> None:
    """Two neighbours of a list exchanged that differ; else a field dropped."""
    lists = [item for holder, key in places(value) if isinstance(item := holder[key], list)]
    pairs = [(item, at) for item in lists for at in range(len(item) - 1) if item[at] != item[at + 1]]
    if not pairs:
        return dropped(value, source)
    item, at = source.choice(pairs)
    item[at], item[at + 1] = item[at + 1], item[at]
    return None


def inflated(value: Any, source: Random) -> None:
    """A number or a text much larger."""
    holder, key = source.choice(list(places(value)))
    old = holder[key]
    holder[key] = old + 10**9 if type(old) is int else old * 3 + "x" if isinstance(old, str) else [old] * 50


def retyped(value: Any, source: Random) -> None:
    """A field of another type or value."""
    holder, key = source.choice(list(places(value)))
    holder[key] = source.choice(
        [other for other in OTHERS if type(other) is not type(holder[key]) or other != holder[key]]
    )


CHANGES: tuple[Callable[[Any, Random], None], ...] = (dropped, repeated, reordered, inflated, retyped)


def spelled(document: Any) -> bytes:
    """As JSON, also where it has no canonical form."""
    try:
        return canonical_bytes(document)
    except CanonicalError:
        return json.dumps(document, sort_keys=True, separators=(",", ":")).encode("utf-8", "replace")


def resealed(
    document: Document, blobs: dict[str, bytes], key: SigningKey, source: Random
) -> tuple[Document, dict[str, bytes]]:
    """A change inside an entry, every hash made to fit, and signed anew by ``key``: an adversary's best."""
    document = copy.deepcopy(document)
    entries, added = document["entries"], dict[str, bytes]()
    target = source.randrange(len(entries))
    entry = entries[target]
    body = entry["body"] if entry["body"] is not None else json.loads(blobs[entry["content"]])
    source.choice(CHANGES)(body, source)
    data = spelled(body)
    entry |= {"content": digest(data), "length": len(data), "body": body if len(data) <= INLINE else None}
    if len(data) > INLINE:
        added[digest(data)] = data
    previous = GENESIS
    for entry in entries:
        entry["previous"] = previous
        linked = {name: entry[name] for name in ("content", "index", "kind", "length", "previous")}
        previous = entry["digest"] = digest(spelled(linked))
    document["head"] = previous
    statement = json.loads(base64.b64decode(document["bundle"]["dsseEnvelope"]["payload"]))
    statement["predicate"]["record"]["head"] = previous
    statement["predicate"]["signer"]["publicKey"] = base64.b64encode(key.public.raw).decode()
    document["bundle"] = dsse.sign(canonical_bytes(statement), key)
    return document, added
