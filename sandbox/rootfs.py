"""Root file systems for bubblewrap, from the recipe of the Docker image: the root is then the same on both (DEC-06).

``python -m sandbox.rootfs FILE.tar`` unpacks what ``deployments/image/build.sh`` wrote and prints the digest to name in
a policy. The digest is that of the archive, which for the Docker image is that of its only layer.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tarfile
from pathlib import Path
from typing import Any

from sandbox import cache
from sandbox.base import SandboxUnavailable

_ARGUMENTS = 2
_UNFILTERED: dict[str, Any] = {"filter": "fully_trusted"} if hasattr(tarfile, "fully_trusted_filter") else {}
_MOUNTED = ("etc/passwd", "etc/group", "etc/hosts", "etc/nsswitch.conf")
"""Files that a sandbox puts its own in place of; an engine makes some of them only when it starts a container."""


def directory(digest: str) -> Path:
    """Where the root of an archive of this digest lies.

    Raises:
        SandboxUnavailable: it has not been unpacked here.
    """
    path = cache.directory() / _name(digest)
    if not path.is_dir():
        raise SandboxUnavailable(f"there is no root file system {digest}: unpack it with python -m sandbox.rootfs FILE")
    return path


def unpack(archive: Path) -> str:
    """Unpack an archive into the cache, once; its digest. Device files are left out: the sandbox has its own.

    Raises:
        OSError, tarfile.TarError: it cannot be read, or reaches outside.
    """
    with archive.open("rb") as file:
        digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()

    def make(draft: Path) -> None:
        with tarfile.open(archive) as source:
            for member in source:
                _extract(source, member, draft.resolve())
        draft.chmod(0o755)
        for path in _MOUNTED:
            (draft / path).parent.mkdir(parents=True, exist_ok=True)
            (draft / path).touch()

    cache.made_once(_name(digest), make)
    return digest


def _extract(source: tarfile.TarFile, member: tarfile.TarInfo, root: Path) -> None:
    """One member, owned by us. Checked here, since tarfile's own filters came with Python 3.11.4 only."""
    if member.isdev() or Path(member.name) == Path() or member.name.strip("./").startswith("dev/"):
        return  # the root itself stands already
    places = [(root / member.name).parent, *([root / member.linkname] if member.islnk() else [])]
    if ".." in Path(member.name).parts or not all(place.resolve().is_relative_to(root) for place in places):
        raise tarfile.TarError(f"{member.name} reaches outside of the archive")
    member.uid, member.gid, member.uname, member.gname = os.getuid(), os.getgid(), "", ""
    member.mode = member.mode & 0o755 | (0o700 if member.isdir() else 0o400)  # what follows must fit in, and be read
    source.extract(member, root, **_UNFILTERED)


def _name(digest: str) -> str:
    return f"rootfs-{digest.removeprefix('sha256:')}"


if __name__ == "__main__":
    if len(sys.argv) != _ARGUMENTS:
        sys.exit("usage: python -m sandbox.rootfs FILE.tar")
    print(unpack(Path(sys.argv[1])))
