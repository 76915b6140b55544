"""System calls that no candidate needs and that widen the kernel's attack surface, as classic BPF (DEC-05).

One table for both backends: the supervisor installs the program in the candidate's process, last before exec.
Everything refused here has a fallback in the C library or in CPython, or no place in a program under judgement.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import NamedTuple

from sandbox.base import SandboxUnavailable


class Architecture(NamedTuple):
    """``audit`` is AUDIT_ARCH_*; ``column`` the place of its numbers in the table."""

    audit: int
    column: int


ARCHITECTURES = {"x86_64": Architecture(0xC000003E, 0), "aarch64": Architecture(0xC00000B7, 1)}

REFUSED: dict[str, tuple[int | None, int | None]] = {
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "ioprio_set": (251, 30),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "acct": (163, 89),
    "syslog": (103, 116),
    "lookup_dcookie": (212, 18),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "clock_settime": (227, 112),
    "settimeofday": (164, 170),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "personality": (135, 92),
    "vhangup": (153, 58),
    "nfsservctl": (180, 42),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semctl": (66, 191),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
}
"""Refused with EPERM: name to number on x86_64 and aarch64."""

UNKNOWN = {"clone3": (435, 435)}
"""Refused with ENOSYS: flags behind a pointer cannot be judged, and the C library falls back to ``clone``."""

CLONE = (56, 220)
SOCKET = (41, 198)
AF_VSOCK = 40
NAMESPACE_FLAGS = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""

_X32_BIT = 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16


def program(machine: str | None = None) -> bytes:
    """The filter for the native architecture; any other, x32 among them, kills the process.

    Raises:
        SandboxUnavailable: there is no table for ``machine``.
    """
    name = machine or platform.machine()
    if name not in ARCHITECTURES:
        raise SandboxUnavailable(f"no system call table for the architecture {name}")
    audit, column = ARCHITECTURES[name]
    refused = [numbers[column] for numbers in REFUSED.values()]
    code = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, audit, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
    ]
    if name == "x86_64":
        code += [_step(_AT_LEAST, _X32_BIT, 0, 1), _step(_RETURN, _KILL)]
    for number in refused:
        if number is not None:
            code += _refuse(number, errno.EPERM)
    for numbers in UNKNOWN.values():
        code += _refuse(numbers[column], errno.ENOSYS)
    code += _refuse_argument(CLONE[column], _ANY_BIT, NAMESPACE_FLAGS)
    code += _refuse_argument(SOCKET[column], _EQUAL, AF_VSOCK)
    code.append(_step(_RETURN, _ALLOW))
    return b"".join(code)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _refuse(number: int, error: int) -> list[bytes]:
    return [_step(_EQUAL, number, 0, 1), _step(_RETURN, _ERRNO | error)]


def _refuse_argument(number: int, test: int, value: int) -> list[bytes]:
    """Refuse a call whose first argument passes ``test``; any other call goes on with its number loaded."""
    return [
        _step(_EQUAL, number, 0, 4),
        _step(_LOAD, _FIRST_ARGUMENT),
        _step(test, value, 0, 1),
        _step(_RETURN, _ERRNO | errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]
