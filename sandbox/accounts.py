"""The few files of ``/etc`` that a program may ask for its own name, its group and its host (DEC-06)."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sandbox.cache import made_once
from sandbox.supervisor.separation import LAST_UID, UID

NAMES = ("passwd", "group", "hosts", "nsswitch.conf")


def directory() -> Path:
    """A cached directory of the files `NAMES`; every identity of a probe is called ``probe``, on each backend."""
    files = dict(zip(NAMES, (_passwd(), _group(), _HOSTS, _SWITCH), strict=True))
    key = hashlib.sha256("".join(files.values()).encode()).hexdigest()[:32]

    def make(target: Path) -> None:
        for name, text in files.items():
            (target / name).write_text(text, encoding="ascii")
            (target / name).chmod(0o644)

    return made_once(f"accounts-{key}", make)


_HOSTS = "127.0.0.1 localhost\n::1 localhost\n"
_SWITCH = "passwd: files\ngroup: files\nhosts: files\n"


def _passwd() -> str:
    probes = "".join(f"probe:x:{uid}:{uid}:probe:/work:/bin/sh\n" for uid in range(UID, LAST_UID + 1))
    return f"root:x:0:0:root:/:/usr/sbin/nologin\n{probes}nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n"


def _group() -> str:
    return "root:x:0:\n" + "".join(f"probe:x:{uid}:\n" for uid in range(UID, LAST_UID + 1)) + "nogroup:x:65534:\n"
