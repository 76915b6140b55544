"""From fork to exec: the last steps of our code in the process that becomes the candidate."""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import Sequence
from typing import NoReturn

from . import freeze, linux
from .limits import set_kernel_limits
from .separation import WORK, Separation
from .wire import Frame

NOT_FOUND, NOT_EXECUTABLE = 127, 126
_ABOVE = 16


def become(
    probe: Frame, streams: Sequence[int], report: int, seccomp: bytes, separation: Separation, *, traced: bool
) -> NoReturn:
    """Never returns. ``streams`` become descriptors 0, 1, 2 and so on.

    ``report`` is closed by a successful exec, else it gets ``exec <errno>`` or ``setup <why>``.
    """
    code = NOT_EXECUTABLE
    report = fcntl.fcntl(report, fcntl.F_DUPFD_CLOEXEC, _ABOVE)
    try:
        if traced:
            freeze.trace_me()
        _prepare(probe["limits"], streams, seccomp, separation)
        environment = {_raw(name): _raw(value) for name, value in probe["environment"].items()}
        argv = [_raw(argument) for argument in probe["argv"]]
        os.execvpe(argv[0], argv, environment)  # noqa: S606 - the candidate; there is no shell
    except FileNotFoundError as error:
        code = NOT_FOUND
        os.write(report, f"exec {error.errno}".encode())
    except _SetupError as error:
        os.write(report, f"setup {error}".encode()[:4_000])
    except OSError as error:
        os.write(report, f"exec {error.errno}".encode())
    finally:
        os._exit(code)


class _SetupError(Exception):
    pass


def _prepare(limits: Frame, streams: Sequence[int], seccomp: bytes, separation: Separation) -> None:
    try:
        os.setsid()
        moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _ABOVE) for descriptor in streams]
        for target, descriptor in enumerate(moved):
            os.dup2(descriptor, target)
        os.chdir(WORK)
        os.umask(0o022)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        set_kernel_limits(limits, limits["processes"] + separation.extra_tasks)
        separation.become_candidate()
        linux.no_new_privileges()
        linux.install_seccomp(seccomp)
    except BaseException as error:
        raise _SetupError(f"{type(error).__name__}: {error}") from error


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
