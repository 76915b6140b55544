"""The few system calls that Python 3.11 does not offer, by ctypes."""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8

_MNT_DETACH = 2
_PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
_LINUX_CAPABILITY_VERSION_3 = 0x20080522
_SIGKILL = 9
_IFF_UP = 1
_SIOCSIFFLAGS = 0x8914

_SYS_CLONE = {"x86_64": 56, "aarch64": 220}
_NO_ARGUMENTS = (ctypes.c_void_p(),) * 4

_libc = ctypes.CDLL(None, use_errno=True)
_held = ctypes.PyDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def _prctl(option: int, *arguments: int) -> int:
    padded = [ctypes.c_ulong(value) for value in (*arguments, 0, 0, 0, 0)[:4]]
    return int(_libc.prctl(ctypes.c_int(option), *padded))


def fork_into(namespaces: int) -> int:
    """Fork, with the child in new namespaces (clone(2)): 0 in the child, its pid in the parent.

    The caller has one thread, and keeps the interpreter's lock over the call, so that the copy is a whole one.
    """
    number = _SYS_CLONE[os.uname().machine]
    pid = int(_held.syscall(ctypes.c_long(number), ctypes.c_ulong(namespaces | signal.SIGCHLD), *_NO_ARGUMENTS))
    _check(min(pid, 0), "clone")
    return pid


def mount(kind: str, target: str, flags: int, options: str = "") -> None:
    """Mount a file system without a source, such as tmpfs or proc (mount(2))."""
    data = options.encode() if options else None
    _check(_libc.mount(kind.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data), f"mount {target}")


def unmount(target: str) -> None:
    """Take a file system away, whoever still holds a part of it (umount2(2), MNT_DETACH)."""
    _check(_libc.umount2(target.encode(), _MNT_DETACH), f"unmount {target}")


def die_with_parent() -> None:
    """SIGKILL for the caller when the thread that forked it ends."""
    _check(_prctl(_PR_SET_PDEATHSIG, _SIGKILL), "prctl PDEATHSIG")


def set_dumpable(allowed: bool) -> None:
    """A process that is not dumpable cannot be traced, and its /proc files cannot be opened, by its own uid."""
    _check(_prctl(PR_SET_DUMPABLE, int(allowed)), "prctl DUMPABLE")


def become_subreaper() -> None:
    """Orphans below the caller become its children."""
    _check(_prctl(_PR_SET_CHILD_SUBREAPER, 1), "prctl SUBREAPER")


def no_new_privileges() -> None:
    """Set-uid files and file capabilities have no effect from here on."""
    _check(_prctl(_PR_SET_NO_NEW_PRIVS, 1), "prctl NO_NEW_PRIVS")


def drop_bounding_set() -> None:
    """Empty the bounding and the ambient capability set; needs CAP_SETPCAP in the user namespace."""
    _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(64):
        if _prctl(_PR_CAPBSET_DROP, capability) != 0:
            break


def drop_capabilities() -> None:
    """Empty the effective, permitted and inheritable sets of the caller (capset(2))."""
    header = (ctypes.c_uint32 * 2)(_LINUX_CAPABILITY_VERSION_3, 0)
    _check(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def install_seccomp(program: bytes) -> None:
    """Filter the caller's system calls by a classic BPF program; needs no_new_privileges."""
    buffer = ctypes.create_string_buffer(program, len(program))
    handle = _Program(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    result = _libc.prctl(
        ctypes.c_int(_PR_SET_SECCOMP), ctypes.c_ulong(_SECCOMP_MODE_FILTER), ctypes.byref(handle), 0, 0
    )
    _check(result, "prctl SECCOMP")


def raise_loopback() -> None:
    """Bring up ``lo`` in the network namespace of the caller."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _IFF_UP))
