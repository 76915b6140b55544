"""Two ways to keep a probe apart from the supervisor and from every other probe (DEC-04).

`Namespaces` gives each probe user, pid, mount, ipc, network and uts namespaces of its own; the warden is pid 1 in
them, unreachable because it is not dumpable. `Identities` is for a container, where mounting is refused: each probe
has a uid of its own, and the warden keeps uid 0.
"""

# ruff: noqa: PTH101, PTH116, PTH123, PTH208 - pathlib would cost each start several milliseconds
from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from . import linux, scratch
from .limits import living
from .wire import Frame

WORK = "/work"
UID = 10_000
"""The uid of bubblewrap's sandbox, and the first of a container's."""

LAST_UID = 11_000
"""The last of a container's: after so many probes it is replaced."""

ROOTS = (WORK, "/tmp", "/dev/shm")  # noqa: S108 - paths inside the sandbox

_SEVERAL = 2
_FLAGS = linux.MS_NOSUID | linux.MS_NODEV
_OWNED = f"mode=0755,uid={UID},gid={UID}"
_SPACES = (
    linux.CLONE_NEWUSER
    | linux.CLONE_NEWNS
    | linux.CLONE_NEWPID
    | linux.CLONE_NEWIPC
    | linux.CLONE_NEWNET
    | linux.CLONE_NEWUTS
)


class Separation(Protocol):
    """What differs between the two ways; all but ``enter`` is called in the warden."""

    extra_tasks: int
    """Processes of ours that count against RLIMIT_NPROC of the candidate's uid."""

    kept: int
    """A frozen process of the candidate that is none of the probe's (`warm`), or 0."""

    def fork(self) -> int:
        """Fork the warden from the supervisor: 0 in the warden."""

    def enter(self, limits: Frame) -> None:
        """Called in the warden, before anything else."""

    def as_owner(self, action: Callable[[], Any]) -> Any:
        """Run ``action`` with the right to the probe's files; its result is plain JSON."""

    def become_candidate(self) -> None:
        """Called in the candidate's process before exec: give up identity and capabilities."""

    def pids(self) -> list[int]:
        """The probe's processes."""

    def kill_all(self) -> None:
        """SIGKILL for every process of the probe; for the kept one too where there are several."""

    def number_next(self, pid: int) -> None:
        """Give the next process this pid where pids are the probe's own."""

    def renew(self) -> None:
        """Fresh scratch directories for another probe in the same place."""

    def discard(self) -> None:
        """Called as the owner: remove the probe's files."""

    def leftovers(self) -> list[str]:
        """What the next probe could still find (DEC-21)."""


class _Kept:
    """What both ways share: the processes of a probe, and beside them a kept one."""

    kept = 0

    def pids(self) -> list[int]:
        """Those of the probe."""
        return [pid for pid in self._all() if pid != self.kept]

    def kill_all(self) -> None:
        """One alone by itself; several, which could outrun us, by one call that ends the kept one too."""
        left = self.pids()
        if self.kept and len(left) < _SEVERAL:
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        else:
            self.kept = 0
            self._kill_everything()

    def _all(self) -> list[int]:
        raise NotImplementedError

    def _kill_everything(self) -> None:
        raise NotImplementedError


class Namespaces(_Kept):
    """A user, pid, mount, ipc, network and uts namespace for each probe."""

    extra_tasks = 1

    def fork(self) -> int:
        """The warden is pid 1 of its namespaces."""
        return linux.fork_into(_SPACES)

    def enter(self, limits: Frame) -> None:
        """Keep the uid, mount fresh scratch directories and a /proc that shows this namespace alone."""
        linux.die_with_parent()
        linux.set_dumpable(True)  # or its own /proc files are closed to it
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{UID} {UID} 1")
        _write("/proc/self/gid_map", f"{UID} {UID} 1")
        linux.set_dumpable(False)
        self._options = f"size={limits['scratch_bytes']},nr_inodes={limits['scratch_inodes']},{_OWNED}"
        self._mount_scratch()
        linux.mount("proc", "/proc", _FLAGS | linux.MS_NOEXEC)
        linux.raise_loopback()

    def as_owner(self, action: Callable[[], Any]) -> Any:
        """The warden has every capability over the probe's user namespace."""
        return action()

    def become_candidate(self) -> None:
        """No capability, now or ever. Out of memory, the kernel takes the candidate first."""
        linux.set_dumpable(True)  # or its own /proc files are closed to it
        _write("/proc/self/oom_score_adj", "1000")
        linux.drop_bounding_set()
        linux.drop_capabilities()

    def number_next(self, pid: int) -> None:
        """The kernel counts on from what is written here."""
        _write("/proc/sys/kernel/ns_last_pid", str(pid - 1))

    def renew(self) -> None:
        """Other file systems in place of those of the last probe."""
        for root in ROOTS:
            linux.unmount(root)
        self._mount_scratch()

    def _mount_scratch(self) -> None:
        for root in ROOTS:
            linux.mount("tmpfs", root, _FLAGS, self._options)

    def _all(self) -> list[int]:
        """Everything in the pid namespace but the warden."""
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]

    def _kill_everything(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)

    def discard(self) -> None:
        """The namespaces end with the warden, and all that is in them."""

    def leftovers(self) -> list[str]:
        """Nothing can be."""
        return []


def open_scratch() -> None:
    """Let every identity write into the scratch directories: a runtime may have mounted them for root alone."""
    for root in ROOTS:
        os.chmod(root, 0o1777)  # noqa: S103 - as /tmp is


class Identities(_Kept):
    """A uid and gid for each probe, never used twice in the life of a container."""

    extra_tasks = 0

    def __init__(self, uid: int) -> None:
        self._uid = uid
        self._adopts = True

    def fork(self) -> int:
        """The warden keeps the identity of the supervisor."""
        return os.fork()

    def enter(self, limits: Frame) -> None:  # noqa: ARG002 - the container's own mounts hold the bounds
        """Orphans of the candidate come to the warden."""
        linux.die_with_parent()
        linux.set_dumpable(False)
        try:
            linux.become_subreaper()
        except OSError:  # as under gVisor: orphans come to the supervisor, and are reaped before its next probe
            self._adopts = False

    def as_owner(self, action: Callable[[], Any]) -> Any:
        """Run it in a child with the probe's uid."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                self._drop()
                linux.set_dumpable(False)
                with os.fdopen(writer, "w") as out:
                    json.dump(action(), out)
                status = 0
            finally:
                os._exit(status)
        os.close(writer)
        with os.fdopen(reader) as answer:
            text = answer.read()
        _, status = os.waitpid(child, 0)
        if status != 0:
            raise OSError("cannot act as the owner of the scratch files")
        return json.loads(text)

    def become_candidate(self) -> None:
        """The probe's uid; with uid 0 go all capabilities. Out of memory, the kernel takes the candidate first."""
        linux.set_dumpable(True)  # or its own /proc files are closed to it
        _write("/proc/self/oom_score_adj", "1000")
        linux.drop_bounding_set()
        self._drop()

    def number_next(self, pid: int) -> None:
        """Pids are the container's."""

    def renew(self) -> None:
        """What the last probe left has been discarded; were anything still there, there would be no other one."""

    def _all(self) -> list[int]:
        """Everything that has the probe's uid."""
        found = []
        for name in os.listdir("/proc"):
            with suppress(OSError):
                if name.isdigit() and os.stat(f"/proc/{name}").st_uid == self._uid:
                    found.append(int(name))
        return found if self._adopts else list(living(found))

    def _kill_everything(self) -> None:
        """Only a process of their uid may signal them all at once."""
        if self.pids():
            self.as_owner(self._kill_own)

    def discard(self) -> None:
        """Everything in the scratch directories of the container."""
        for root in ROOTS:
            scratch.empty(root)

    def leftovers(self) -> list[str]:
        """Its processes and files; the last of its processes may take a moment to go."""
        deadline = time.monotonic() + 2
        while (left := self._left()) and time.monotonic() < deadline:
            time.sleep(0.005)
        return left

    def _left(self) -> list[str]:
        left = [f"process {pid}" for pid in self.pids()]
        for root in ROOTS:
            left += [f"file {root}/{name.encode('utf-8', 'backslashreplace').decode()}" for name in os.listdir(root)]
        return left

    def _drop(self) -> None:
        os.setgroups([])
        os.setresgid(self._uid, self._uid, self._uid)
        os.setresuid(self._uid, self._uid, self._uid)

    @staticmethod
    def _kill_own() -> None:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
