"""REC-07, REC-08, REC-09, ENC-02, EVI-08: where keys come from, which are refused, and that none is ever shown."""

from __future__ import annotations

import base64
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from contracts.canonical import digest
from tasks.evidence import signing
from tasks.evidence.signing import (
    KeyFileError,
    PublicKey,
    key_from,
    load_key,
    new_key,
    own_key,
    parse_public,
    public_pem,
)

ROOT = Path(__file__).parents[3]
SEED = bytes(range(32))
SEED_TEXT = base64.b64encode(SEED).decode()


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(tmp_path)}


def key_file(environment: dict[str, str]) -> Path:
    return Path(environment["XDG_CONFIG_HOME"], "forge", "signing-key.pem")


def pem_of(key: Ed25519PrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def test_the_key_is_made_on_first_use_and_then_kept(environment: dict[str, str]) -> None:
    old = os.umask(0)
    try:
        first = load_key(environment)
    finally:
        os.umask(old)
    second = load_key(environment)
    assert (first.created, second.created) == (True, False)
    assert first.public == second.public
    assert stat.S_IMODE(key_file(environment).stat().st_mode) == 0o600
    assert stat.S_IMODE(key_file(environment).parent.stat().st_mode) == 0o700
    assert first.public.id == digest(first.public.raw)


def test_the_home_directory_is_the_default(tmp_path: Path) -> None:
    load_key({"HOME": str(tmp_path)})
    assert (tmp_path / ".config" / "forge" / "signing-key.pem").is_file()


def test_a_relative_configuration_directory_is_none(tmp_path: Path) -> None:
    assert signing.configuration({"XDG_CONFIG_HOME": "here", "HOME": str(tmp_path)}) == tmp_path / ".config" / "forge"


def test_without_a_home_there_is_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "expanduser", nobody)
    with pytest.raises(KeyFileError, match="XDG_CONFIG_HOME"):
        load_key({})


def test_first_uses_at_once_agree_on_one_key(environment: dict[str, str]) -> None:
    code = "from tasks.evidence.signing import load_key; print(load_key().public.id)"
    command = [sys.executable, "-c", code]
    whole = dict(os.environ, **environment)
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=whole) for _ in range(4)]
    assert {process.communicate(timeout=60)[0].decode().strip() for process in running} == {
        load_key(environment).public.id
    }


@pytest.mark.parametrize("form", ["pem", "seed"])
def test_rec_07_the_variable_gives_the_key(environment: dict[str, str], form: str) -> None:
    key = Ed25519PrivateKey.from_private_bytes(SEED)
    environment["FORGE_SIGNING_KEY"] = pem_of(key).decode() if form == "pem" else SEED_TEXT
    loaded = load_key(environment)
    assert loaded.public.raw == key.public_key().public_bytes_raw()
    assert loaded.public.verifies(loaded.sign(b"words"), b"words")
    assert not key_file(environment).exists()


OTHER = generate_private_key(SECP256R1())
UNUSABLE = {
    "empty": "",
    "blank": " \n",
    "short": base64.b64encode(SEED[:31]).decode(),
    "long": base64.b64encode(SEED + b"x").decode(),
    "url_base64": base64.urlsafe_b64encode(b"\xff" * 32).decode(),
    "base64_with_other_padding_bits": SEED_TEXT[:-2] + "9=",
    "words": "correct horse battery staple",
    "cut_pem": pem_of(Ed25519PrivateKey.from_private_bytes(SEED)).decode()[:60],
    "other_kind": OTHER.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
    "surrogate": SEED_TEXT + "\udc80",
}


@pytest.mark.parametrize("defect", UNUSABLE)
def test_rec_08_an_unusable_variable_is_an_error_that_does_not_show_it(
    environment: dict[str, str], defect: str
) -> None:
    environment["FORGE_SIGNING_KEY"] = UNUSABLE[defect]
    with pytest.raises(KeyFileError, match="FORGE_SIGNING_KEY") as caught:
        load_key(environment)
    for piece in UNUSABLE[defect].split():
        if len(piece) > 8 and piece != "PRIVATE":
            assert piece not in str(caught.value)
    assert caught.value.__cause__ is None
    assert not key_file(environment).exists()


def test_no_key_is_shown_by_repr(environment: dict[str, str]) -> None:
    environment["FORGE_SIGNING_KEY"] = SEED_TEXT
    assert SEED_TEXT not in repr(load_key(environment))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_key_that_others_may_read_is_refused(environment: dict[str, str], mode: int) -> None:
    load_key(environment)
    key_file(environment).chmod(mode)
    with pytest.raises(KeyFileError, match="others may read"):
        load_key(environment)


@pytest.mark.parametrize("kind", ["link", "dangling", "pipe", "directory"])
def test_what_is_no_key_file_is_refused_and_not_followed(environment: dict[str, str], kind: str) -> None:
    path = key_file(environment)
    path.parent.mkdir()
    target = path.parent / "elsewhere.pem"
    if kind == "link":
        target.write_bytes(pem_of(Ed25519PrivateKey.generate()))
        target.chmod(0o600)
    if kind in ("link", "dangling"):
        path.symlink_to(target)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    with pytest.raises(KeyFileError):
        load_key(environment)
    assert target.exists() == (kind == "link")


def test_an_empty_key_file_is_an_error(environment: dict[str, str]) -> None:
    key_file(environment).parent.mkdir()
    key_file(environment).touch(mode=0o600)
    with pytest.raises(KeyFileError, match="empty"):
        load_key(environment)


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(KeyFileError, match="Not a directory"):
        load_key({"XDG_CONFIG_HOME": str(tmp_path / "file")})


def test_the_own_key_is_asked_for_without_making_one(environment: dict[str, str]) -> None:
    assert own_key(environment) is None
    assert not key_file(environment).parent.exists()
    made = load_key(environment).public
    assert own_key(environment) == made


def test_a_key_is_made_where_it_is_asked_for_and_once(tmp_path: Path) -> None:
    made = new_key(tmp_path / "new" / "key.pem")
    assert key_from(tmp_path / "new" / "key.pem").public == made.public
    assert stat.S_IMODE((tmp_path / "new" / "key.pem").stat().st_mode) == 0o600
    with pytest.raises(KeyFileError, match="exists"):
        new_key(tmp_path / "new" / "key.pem")
    (tmp_path / "new" / "key.pem").chmod(0o644)
    with pytest.raises(KeyFileError, match="others may read"):
        key_from(tmp_path / "new" / "key.pem")


def small_order_keys() -> list[bytes]:
    """All points of order 1, 2, 4 and 8 of the curve, computed from its definition, in each encoding of theirs."""
    prime = 2**255 - 19
    d = -121665 * pow(121666, -1, prime) % prime

    def root(y: int) -> int | None:
        square = (y * y - 1) * pow(d * y * y + 1, -1, prime) % prime
        x = pow(square, (prime + 3) // 8, prime)
        x = x if (x * x - square) % prime == 0 else x * pow(2, (prime - 1) // 4, prime) % prime
        return x if (x * x - square) % prime == 0 else None

    def double(point: tuple[int, int]) -> tuple[int, int]:
        x, y = point
        k = d * x * x * y * y
        return 2 * x * y * pow(1 + k, -1, prime) % prime, (y * y + x * x) * pow(1 - k, -1, prime) % prime

    # A point of order 8 doubles to one of order 4, which has y = 0: so x^2 + y^2 = 0 and the curve's equation is
    # -x^2 + y^2 = 2y^2 = 1 - d y^4, a quadratic in y^2.
    found = {0, 1, prime - 1}
    disc = (4 + 4 * d) % prime
    square = pow(disc, (prime + 3) // 8, prime)
    square = square if (square * square - disc) % prime == 0 else square * pow(2, (prime - 1) // 4, prime) % prime
    for sign in (square, -square):
        y2 = (-2 + sign) * pow(2 * d, -1, prime) % prime
        y = pow(y2, (prime + 3) // 8, prime)
        y = y if (y * y - y2) % prime == 0 else y * pow(2, (prime - 1) // 4, prime) % prime
        if (y * y - y2) % prime == 0:
            found |= {y, prime - y}
    for y in found:
        x = root(y)
        assert x is not None
        assert double(double(double((x, y)))) == (0, 1)
    encodings = found | {y + prime for y in found if y + prime < 2**255}
    return [(y | sign << 255).to_bytes(32, "little") for y in sorted(encodings) for sign in (0, 1)]


def test_evi_pitfall_18_small_order_keys_are_refused() -> None:
    keys = small_order_keys()
    assert len(keys) == 14
    for raw in keys:
        with pytest.raises(KeyFileError, match="small order"):
            PublicKey(raw)


def test_the_key_that_accepts_anything_would_otherwise_verify() -> None:
    """The planted fault (law 7): with the neutral point as key, one signature holds for every message."""
    neutral = (1).to_bytes(32, "little")
    unchecked = object.__new__(PublicKey)
    object.__setattr__(unchecked, "raw", neutral)
    assert unchecked.verifies(neutral + bytes(32), b"any message")
    with pytest.raises(KeyFileError):
        PublicKey(neutral)


@pytest.mark.parametrize("raw", [b"", b"x" * 31, b"x" * 33, (2**255 - 19 + 3).to_bytes(32, "little")])
def test_what_is_no_key_is_refused(raw: bytes) -> None:
    with pytest.raises(KeyFileError):
        PublicKey(raw)


def test_public_keys_come_as_pem_of_the_right_kind() -> None:
    key = PublicKey(Ed25519PrivateKey.from_private_bytes(SEED).public_key().public_bytes_raw())
    assert parse_public(public_pem(key), "test") == key
    for data in (b"", b"words", OTHER.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)):
        with pytest.raises(KeyFileError, match="test"):
            parse_public(data, "test")


@pytest.mark.corpora
def test_wycheproof(corpora: Path) -> None:
    files = sorted((corpora / "vectors" / "wycheproof").rglob("ed25519_test.json"))
    cases = [
        (group, case)
        for file in files
        for group in json.loads(file.read_bytes())["testGroups"]
        for case in group["tests"]
    ]
    assert len(cases) == 151
    for group, case in cases:
        key = PublicKey(bytes.fromhex(group["publicKey"]["pk"]))
        holds = key.verifies(bytes.fromhex(case["sig"]), bytes.fromhex(case["msg"]))
        assert holds == (case["result"] == "valid"), case["comment"]
