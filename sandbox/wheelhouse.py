"""Extra Python packages for a candidate: a directory of wheels with a lock, unpacked here once and mounted read-only.

The lock is a file ``SHA256SUMS`` beside the wheels, as ``sha256sum *.whl`` writes it; the policy holds its digest.
Nothing is installed where the candidate runs, and nothing of a wheel is run here.
"""

from __future__ import annotations

import compileall
import hashlib
import py_compile
import zipfile
from pathlib import Path, PurePosixPath

from contracts.canonical import digest
from sandbox import cache
from sandbox.base import SandboxUnavailable

LOCK = "SHA256SUMS"

_PURE = "-none-any.whl"
_LIBRARIES = ("purelib", "platlib")
_MOST_BYTES = 512 * 1024 * 1024
_FIELDS = 2


class WheelhouseError(ValueError):
    """The directory is no wheelhouse, or a wheel is not what the lock says; one line for a person."""


def unpack(house: Path) -> str:
    """Check every wheel against the lock, and unpack all of them into the cache, once; the digest of the lock.

    Raises:
        WheelhouseError: a wheel is missing, not in the lock, another than the locked one, not pure, or too large.
    """
    locked = _locked(house)
    there = {path.name for path in house.glob("*.whl")}
    for name in sorted(there ^ set(locked)):
        raise WheelhouseError(f"{name} is {'not in' if name in there else 'only in'} {house / LOCK}")
    for name, wanted in locked.items():
        if not name.endswith(_PURE):
            raise WheelhouseError(f"{name} is not a wheel for any platform (*{_PURE})")
        with (house / name).open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != wanted:
                raise WheelhouseError(f"{name} is not the wheel that {house / LOCK} names")
    lines = "".join(f"{wanted}  {name}\n" for name, wanted in sorted(locked.items()))
    sealed = digest(lines.encode())
    cache.made_once(_name(sealed), lambda draft: _fill(draft, [house / name for name in sorted(locked)]))
    return sealed


def directory(sealed: str) -> Path:
    """Where the packages of a lock lie.

    Raises:
        SandboxUnavailable: they have not been unpacked here.
    """
    path = cache.directory() / _name(sealed)
    if not path.is_dir():
        raise SandboxUnavailable(f"the wheels locked by {sealed} are not here: name their directory with --wheels")
    return path


def _locked(house: Path) -> dict[str, str]:
    try:
        lines = (house / LOCK).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise WheelhouseError(f"{house / LOCK} cannot be read: it is made by sha256sum *.whl > {LOCK}") from error
    locked = {}
    for line in lines:
        fields = line.split(maxsplit=1)
        name = fields[-1].removeprefix("*") if fields else ""
        if len(fields) != _FIELDS or not _is_digest(fields[0]) or PurePosixPath(name).name != name or name in locked:
            raise WheelhouseError(f"{house / LOCK} has a line that is no digest and one wheel's name")
        locked[name] = fields[0]
    return locked


def _is_digest(text: str) -> bool:
    return len(text) == hashlib.sha256().digest_size * 2 and set(text) <= set("0123456789abcdef")


def _fill(target: Path, wheels: list[Path]) -> None:
    left = _MOST_BYTES
    for path in wheels:
        try:
            with zipfile.ZipFile(path) as wheel:
                left -= sum(member.file_size for member in wheel.infolist())
                if left < 0:
                    raise WheelhouseError(f"the wheels unpack to more than {_MOST_BYTES} bytes")
                for member in wheel.infolist():
                    _extract(wheel, member, target)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
            raise WheelhouseError(f"{path.name} cannot be unpacked: {error}") from error
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(target, quiet=2, invalidation_mode=mode, stripdir=str(target))
    for path in target.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _extract(wheel: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> None:
    """One file; of a ``.data`` directory (PEP 427) only the libraries, which lie beside all else when installed."""
    parts = PurePosixPath(member.filename).parts
    if member.is_dir():
        return
    if parts[0].endswith(".data"):
        if len(parts) <= _FIELDS or parts[1] not in _LIBRARIES:
            return
        parts = parts[2:]
    if ".." in parts or parts[0] == "/" or not parts[0]:
        raise WheelhouseError(f"{Path(wheel.filename or '').name} reaches outside of itself: {member.filename}")
    path = target.joinpath(*parts)
    if path.exists():
        raise WheelhouseError(f"two wheels bring {path.relative_to(target)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(wheel.read(member))


def _name(sealed: str) -> str:
    return f"wheels-{sealed.removeprefix('sha256:')}"
