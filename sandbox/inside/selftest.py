"""Tries, as a candidate would, to break what the sandbox promises, and prints what each attempt saw.

Usage: ``selftest.py reach CONFIG`` prints one JSON object, name to ``[held, observed]``;
``selftest.py NAME`` runs into one limit and prints how far it came.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Result = tuple[bool, str]
_CLOSED = ("/", "/usr", "/etc", "/candidate", "/opt/forge", "/opt/trusted", "/dev", "/bin", "/var", "/root", "/home")
_SCRATCH = ("/work", "/tmp", "/dev/shm")  # noqa: S108 - paths inside the sandbox
_CLONE_NEWUSER = 0x10000000
_AF_VSOCK = 40
_PR_GET_NO_NEW_PRIVS = 39
_CALLS = {
    "x86_64": {"io_uring_setup": 425, "keyctl": 250, "bpf": 321, "userfaultfd": 323, "perf_event_open": 298},
    "aarch64": {"io_uring_setup": 425, "keyctl": 219, "bpf": 280, "userfaultfd": 282, "perf_event_open": 241},
}


def reach(config: dict[str, Any]) -> dict[str, Result]:
    """Everything that needs no limit."""
    return {
        "network.loopback": _refused(lambda: _connect(socket.AF_INET, ("127.0.0.1", config["port"]))),
        "network.abstract_socket": _refused(lambda: _connect(socket.AF_UNIX, "\0" + config["token"])),
        "network.outside": _outside(),
        "root.read_only": _read_only(),
        "host.file": _refused(lambda: Path(config["file"]).read_text(encoding="utf-8")),
        "host.environment": _absent("environ", config["token"]),
        "host.process": _absent("cmdline", config["token"]),
        "host.namespaces": _namespaces(config["namespaces"]),
        "privileges.capabilities": _capabilities(),
        "privileges.no_new_privileges": _no_new_privileges(),
        "privileges.identity": (os.getuid() != 0 and os.geteuid() != 0, f"uid {os.getuid()}"),
        "system_calls.filter": _status("Seccomp", "2"),
        "system_calls.refused": _system_calls(),
        "system_calls.namespaces": _new_namespace(),
        "supervisor.unreachable": _others(),
        "scratch.fresh": _fresh(),
    }


def _refused(attempt: Callable[[], object]) -> Result:
    try:
        attempt()
    except OSError as error:
        return True, f"refused: {error.strerror}"
    return False, "it succeeded"


def _connect(family: int, address: Any) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(2)
        client.connect(address)


def _outside() -> Result:
    names = [name for _, name in socket.if_nameindex() if name != "lo"]
    routed = []
    for family, address in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as client:
            client.connect((address, 53))
            routed.append(address)
    up = [name for name in names if _is_up(name)]
    return not up and not routed, f"interfaces up besides lo: {up or 'none'}; routes to: {routed or 'none'}"


def _is_up(name: str) -> bool:
    try:
        flags = Path(f"/sys/class/net/{name}/flags").read_text(encoding="ascii")
    except OSError:
        return name not in ("tunl0", "sit0", "ip6tnl0", "gre0", "gretap0", "erspan0", "ip_vti0", "ip6_vti0", "ip6gre0")
    return bool(int(flags, 16) & 1)


def _read_only() -> Result:
    written = []
    for directory in _CLOSED:
        path = Path(directory, "forge-selftest")
        with contextlib.suppress(OSError):
            path.write_text("x", encoding="utf-8")
            written.append(directory)
            path.unlink()
    return not written, f"written: {written or 'nowhere'}"


def _processes() -> Iterator[int]:
    yield from (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())


def _absent(file: str, token: str) -> Result:
    seen, read = [], 0
    if file == "environ" and token in os.environ.values():
        seen.append("own environment")
    for pid in _processes():
        with contextlib.suppress(OSError):
            data = Path(f"/proc/{pid}/{file}").read_bytes()
            read += 1
            if token.encode() in data and pid != os.getpid():
                seen.append(f"process {pid}")
    return not seen, f"seen in: {seen or 'nowhere'} of {read} readable"


def _namespaces(host: dict[str, str]) -> Result:
    shared = []
    for name, identity in host.items():
        with contextlib.suppress(OSError):
            if str(Path(f"/proc/self/ns/{name}").readlink()) == identity:
                shared.append(name)
    return not shared, f"shared with the host: {shared or 'none'} of {sorted(host)}"


def _field(name: str) -> str:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return value.strip()
    return "absent"


def _status(name: str, expected: str) -> Result:
    value = _field(name)
    return value == expected, f"{name} {value}"


def _capabilities() -> Result:
    sets = {name: _field(name) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")}
    if sets["CapAmb"] == "absent":  # a kernel without ambient capabilities
        del sets["CapAmb"]
    return all(value.strip("0") == "" for value in sets.values()), ", ".join(f"{k} {v}" for k, v in sets.items())


def _no_new_privileges() -> Result:
    value = ctypes.CDLL(None).prctl(_PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
    return value == 1, f"NoNewPrivs {value}"


def _system_calls() -> Result:
    libc = ctypes.CDLL(None, use_errno=True)
    allowed = []
    for name, number in _CALLS.get(os.uname().machine, {}).items():
        if libc.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != 1:
            allowed.append(f"{name} (errno {ctypes.get_errno()})")
    if libc.ptrace(0, 0, 0, 0) != -1:
        allowed.append("ptrace")
    with contextlib.suppress(OSError):
        socket.socket(_AF_VSOCK, socket.SOCK_STREAM).close()
        allowed.append("AF_VSOCK")
    return not allowed, f"not refused: {allowed or 'none'}"


def _new_namespace() -> Result:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWUSER) == 0:
        return False, "a new user namespace was made"
    return True, f"refused: {os.strerror(ctypes.get_errno())}"


def _others() -> Result:
    """No process but our own can be read, and none dies of our signals."""
    mine = os.getpid()
    others = [pid for pid in _processes() if pid != mine and b") Z " not in _bytes(f"/proc/{pid}/stat")]
    reached = []
    for pid in others:
        reached += [f"{file} of {pid}" for file in ("environ", "maps") if _bytes(f"/proc/{pid}/{file}")]
        with contextlib.suppress(OSError):
            Path(f"/proc/{pid}/mem").open("r+b").close()
            reached.append(f"memory of {pid}")
        with contextlib.suppress(OSError):
            if list(Path(f"/proc/{pid}/fd").iterdir()):
                reached.append(f"descriptors of {pid}")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
        for pid in others:
            with contextlib.suppress(OSError):
                os.kill(pid, number)
    time.sleep(0.02)
    ended = set(others) - set(_processes())
    return not reached and not ended, f"reached: {reached or 'nothing'}; ended: {sorted(ended) or 'none'}"


def _bytes(path: str) -> bytes:
    with contextlib.suppress(OSError):
        return Path(path).read_bytes()
    return b""


def _fresh() -> Result:
    found = [f"{root}/{path.name}" for root in _SCRATCH for path in Path(root).iterdir()]
    return not found, f"found: {found or 'nothing'}"


def leave_traces() -> int:
    """Leave what the next probe must not find, files and a process of a session of its own, and run into a limit."""
    for root in _SCRATCH:
        Path(root, "trace").mkdir(mode=0o700)
        Path(root, "trace", "file").write_text("x", encoding="utf-8")
    if os.fork() == 0:
        os.setsid()
        for descriptor in range(3):
            os.close(descriptor)
        time.sleep(600)
    return output_bytes()


def wall_ms() -> int:
    """Do nothing for too long."""
    time.sleep(60)
    return 0


def cpu_ms() -> int:
    """Two processes compute for too long."""
    os.fork()
    while True:
        pass


def memory_bytes() -> int:
    """Two processes hold too much together."""
    os.fork()
    held = []
    while True:
        held.append(b"x" * (1 << 20))


def processes() -> int:
    """Start sleeping children until refused."""
    count = 0
    with contextlib.suppress(OSError):
        while count < 10_000:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            count += 1
    time.sleep(0.2)
    return count


def file_bytes() -> int:
    """One file without end."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    return _fill(Path("/work/file"))


def scratch_bytes() -> int:
    """Many files, none too large."""
    return sum(_fill(Path(f"/work/{number}"), 1 << 20) for number in range(64))


def scratch_inodes() -> int:
    """Many empty files."""
    count = 0
    with contextlib.suppress(OSError):
        while count < 1_000_000:
            Path(f"/work/{count}").touch(exist_ok=False)
            count += 1
    return count


def open_files() -> int:
    """Many descriptors."""
    held: list[int] = []
    with contextlib.suppress(OSError):
        while len(held) < 100_000:
            held.append(os.dup(0))
    return len(held)


def output_bytes() -> int:
    """Output without end."""
    while True:
        os.write(1, b"x" * 65536)


def _fill(path: Path, most: int = 1 << 30) -> int:
    size = 0
    with contextlib.suppress(OSError), path.open("wb", buffering=0) as file:
        while size < most:
            size += file.write(b"x" * 65536)
    return size


def main(arguments: list[str]) -> None:
    """As the module says; a limit that stopped nothing exits with 0, one that the program met with 1."""
    if arguments[0] == "reach":
        print(json.dumps(reach(json.loads(arguments[1]))))
        return
    print(globals()[arguments[0]](), flush=True)
    sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
