"""What is delivered: only after a verdict of verified, and only the bytes that were validated (law 5)."""

from __future__ import annotations

from contracts.model import Count, Model, Sha256


class PackageManifest(Model):
    """A wheel that holds the validated tree and a launcher. ``wheel`` is the digest of the file ``filename``."""

    build_spec: Sha256
    artifact: Sha256
    candidate: Sha256
    filename: str
    wheel: Sha256
    size: Count
    command: str
