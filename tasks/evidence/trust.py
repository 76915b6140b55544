"""The trust policy: read, judged at a moment, changed by the user's own commands, never rolled back (EVI-08)."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from contracts.loading import DocumentError, load_document
from contracts.trust import TrustedKey, TrustPolicy, Use
from tasks.errors import UsageError
from tasks.evidence.files import read_regular
from tasks.evidence.signing import KeyFileError, PublicKey, configuration, own_key
from tasks.evidence.state import state_directory

OWN = "own"
_FILE = "trust.json"
_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Trust:
    """What a policy says at one moment: keys by their bytes, and why the others that it names are not among them."""

    records: frozenset[PublicKey]
    logs: frozenset[PublicKey]
    threshold: int = 1
    refused: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, *keys: PublicKey) -> Trust:
        """Trust in keys for every use."""
        return cls(frozenset(keys), frozenset(keys))

    def reason(self, key_id: str) -> str:
        """Why a key is not trusted."""
        return self.refused.get(key_id, "no policy names it")


NOBODY = Trust.of()


def own_trust(environment: Mapping[str, str] = os.environ, now: datetime | None = None) -> Trust:
    """The keys of the user's policy, and his own where there is one and the policy does not revoke it; makes nothing.

    Raises:
        UsageError: a key or the policy that is there cannot be used, or is older than one seen before.
    """
    policy = own_policy(environment)
    keys = _with_own(policy, environment)
    return at(policy.model_copy(update={"keys": keys}), now or datetime.now(UTC))


def read_trust(path: Path, environment: Mapping[str, str] = os.environ, now: datetime | None = None) -> Trust:
    """The policy in a file: its keys and no others, not even the user's own.

    Raises:
        UsageError: it cannot be read, or is older than one of its name that was seen before.
    """
    return at(read_policy(path, environment), now or datetime.now(UTC))


def read_policy(path: Path, environment: Mapping[str, str] = os.environ) -> TrustPolicy:
    """The policy in a file. Raises UsageError, also where it is older than one of its name that was seen before."""
    policy = _read(path)
    _check_newest(policy, environment)
    return policy


def at(policy: TrustPolicy, now: datetime) -> Trust:
    """What a policy says at ``now``. One key under two names is one key, and refused if either entry is.

    Raises:
        KeyFileError: a key is none, or of small order; or an expiry is no time.
    """
    uses: dict[PublicKey, set[Use]] = {}
    refused: dict[PublicKey, str] = {}
    for item in policy.keys:
        key = PublicKey(item.key)
        uses.setdefault(key, set()).update(item.uses)
        why = _refusal(item, now)
        if why is not None:
            refused[key] = why
    good = {key: allowed for key, allowed in uses.items() if key not in refused}
    others = {key: "it may not sign records" for key, allowed in good.items() if "record" not in allowed}
    return Trust(
        records=frozenset(key for key, allowed in good.items() if "record" in allowed),
        logs=frozenset(key for key, allowed in good.items() if "log" in allowed),
        threshold=policy.threshold,
        refused={key.id: why for key, why in (refused | others).items()},
    )


def own_policy(environment: Mapping[str, str] = os.environ) -> TrustPolicy:
    """The user's policy; an empty one where there is none yet. Raises UsageError."""
    path = configuration(environment) / _FILE
    if os.path.lexists(path):
        return read_policy(path, environment)
    empty = TrustPolicy(name=OWN, number=0)
    _check_newest(empty, environment)
    return empty


def trust(entry: TrustedKey, environment: Mapping[str, str] = os.environ) -> TrustPolicy:
    """Add a key to the user's policy.

    Raises:
        KeyFileError: the name is taken, or the key is of small order, or the expiry is no time.
    """
    policy = own_policy(environment)
    at(policy.model_copy(update={"keys": (entry,)}), datetime.now(UTC))
    if entry.name.startswith(OWN) or any(item.name == entry.name for item in policy.keys):
        raise KeyFileError(f"there is a key of that name already: {entry.name}")
    return _change(policy, (*policy.keys, entry), environment)


def revoke(which: str, environment: Mapping[str, str] = os.environ) -> TrustPolicy:
    """Revoke, for good, a key of the user's policy or his own, by its name or id.

    Raises:
        KeyFileError: there is no such key.
    """
    policy = own_policy(environment)
    keys = _with_own(policy, environment)
    found = [item for item in keys if which in (item.name, PublicKey(item.key).id)]
    if not found:
        raise KeyFileError(f"no key of that name or id is trusted: {which[:100]!r}")
    kept = (item for item in keys if item in policy.keys or item in found)
    return _change(
        policy,
        tuple(item.model_copy(update={"revoked": True}) if item in found else item for item in kept),
        environment,
    )


def _with_own(policy: TrustPolicy, environment: Mapping[str, str]) -> tuple[TrustedKey, ...]:
    own = own_key(environment)
    if own is None or any(item.key == own.raw for item in policy.keys):
        return policy.keys
    return (*policy.keys, TrustedKey(name=f"{OWN}-{own.id[7:19]}", key=own.raw))


def _refusal(entry: TrustedKey, now: datetime) -> str | None:
    if entry.revoked:
        return f"{entry.name} was revoked"
    if entry.expires is not None and now >= _moment(entry.expires):
        return f"{entry.name} expired at {entry.expires}"
    return None


def _moment(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise KeyFileError(f"not a time: {text}") from None


def _read(path: Path) -> TrustPolicy:
    try:
        policy = load_document(TrustPolicy, read_regular(path, _BYTES), _BYTES)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    except DocumentError as error:
        raise UsageError(f"{path}: not a trust policy: {error}") from error
    names = [item.name for item in policy.keys]
    if len(set(names)) != len(names):
        raise UsageError(f"{path}: a name is repeated")
    at(policy, datetime.now(UTC))  # raises where a key or a time is none
    return policy


def _change(policy: TrustPolicy, keys: tuple[TrustedKey, ...], environment: Mapping[str, str]) -> TrustPolicy:
    changed = policy.model_copy(update={"number": policy.number + 1, "keys": keys})
    _replace(configuration(environment) / _FILE, changed.canonical())
    _check_newest(changed, environment)
    return changed


def _check_newest(policy: TrustPolicy, environment: Mapping[str, str]) -> None:
    """Refuse what is older than what was seen, and remember what is newer; the memory is the user's own state."""
    path = state_directory(environment) / "policies" / policy.name
    seen = 0
    with suppress(FileNotFoundError, ValueError):
        seen = int(read_regular(path, 100))
    if policy.number < seen:
        raise UsageError(f"the trust policy {policy.name} is number {policy.number}, and number {seen} was seen before")
    if policy.number > seen:
        _replace(path, str(policy.number).encode())


def _replace(path: Path, data: bytes) -> None:
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh.write_bytes(data)
        fresh.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
