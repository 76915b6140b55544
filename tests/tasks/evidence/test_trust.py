"""EVI-08, DEC-11: who may sign what, judged now; revoked, expired, too few and rolled back are refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from contracts.log import Inclusion
from contracts.trust import TrustedKey, TrustPolicy
from tasks.errors import UsageError
from tasks.evidence.cosigning import FOLDER, cosign_record
from tasks.evidence.export import export
from tasks.evidence.log.runs import log_run
from tasks.evidence.signing import KeyFileError, PublicKey, SigningKey, load_key
from tasks.evidence.trust import Trust, at, own_policy, own_trust, read_trust, revoke, trust
from tasks.evidence.verify import LOG_FILE, NotIntact, UntrustedSigner, verify_record

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_STATE_HOME": str(tmp_path / "state")}


def stranger() -> PublicKey:
    return PublicKey(Ed25519PrivateKey.generate().public_key().public_bytes_raw())


def policy(*keys: TrustedKey, **fields: Any) -> TrustPolicy:
    return TrustPolicy(**{"name": "team", "number": 1, "keys": keys, **fields})


def test_dec_11_trusted_are_the_own_key_and_those_by_name(environment: dict[str, str], tmp_path: Path) -> None:
    assert own_trust(environment) == Trust.of()
    assert not (tmp_path / "config").exists(), "asking makes nothing"
    own, other = load_key(environment).public, stranger()
    trust(TrustedKey(name="colleague", key=other.raw), environment)
    assert own_trust(environment).records == own_trust(environment).logs == {own, other}
    with pytest.raises(KeyFileError, match="already"):
        trust(TrustedKey(name="colleague", key=stranger().raw), environment)


def test_evi_pitfall_03_a_revoked_key_is_trusted_no_longer(environment: dict[str, str]) -> None:
    own, other = load_key(environment).public, stranger()
    trust(TrustedKey(name="colleague", key=other.raw), environment)
    revoke("colleague", environment)
    assert own_trust(environment).records == {own}
    assert own_trust(environment).reason(other.id) == "colleague was revoked"
    revoke(own.id, environment)
    assert own_trust(environment) == Trust(frozenset(), frozenset(), 1, own_trust(environment).refused)
    with pytest.raises(KeyFileError, match="no key of that name"):
        revoke("nobody", environment)


def test_evi_pitfall_03_a_revoked_key_under_a_second_name_stays_revoked() -> None:
    key = stranger()
    entries = (TrustedKey(name="one", key=key.raw, revoked=True), TrustedKey(name="two", key=key.raw))
    assert at(policy(*entries), NOW).records == frozenset()


def test_evi_pitfall_03_and_15_a_key_expires_by_the_time_of_verification(
    maker: Any, tmp_path: Path, environment: dict[str, str]
) -> None:
    """The record says that it was made in January; that is no reason to trust a key that expired since."""
    entry = TrustedKey(name="ci", key=maker.key.public.raw, expires="2026-06-01T00:00:00Z")
    (tmp_path / "policy.json").write_bytes(policy(entry).canonical())
    file = export(maker.record("verified"), maker.store, tmp_path / "out")
    before = read_trust(tmp_path / "policy.json", environment, NOW - timedelta(seconds=1))
    assert verify_record(file, trusted=before).signed_by == maker.key.public.id
    for moment in (NOW, NOW + timedelta(days=400)):
        with pytest.raises(UntrustedSigner, match="ci expired at 2026-06-01"):
            verify_record(file, trusted=read_trust(tmp_path / "policy.json", environment, moment))


def test_evi_08_a_key_signs_only_what_it_may(maker: Any, tmp_path: Path) -> None:
    record = maker.record("verified")
    maker.store.put_record("run-1", record.canonical())
    proof = log_run(maker.store, record, maker.key)
    file = export(record, maker.store, tmp_path / "out", {LOG_FILE: proof.canonical()})
    key = maker.key.public.raw
    both = at(policy(TrustedKey(name="a", key=key)), NOW)
    assert "log" in verify_record(file, trusted=both).checked
    records = at(policy(TrustedKey(name="a", key=key, uses=("record",))), NOW)
    with pytest.raises(NotIntact, match="log: no trusted key"):
        verify_record(file, trusted=records)
    logs = at(policy(TrustedKey(name="a", key=key, uses=("log",))), NOW)
    with pytest.raises(UntrustedSigner, match="may not sign records"):
        verify_record(file, trusted=logs)


def test_evi_pitfall_17_rollback_of_the_trust_policy(environment: dict[str, str], tmp_path: Path) -> None:
    key, file = stranger(), tmp_path / "policy.json"
    old = policy(TrustedKey(name="a", key=key.raw), number=4)
    file.write_bytes(old.canonical())
    assert read_trust(file, environment).records == {key}
    new = policy(TrustedKey(name="a", key=key.raw, revoked=True), number=5)
    file.write_bytes(new.canonical())
    assert read_trust(file, environment).records == frozenset()
    file.write_bytes(old.canonical())
    with pytest.raises(UsageError, match="number 4, and number 5 was seen"):
        read_trust(file, environment)


def test_evi_pitfall_17_the_own_policy_is_not_rolled_back_nor_taken_away(
    environment: dict[str, str], tmp_path: Path
) -> None:
    trust(TrustedKey(name="a", key=stranger().raw), environment)
    file = tmp_path / "config" / "forge" / "trust.json"
    before = file.read_bytes()
    revoke("a", environment)
    assert own_policy(environment).number == 2
    file.write_bytes(before)
    with pytest.raises(UsageError, match="was seen before"):
        own_trust(environment)
    file.unlink()
    with pytest.raises(UsageError, match="was seen before"):
        own_trust(environment)


def test_evi_pitfall_18_small_order_keys_are_refused_on_import(environment: dict[str, str], tmp_path: Path) -> None:
    neutral = (1).to_bytes(32, "little")
    with pytest.raises(KeyFileError, match="small order"):
        trust(TrustedKey(name="anyone", key=neutral), environment)
    (tmp_path / "policy.json").write_bytes(policy(TrustedKey(name="anyone", key=neutral)).canonical())
    with pytest.raises(KeyFileError, match="small order"):
        read_trust(tmp_path / "policy.json", environment)


@pytest.mark.parametrize(
    "text",
    [b"", b"{}", b'{"keys":[],"name":"t","number":1,"threshold":0}', b'{"keys":[],"name":"../t","number":1}'],
    ids=["empty", "nothing", "no_threshold", "path"],
)
def test_what_is_no_policy_is_a_usage_error(environment: dict[str, str], tmp_path: Path, text: bytes) -> None:
    (tmp_path / "policy.json").write_bytes(text)
    with pytest.raises(UsageError, match="not a trust policy"):
        read_trust(tmp_path / "policy.json", environment)


@pytest.mark.parametrize("expires", ["2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z"])
def test_an_expiry_that_is_no_time_is_refused(environment: dict[str, str], expires: str) -> None:
    with pytest.raises(KeyFileError, match="not a time"):
        trust(TrustedKey(name="a", key=stranger().raw, expires=expires), environment)


# A threshold, over distinct key bytes.


@pytest.fixture
def two(maker: Any, other_key: SigningKey) -> Trust:
    keys = frozenset({maker.key.public, other_key.public})
    return Trust(keys, keys, threshold=2)


def put(file: Path, name: str, data: bytes) -> None:
    (file.parent / FOLDER).mkdir(exist_ok=True)
    (file.parent / FOLDER / name).write_bytes(data)


def test_evi_pitfall_04_one_key_twice_is_one_key_towards_a_threshold(
    maker: Any, tmp_path: Path, two: Trust, other_key: SigningKey
) -> None:
    file = export(maker.record("verified"), maker.store, tmp_path / "out")
    again = cosign_record(file, None, maker.key)
    for name in ("one.json", "two.json"):
        put(file, name, again)
    with pytest.raises(UntrustedSigner):
        verify_record(file, trusted=two)
    put(file, "other.json", cosign_record(file, None, other_key))
    found = verify_record(file, trusted=two)
    assert {found.signed_by, *found.cosigned_by} == {maker.key.public.id, other_key.public.id}


def test_a_stranger_does_not_count_towards_a_threshold(maker: Any, tmp_path: Path, two: Trust) -> None:
    file = export(maker.record("verified"), maker.store, tmp_path / "out")
    put(file, "stranger.json", cosign_record(file, None, SigningKey(Ed25519PrivateKey.generate(), "test")))
    with pytest.raises(UntrustedSigner):
        verify_record(file, trusted=two)


@pytest.mark.parametrize("defect", ["another_record", "flipped", "no_json"])
def test_a_signature_over_something_else_is_not_intact(
    maker: Any, tmp_path: Path, two: Trust, other_key: SigningKey, defect: str
) -> None:
    file = export(maker.record("verified"), maker.store, tmp_path / "out")
    other = export(maker.record("failed"), maker.store, tmp_path / "other")
    data = cosign_record(other if defect == "another_record" else file, None, other_key)
    if defect == "flipped":
        data = data[:-20] + bytes([data[-20] ^ 1]) + data[-19:]
    put(file, "x.json", b"{" if defect == "no_json" else data)
    with pytest.raises(NotIntact):
        verify_record(file, trusted=two)


# The proof of the log beside a record.


def test_evi_07_a_record_carries_its_proof(maker: Any, tmp_path: Path) -> None:
    record = maker.record("failed")
    maker.store.put_record("run-1", record.canonical())
    proof = log_run(maker.store, record, maker.key)
    file = export(record, maker.store, tmp_path / "out", {LOG_FILE: proof.canonical()})
    found = verify_record(file, trusted=Trust.of(maker.key.public))
    assert found.checked[-1] == "log"
    assert not any("no log is part" in item for item in found.not_checked)
    assert any("1 entries when this run was logged" in item for item in found.not_checked)
    assert "log" in verify_record(file, integrity_only=True).checked
    data = (file.parent / LOG_FILE).read_bytes()
    (file.parent / LOG_FILE).chmod(0o644)
    for place in range(0, len(data), 7):
        (file.parent / LOG_FILE).write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(NotIntact, match="log"):
            verify_record(file, trusted=Trust.of(maker.key.public))


def test_evi_pitfall_13_the_proof_of_another_record_beside_it(maker: Any, tmp_path: Path) -> None:
    record = maker.record("failed")
    maker.store.put_record("run-1", record.canonical())
    proof: Inclusion = log_run(maker.store, record, maker.key)
    file = export(maker.record("verified"), maker.store, tmp_path / "out", {LOG_FILE: proof.canonical()})
    with pytest.raises(NotIntact, match="another record"):
        verify_record(file, trusted=Trust.of(maker.key.public))
