"""Which primitive of the host a backend lacks, in a line that names the remedy (SCN-55)."""

from __future__ import annotations

import sys
from pathlib import Path

from sandbox.base import SandboxError, SandboxUnavailable

_REMEDY = "or choose another sandbox, such as --sandbox docker"


def missing_for_bubblewrap() -> str | None:
    """What keeps bubblewrap from working, judged by what can be read; None if nothing does."""
    from sandbox.bubblewrap import binary

    if sys.platform != "linux":
        return f"bubblewrap needs Linux, and this is {sys.platform}; {_REMEDY}"
    try:
        binary()
    except SandboxUnavailable as error:
        return str(error)
    if not Path("/proc/self/ns/user").exists():
        return f"bubblewrap needs /proc and a kernel with user namespaces; {_REMEDY}"
    for setting, closed, remedy in _SETTINGS:
        if _read(setting) == closed:
            return f"bubblewrap cannot create user namespaces: {setting} is {closed}; {remedy}, {_REMEDY}"
    return None


def explain(backend: str, error: SandboxError) -> str:
    """The line for a backend that could not even run its self-test."""
    text = " ".join(str(error).split())
    if backend == "bubblewrap":
        for sign, meaning in _SIGNS:
            if sign in text:
                return f"bubblewrap does not work here: {meaning} ({text}); {_REMEDY}"
    return f"{backend} does not work here: {text}"


_SETTINGS = (
    ("/proc/sys/user/max_user_namespaces", "0", "raise it with sysctl user.max_user_namespaces=10000"),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "set it with sysctl kernel.unprivileged_userns_clone=1"),
    (
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "AppArmor restricts them: give bwrap a profile that allows userns, or set it to 0",
    ),
)

_SIGNS = (
    ("setting up uid map", "this user may not create user namespaces"),
    ("No permissions to create", "this user may not create user namespaces"),
    ("Creating new namespace failed", "this user may not create user namespaces"),
    ("Failed to make / slave", "mounting is forbidden here, as in a container without privileges"),
    ("Can't mount proc", "/proc cannot be mounted here, as in a container that hides parts of it"),
    ("mount /proc", "/proc cannot be mounted here, as in a container that hides parts of it"),
    ("a new mount namespace", "root has no CAP_SYS_ADMIN here"),
    ("unshare", "nested user namespaces are forbidden here"),
)


def _read(path: str) -> str | None:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except OSError:
        return None
