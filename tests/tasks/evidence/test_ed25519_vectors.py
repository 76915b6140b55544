"""Ed25519 as Wycheproof tests it: malleable, truncated, wrongly encoded, and keys of small order (EVI-08)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tasks.evidence.signing import KeyFileError, PublicKey

VECTORS = "vectors/wycheproof/testvectors_v1/ed25519_test.json"


def verifies(key: bytes, signature: bytes, message: bytes) -> bool:
    try:
        return PublicKey(key).verifies(signature, message)
    except KeyFileError:
        return False


@pytest.mark.corpora
def test_the_vectors_of_wycheproof(corpora: Path) -> None:
    groups = json.loads((corpora / VECTORS).read_bytes())["testGroups"]
    cases = [(group["publicKey"]["pk"], case) for group in groups for case in group["tests"]]
    wrong = [
        case["tcId"]
        for key, case in cases
        if verifies(*(bytes.fromhex(text) for text in (key, case["sig"], case["msg"]))) != (case["result"] == "valid")
    ]
    assert wrong == []
    assert len(cases) == 151
