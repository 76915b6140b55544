"""Freezing a bundle and opening a frozen one: every byte listed, the list signed once (law 6)."""

from __future__ import annotations

import base64
from pathlib import Path

from benchmarks.blind.layout import ENVELOPE, MANIFEST, Bundle, BundleError, draft, read
from contracts.bundle import Manifest
from contracts.canonical import canonical_bytes
from contracts.loading import DocumentError, load_json
from tasks.errors import OutputError
from tasks.evidence import dsse
from tasks.evidence.dsse import EnvelopeError
from tasks.evidence.files import create_once
from tasks.evidence.signing import KeyFileError, PublicKey, SigningKey
from tasks.evidence.statement import PREDICATE_TYPE, STATEMENT_TYPE, signer_of
from tasks.evidence.trust import Trust


def freeze(root: Path, name: str, version: str, key: SigningKey, *, regression: bool) -> Bundle:
    """Write manifest and envelope into a bundle's directory; nothing that is there is replaced.

    Raises:
        BundleError: it is no bundle, or frozen already.
        OutputError: the directory cannot be written.
    """
    bundle = draft(root, name, version, regression=regression)
    envelope = dsse.sign(_statement(bundle.manifest, key.public), key)
    for path, data in ((root / ENVELOPE, canonical_bytes(envelope)), (root / MANIFEST, bundle.manifest.canonical())):
        try:
            created = create_once(path, data, 0o444)
        except OSError as error:
            raise OutputError(f"{path}: {error.strerror}") from error
        if not created:
            raise BundleError(f"{path.name} exists: the bundle is frozen already")
    return bundle


def open_frozen(root: Path, trusted: Trust) -> Bundle:
    """A frozen bundle, whole, and signed by a key that is trusted.

    Raises:
        BundleError: it is not; in one line.
    """
    bundle, envelope = read(root)
    signer = _signer(bundle.manifest, envelope)
    if signer not in trusted.records:
        raise BundleError(
            f"the bundle is signed by a key that is not trusted: {signer.id} ({trusted.reason(signer.id)})"
        )
    return bundle


def _signer(manifest: Manifest, envelope: bytes) -> PublicKey:
    try:
        loaded = load_json(envelope)
        payload, _ = dsse.open_bundle(loaded if isinstance(loaded, dict) else {})
        signer = signer_of(load_json(payload))
    except (DocumentError, EnvelopeError, KeyFileError) as error:
        raise BundleError(f"{ENVELOPE}: {error}") from error
    written = isinstance(loaded, dict) and canonical_bytes(loaded) == envelope and dsse.verifies(loaded, signer)
    if not written or payload != _statement(manifest, signer):
        raise BundleError(f"{ENVELOPE}: the cryptographic signature is not over this manifest")
    return signer


def _statement(manifest: Manifest, signer: PublicKey) -> bytes:
    subject = {"name": MANIFEST, "digest": {"sha256": manifest.seal().removeprefix("sha256:")}}
    return canonical_bytes(
        {
            "_type": STATEMENT_TYPE,
            "subject": [subject],
            "predicateType": PREDICATE_TYPE.format("bundle"),
            "predicate": {
                "name": manifest.name,
                "version": manifest.version,
                "root": manifest.root,
                "signer": {"publicKey": base64.b64encode(signer.raw).decode("ascii")},
            },
        }
    )
