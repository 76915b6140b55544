"""RFC 6962 hashes and proofs: the vectors of transparency-dev, own ones, and every pair of sizes up to 100."""

from __future__ import annotations

import base64
import json
import tarfile
from functools import cache
from pathlib import Path

import pytest

from contracts.merkle import (
    EMPTY,
    extends,
    includes,
    leaf_hash,
    node_hash,
    prove_consistency,
    prove_inclusion,
    root,
)

SIZE = 100
LEAVES = [b"leaf %d" % number for number in range(SIZE)]


def plain_root(leaves: list[bytes]) -> bytes:
    """The definition of RFC 6962, section 2.1, word by word; the code under test never does it this way."""
    if not leaves:
        return EMPTY
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(plain_root(leaves[:split]), plain_root(leaves[split:]))


ROOTS = [plain_root(LEAVES[:size]) for size in range(SIZE + 1)]


@cache
def node(height: int, number: int) -> bytes:
    return plain_root(LEAVES[number << height : (number + 1) << height])


def test_the_known_hashes_of_rfc_6962() -> None:
    """The empty tree, the empty leaf, and the eight leaves that implementations share."""
    shared = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    assert EMPTY.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert leaf_hash(b"").hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert plain_root([bytes.fromhex(text) for text in shared]).hex() == (
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    )


def test_evi_07_every_root_and_every_inclusion_up_to_100() -> None:
    for size in range(SIZE + 1):
        assert root(node, size) == ROOTS[size]
        for index in range(size):
            proof = prove_inclusion(node, index, size)
            assert includes(leaf_hash(LEAVES[index]), index, size, proof, ROOTS[size])


def test_evi_07_every_consistency_up_to_100() -> None:
    for newer in range(1, SIZE + 1):
        for older in range(1, newer + 1):
            proof = prove_consistency(node, older, newer)
            assert extends(older, ROOTS[older], newer, ROOTS[newer], proof)


@pytest.mark.parametrize(("index", "size"), [(0, 1), (0, 2), (4, 7), (6, 7), (7, 8), (0, 100), (63, 100), (99, 100)])
def test_every_corrupted_byte_of_an_inclusion_is_refused(index: int, size: int) -> None:
    leaf, proof = leaf_hash(LEAVES[index]), prove_inclusion(node, index, size)
    for place, value in enumerate([leaf, ROOTS[size], *proof]):
        for broken in corruptions(value):
            parts = [leaf, ROOTS[size], *proof]
            parts[place] = broken
            assert not includes(parts[0], index, size, parts[2:], parts[1])


@pytest.mark.parametrize(("older", "newer"), [(1, 2), (2, 3), (4, 7), (6, 8), (7, 7), (8, 9), (64, 100), (99, 100)])
def test_every_corrupted_byte_of_a_consistency_is_refused(older: int, newer: int) -> None:
    proof = prove_consistency(node, older, newer)
    for place, value in enumerate([ROOTS[older], ROOTS[newer], *proof]):
        for broken in corruptions(value):
            parts = [ROOTS[older], ROOTS[newer], *proof]
            parts[place] = broken
            assert not extends(older, parts[0], newer, parts[1], parts[2:])


def corruptions(value: bytes) -> list[bytes]:
    """Each byte with one bit flipped; and a byte short, a byte long, empty."""
    flipped = [value[:at] + bytes([value[at] ^ 1 << at % 8]) + value[at + 1 :] for at in range(len(value))]
    return [*flipped, value[:-1], value + b"\0", b""]


def test_evi_pitfall_14_a_proof_holds_for_its_own_size_and_number_alone() -> None:
    """Equal hashes may fit another size where the path is the same; the root then differs, and that is what counts."""
    for size in (1, 2, 7, 8, 33):
        for index in range(size):
            proof = prove_inclusion(node, index, size)
            leaf = leaf_hash(LEAVES[index])
            for other in range(-1, 2 * size + 2):
                assert includes(leaf, other, size, proof, ROOTS[size]) == (other == index)
                if 0 <= other <= SIZE and other != size:
                    assert not includes(leaf, index, other, proof, ROOTS[other])
            assert not includes(leaf, index, size, [*proof, leaf], ROOTS[size])
            assert not includes(leaf, index, size, proof[:-1], ROOTS[size]) or not proof


def test_evi_pitfall_14_a_consistency_holds_for_its_own_sizes_alone() -> None:
    for older, newer in ((1, 2), (3, 7), (4, 8), (6, 33), (5, 5)):
        proof = prove_consistency(node, older, newer)
        for other in range(SIZE + 1):
            if other != older:
                assert not extends(other, ROOTS[other], newer, ROOTS[newer], proof)
            if other != newer:
                assert not extends(older, ROOTS[older], other, ROOTS[other], proof)
        assert not extends(older, ROOTS[older], newer, ROOTS[newer], [*proof, EMPTY])
        assert not extends(newer, ROOTS[newer], older, ROOTS[older], proof) or older == newer


@pytest.mark.corpora
def test_the_vectors_of_transparency_dev(corpora: Path, tmp_path: Path) -> None:
    """All but one: a file whose roots are a placeholder of the wrong length, and which a strict verifier refuses."""
    with tarfile.open(corpora / "vectors" / "merkle.tar.xz") as archive:
        archive.extractall(tmp_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    folder = tmp_path / "merkle" / "testdata"
    wrong, right = [], 0
    for path in sorted([*folder.glob("inclusion/**/*.json"), *folder.glob("consistency/**/*.json")]):
        vector = json.loads(path.read_bytes())
        if accepts(vector) is vector["wantErr"]:
            wrong.append(path.name)
        else:
            right += 1
    assert wrong == ["sizes-are-equal-one-and-proof-is-empty.json"]
    assert right == 195


def accepts(vector: dict[str, object]) -> bool:
    proof = [raw(item) for item in vector["proof"] or []]  # type: ignore[attr-defined] # a list or null
    if "treeSize" in vector:
        numbers = int(str(vector["leafIdx"])), int(str(vector["treeSize"]))
        return includes(raw(vector["leafHash"]), *numbers, proof, raw(vector["root"]))
    older, newer = int(str(vector["size1"])), int(str(vector["size2"]))
    return extends(older, raw(vector["root1"]), newer, raw(vector["root2"]), proof)


def raw(text: object) -> bytes:
    return base64.b64decode(str(text)) if text else b""
