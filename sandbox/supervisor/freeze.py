"""Stop a child for good inside fork(2), and have the kernel copy it again and again (ptrace(2)).

The frozen process executes no instruction of its own any more but that one system call, so that no copy can learn
from it how many there were before, whatever code it holds.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
from collections.abc import Callable
from contextlib import suppress

from . import linux

_TRACEME, _CONT, _GETREGS, _SETREGS, _DETACH, _SYSCALL = 0, 7, 12, 13, 17, 24
_SETOPTIONS, _GETEVENTMSG = 0x4200, 0x4201
_SYSGOOD, _TRACE_FORK, _EXIT_KILL = 1, 2, 1 << 20
_EVENT_FORK = 1
_AT_SYSTEM_CALL = signal.SIGTRAP | 0x80

_CLONE, _PRCTL = 56, 157
_PARENT = 0x8000
_FORK_FLAGS = 0x01000000 | 0x00200000 | signal.SIGCHLD
"""What the C library's fork(2) passes: CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID."""

_RAX, _RSI, _RDI, _NUMBER, _RIP = 10, 13, 14, 15, 16
_INSTRUCTION = 2
"""Length of ``syscall``."""

_Registers = ctypes.c_ulonglong * 27

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.restype = ctypes.c_long


class LostError(Exception):
    """It has ended, or did something else than was expected of it."""


def supported() -> bool:
    """Whether the registers of this machine are known here."""
    return os.uname().machine == "x86_64"


def trace_me() -> None:
    """Called in the child, which stops at its next exec; raises OSError where tracing is refused."""
    _ptrace(_TRACEME, 0)


class Frozen:
    """A child that has called `trace_me`. After `enter_fork` and `close` it never runs again; ``copy`` forks it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._registers = _Registers()

    def begin(self) -> None:
        """At its first stop, that of exec: let it run. It ends with its tracer."""
        _ptrace(_SETOPTIONS, self.pid, 0, _SYSGOOD | _EXIT_KILL)
        self.resume(0)

    def resume(self, number: int) -> None:
        """Let it run until its next signal; ``number`` is the one to deliver now."""
        _ptrace(_CONT, self.pid, 0, number)

    def enter_fork(self, in_time: Callable[[], bool]) -> None:
        """From its next stop on, follow it into fork(2).

        Raises:
            LostError, OSError: it went elsewhere, or was not there in time.
        """
        entering = False
        while True:
            self._step(in_time)
            entering = not entering
            registers = self._read(self.pid)
            if entering and registers[_NUMBER] == _CLONE:
                break
        if registers[_RDI] != _FORK_FLAGS:
            raise LostError("it forked in a way of its own")
        self._registers = registers

    def close(self) -> None:
        """Keep its memory from every other process.

        Raises:
            LostError, OSError: it has ended.
        """
        registers = _Registers(*self._registers)
        registers[_NUMBER], registers[_RDI], registers[_RSI] = _PRCTL, linux.PR_SET_DUMPABLE, 0
        self._write(self.pid, registers)
        self._step()
        if self._read(self.pid)[_RAX] != 0:
            raise LostError("its memory cannot be closed")
        _ptrace(_SETOPTIONS, self.pid, 0, _SYSGOOD | _EXIT_KILL | _TRACE_FORK)

    def copy(self) -> int:
        """A child of ours that returns from fork(2) as the copy does: its pid.

        Raises:
            LostError, OSError: the frozen process has ended.
        """
        registers = _Registers(*self._registers)
        registers[_RDI] |= _PARENT
        self._write(self.pid, _at(registers, _CLONE))
        self._step()
        _ptrace(_SYSCALL, self.pid)
        self._expect(signal.SIGTRAP | _EVENT_FORK << 8)
        message = ctypes.c_ulong()
        _ptrace(_GETEVENTMSG, self.pid, 0, ctypes.addressof(message))
        self._step()
        child = int(message.value)
        try:
            _open_to_itself(child)
        except BaseException:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            raise
        return child

    def _step(self, in_time: Callable[[], bool] | None = None) -> None:
        """To the next entry to, or return from, a system call. Signals wait, but before it is frozen."""
        number = 0
        while True:
            _ptrace(_SYSCALL, self.pid, 0, number)
            stop = _wait(self.pid, in_time)
            if stop == _AT_SYSTEM_CALL:
                return
            if stop > 0xFF:
                raise LostError("it stopped in an unknown way")
            number = stop if in_time else 0

    def _expect(self, stop: int) -> None:
        if _wait(self.pid) != stop:
            raise LostError("it stopped in an unknown way")

    @staticmethod
    def _read(pid: int) -> ctypes.Array[ctypes.c_ulonglong]:
        registers = _Registers()
        _ptrace(_GETREGS, pid, 0, ctypes.addressof(registers))
        return registers

    @staticmethod
    def _write(pid: int, registers: ctypes.Array[ctypes.c_ulonglong]) -> None:
        _ptrace(_SETREGS, pid, 0, ctypes.addressof(registers))


def _open_to_itself(child: int) -> None:
    """Give a new copy, still stopped, what the frozen process was denied: its own files in /proc. Let it go."""
    if _wait(child) != signal.SIGSTOP:
        raise LostError("a copy did not start")
    before = Frozen._read(child)
    registers = _Registers(*before)
    registers[_RDI], registers[_RSI] = linux.PR_SET_DUMPABLE, 1
    Frozen._write(child, _at(registers, _PRCTL))
    for _ in range(2):
        _ptrace(_SYSCALL, child)
        if _wait(child) != _AT_SYSTEM_CALL:
            raise LostError("a copy did not start")
    Frozen._write(child, before)
    _ptrace(_DETACH, child)


def _at(registers: ctypes.Array[ctypes.c_ulonglong], number: int) -> ctypes.Array[ctypes.c_ulonglong]:
    """About to make the system call ``number`` by the instruction that it came from."""
    registers[_RIP] -= _INSTRUCTION
    registers[_RAX] = number
    registers[_NUMBER] = (1 << 64) - 1  # or the kernel takes it for one that was interrupted
    return registers


def _wait(pid: int, in_time: Callable[[], bool] | None = None) -> int:
    """The next stop of a traced process, its event in the second byte."""
    while True:
        found, status = os.waitpid(pid, os.WNOHANG if in_time else 0)
        if found:
            break
        if in_time and not in_time():
            raise LostError("it did not come to an end in time")
        select.poll().poll(1)
    if not os.WIFSTOPPED(status):
        raise LostError("it has ended")
    return status >> 8


def _ptrace(request: int, pid: int, address: int = 0, data: int = 0) -> None:
    arguments = (ctypes.c_long(request), ctypes.c_long(pid), ctypes.c_void_p(address), ctypes.c_void_p(data))
    if _libc.ptrace(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"ptrace: {os.strerror(number)}")
