"""EVI-04: somebody else's verifier, the npm package ``@sigstore/verify``, accepts our bundles offline and no other.

``FORGE_SIGSTORE`` names a folder prepared by ``npm ci`` from the lock file beside this test; without it the test
prepares one of its own, which needs a registry.
"""

from __future__ import annotations

import base64
import copy
import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tasks.evidence import dsse
from tasks.evidence.signing import PublicKey, SigningKey, public_pem

if TYPE_CHECKING:
    from tests.tasks.evidence.conftest import Maker

pytestmark = [pytest.mark.slow, pytest.mark.npm]

HERE = Path(__file__).parent
KINDS = ("verified", "failed", "infeasible", "underspecified", "unavailable", "interrupted", "gave_up")
Verify = Callable[[list[dict[str, Any]], PublicKey], list[bool | str]]


@pytest.fixture(scope="session")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the verifier and what it needs."""
    prepared = os.environ.get("FORGE_SIGSTORE")
    if prepared:
        return Path(prepared)
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm: not installed, and FORGE_SIGSTORE names no prepared folder")
    folder = tmp_path_factory.mktemp("sigstore")
    for name in ("package.json", "package-lock.json", "verify.js"):
        shutil.copy(HERE / name, folder)
    cache = dict(os.environ, npm_config_cache=str(folder / "cache"), npm_config_update_notifier="false")
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(command, cwd=folder, env=cache, check=True, timeout=240)
    return folder


@pytest.fixture
def verify(verifier: Path) -> Verify:
    def run(bundles: list[dict[str, Any]], key: PublicKey) -> list[bool | str]:
        question = json.dumps({"key": public_pem(key).decode(), "hint": key.id, "bundles": bundles})
        node = shutil.which("node")
        assert node is not None
        done = subprocess.run(
            [node, verifier / "verify.js"], input=question.encode(), capture_output=True, check=True, timeout=120
        )
        answers: list[bool | str] = json.loads(done.stdout)
        assert len(answers) == len(bundles)
        return answers

    return run


def test_bundles_of_every_kind_of_record_are_accepted(verify: Verify, maker: Maker) -> None:
    bundles = [maker.record(kind).bundle for kind in KINDS]
    assert verify(bundles, maker.key.public) == [True] * len(KINDS)


def test_another_key_is_refused(verify: Verify, maker: Maker, other_key: SigningKey) -> None:
    (answer,) = verify([dsse.sign(b"{}", other_key)], maker.key.public)
    assert answer is not True


def test_flipped_bytes_are_refused_by_both_verifiers(verify: Verify, maker: Maker) -> None:
    bundle = maker.record("verified").bundle
    payload, signature = dsse.open_bundle(bundle)
    places = random.Random(4).sample(range(len(payload)), 200)
    broken = [changed(bundle, payload=flipped(payload, at)) for at in places]
    broken += [changed(bundle, sig=flipped(signature, at)) for at in range(len(signature))]
    broken += [changed(bundle, payload=payload + b" "), changed(bundle, payload=b""), changed(bundle, sig=b"")]
    answers = verify(broken, maker.key.public)
    assert True not in answers
    assert not any(dsse.verifies(item, maker.key.public) for item in broken)


def test_another_type_hint_or_number_of_signatures_is_refused_by_both(verify: Verify, maker: Maker) -> None:
    bundle = maker.record("verified").bundle

    def edited(edit: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        other = copy.deepcopy(bundle)
        edit(other)
        return other

    broken = [
        edited(lambda b: b.update(mediaType="application/json")),
        edited(lambda b: b["dsseEnvelope"].update(payloadType="application/json")),
        edited(lambda b: b["dsseEnvelope"].update(signatures=[])),
        edited(lambda b: b["dsseEnvelope"]["signatures"].append(b["dsseEnvelope"]["signatures"][0])),
        edited(lambda b: b["verificationMaterial"]["publicKey"].update(hint="sha256:" + "0" * 64)),
        edited(lambda b: b.pop("verificationMaterial")),
        edited(lambda b: b.pop("dsseEnvelope")),
    ]
    assert True not in verify(broken, maker.key.public)
    for item in broken:
        try:
            assert not dsse.verifies(item, maker.key.public)
        except dsse.EnvelopeError:
            continue


def changed(bundle: dict[str, Any], payload: bytes | None = None, sig: bytes | None = None) -> dict[str, Any]:
    other = copy.deepcopy(bundle)
    envelope = other["dsseEnvelope"]
    if payload is not None:
        envelope["payload"] = base64.b64encode(payload).decode()
    if sig is not None:
        envelope["signatures"][0]["sig"] = base64.b64encode(sig).decode()
    return other


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]
