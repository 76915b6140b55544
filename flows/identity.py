"""Which Forge this is, down to the bytes: what a blind run seals of the one that was measured (law 6)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

import contracts
from contracts.bundle import ForgeIdentity
from contracts.canonical import digest, digest_of
from sandbox import workspace

ROOMS = ("contracts", "sandbox", "tasks", "benchmarks/blind", "flows", "deployments")


def identity(providers: tuple[str, ...]) -> ForgeIdentity:
    """The digest of Forge's code, and that of every distribution installed beside it."""
    code = sorted([path, digest(data)] for path, data in _sources())
    found = sorted({f"{item.name}=={item.version}" for item in distributions()})
    return ForgeIdentity(code=digest_of(code), lock=digest_of(found), providers=providers)


def knows(seal: str) -> bool:
    """True iff the digest of a bundle occurs in Forge's own tree: this Forge was written with it in sight (DEC-22)."""
    wanted = seal.removeprefix("sha256:").encode("ascii")
    root = _root()
    more = (path for folder in ("docs", "examples", "tests", "benchmarks") for path in (root / folder).rglob("*"))
    return any(wanted in data for _, data in _sources()) or any(wanted in _read(path) for path in more)


def _root() -> Path:
    return Path(contracts.__file__).parents[1]


def _sources() -> Iterator[tuple[str, bytes]]:
    for room in ROOMS:
        files, _ = workspace.scan(_root() / room)
        yield from ((f"{room}/{file.entry.path}", file.data) for file in files)


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else b""
