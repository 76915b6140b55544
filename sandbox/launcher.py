"""Started by root in place of bwrap: lay out what it needs where an unprivileged uid reaches it, become that uid, exec.

Standard library only, run as a script. RLIMIT_NPROC does nothing for a kernel root (DEC-05), and root's own
directories are closed to others. Usage: ``launcher.py UID DIRECTORY SOURCE... -- ARGV...``: source number N is
bound at ``DIRECTORY/N`` in a mount namespace of this process alone.
"""

# ruff: noqa: PTH102 - pathlib would cost each start several milliseconds
from __future__ import annotations

import ctypes
import os
import sys

_CLONE_NEWNS = 0x20000
_MS_NOSUID, _MS_NODEV, _MS_BIND, _MS_REC, _MS_PRIVATE = 2, 4, 0x1000, 0x4000, 0x40000

_libc = ctypes.CDLL(None, use_errno=True)


def main(arguments: list[str]) -> None:
    """Never returns: exec, or an exit status of 1 with one line on standard error."""
    cut = arguments.index("--")
    uid, directory, *sources = arguments[:cut]
    argv = arguments[cut + 1 :]
    try:
        _lay_out(directory, sources)
        os.setgroups([])
        os.setresgid(int(uid), int(uid), int(uid))
        os.setresuid(int(uid), int(uid), int(uid))
        os.execv(argv[0], argv)  # noqa: S606 - the purpose of this script
    except OSError as error:
        sys.exit(f"{error.strerror} ({error.filename})" if error.filename else str(error))


def _lay_out(directory: str, sources: list[str]) -> None:
    _check(_libc.unshare(_CLONE_NEWNS), "a new mount namespace")
    _mount(None, "/", _MS_REC | _MS_PRIVATE)
    opened = [os.open(source, os.O_PATH) for source in sources]
    _mount("tmpfs", directory, _MS_NOSUID | _MS_NODEV, kind="tmpfs")
    for number, descriptor in enumerate(opened):
        target = f"{directory}/{number}"
        os.mkdir(target)
        _mount(f"/proc/self/fd/{descriptor}", target, _MS_BIND | _MS_REC)
        os.close(descriptor)


def _mount(source: str | None, target: str, flags: int, kind: str | None = None) -> None:
    names = [None if name is None else name.encode() for name in (source, target, kind)]
    data = b"mode=0755" if kind else None
    _check(_libc.mount(*names, ctypes.c_ulong(flags), data), f"mount {target}")


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


if __name__ == "__main__":
    main(sys.argv[1:])
