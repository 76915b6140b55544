"""Merkle trees as in RFC 6962, section 2.1: hashes, proofs, and their verification. Pure; hashes are 32 bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

Node = Callable[[int, int], bytes]
"""``node(height, number)``: the hash of the full subtree over leaves ``number << height`` and following."""

EMPTY = hashlib.sha256(b"").digest()


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf, apart from that of a node by its first byte."""
    return hashlib.sha256(b"\0" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node."""
    return hashlib.sha256(b"\1" + left + right).digest()


def root(node: Node, size: int) -> bytes:
    """The root over the first ``size`` leaves: MTH(D[size])."""
    return _range(node, 0, size) if size else EMPTY


def prove_inclusion(node: Node, index: int, size: int) -> list[bytes]:
    """The audit path of leaf ``index`` in a tree of ``size`` leaves: PATH(index, D[size]); ``index < size``."""
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(_range(node, middle, end))
            end = middle
        else:
            path.append(_range(node, start, middle))
            start = middle
    return path[::-1]


def prove_consistency(node: Node, older: int, newer: int) -> list[bytes]:
    """That the tree of ``older`` leaves begins that of ``newer``: PROOF(older, D[newer]); ``0 < older <= newer``."""
    proof: list[bytes] = []
    start, end = 0, newer
    while end != older:
        middle = start + _split(end - start)
        if older <= middle:
            proof.append(_range(node, middle, end))
            end = middle
        else:
            proof.append(_range(node, start, middle))
            start = middle
    if start:  # else the subtree is the older tree itself, whose root the verifier has
        proof.append(_range(node, start, end))
    return proof[::-1]


def includes(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root_hash: bytes) -> bool:
    """True iff ``proof`` shows that the leaf of hash ``leaf`` has number ``index`` below ``root_hash``."""
    if not 0 <= index < size or not _hashes(leaf, root_hash, *proof):
        return False
    found, number, last = leaf, index, size - 1
    for sibling in proof:
        if last == 0:
            return False
        if number & 1 or number == last:
            found = node_hash(sibling, found)
            while not number & 1 and number:
                number, last = number >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        number, last = number >> 1, last >> 1
    return last == 0 and found == root_hash


def extends(older: int, older_root: bytes, newer: int, newer_root: bytes, proof: Sequence[bytes]) -> bool:
    """True iff ``proof`` shows that the tree of ``older`` leaves is the beginning of that of ``newer`` leaves.

    Every log begins with the empty one, which proves nothing: ``older`` must be positive.
    """
    if not 0 < older <= newer or not _hashes(older_root, newer_root, *proof):
        return False
    if older == newer:
        return older_root == newer_root and not proof
    path = [older_root, *proof] if older & (older - 1) == 0 else list(proof)
    if not path:
        return False
    number, last = older - 1, newer - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    first = second = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if number & 1 or number == last:
            first, second = node_hash(sibling, first), node_hash(sibling, second)
            while not number & 1 and number:
                number, last = number >> 1, last >> 1
        else:
            second = node_hash(second, sibling)
        number, last = number >> 1, last >> 1
    return last == 0 and first == older_root and second == newer_root


def _range(node: Node, start: int, end: int) -> bytes:
    """The hash over leaves ``start`` to ``end``, where ``start`` is a multiple of the least power of two above."""
    size = end - start
    if size & (size - 1) == 0:
        height = size.bit_length() - 1
        return node(height, start >> height)
    middle = start + _split(size)
    return node_hash(_range(node, start, middle), _range(node, middle, end))


def _split(size: int) -> int:
    """The largest power of two below ``size``."""
    return 1 << ((size - 1).bit_length() - 1)


def _hashes(*values: bytes) -> bool:
    return all(len(value) == 32 for value in values)
