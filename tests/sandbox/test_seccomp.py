"""DEC-05: the filter's program, run by a small interpreter of classic BPF."""

from __future__ import annotations

import struct

import pytest

from sandbox import seccomp
from sandbox.base import SandboxUnavailable

ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
FOREIGN = {"x86_64": 0x40000003, "aarch64": 0x40000028}


def verdict(machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """What the kernel would do with a system call."""
    audit = seccomp.ARCHITECTURES[machine].audit if audit is None else audit
    data = struct.pack("=IIQ6Q", number, audit, 0, *(arguments + (0,) * 6)[:6])
    program = list(struct.iter_unpack("=HBBI", seccomp.program(machine)))
    place = accumulator = 0
    while True:
        code, if_true, if_false, value = program[place]
        place += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
        else:
            tests = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}
            place += if_true if tests[code] else if_false


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_every_call_of_the_table_is_refused(machine: str) -> None:
    column = seccomp.ARCHITECTURES[machine].column
    numbers = {name: pair[column] for name, pair in seccomp.REFUSED.items() if pair[column] is not None}
    assert len(set(numbers.values())) == len(numbers)
    assert {name for name, number in numbers.items() if verdict(machine, number or 0) != EPERM} == set()
    assert verdict(machine, seccomp.UNKNOWN["clone3"][column]) == ENOSYS


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_arguments_decide_on_namespaces_and_socket_families(machine: str) -> None:
    column = seccomp.ARCHITECTURES[machine].column
    clone, socket = seccomp.CLONE[column], seccomp.SOCKET[column]
    assert verdict(machine, clone, 0x11 | 0x10000000) == EPERM
    assert verdict(machine, clone, 0x3D0F00) == ALLOW
    assert verdict(machine, socket, 40) == EPERM
    assert verdict(machine, socket, 2) == ALLOW


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_foreign_architecture_is_killed(machine: str) -> None:
    assert verdict(machine, 1, audit=FOREIGN[machine]) == KILL
    if machine == "x86_64":
        assert verdict(machine, 0x40000000 | 1) == KILL


@pytest.mark.parametrize("number", [0, 1, 9, 59, 60, 231, 257])
def test_ordinary_calls_are_allowed(number: int) -> None:
    assert verdict("x86_64", number) == ALLOW


def test_a_machine_without_a_table_is_unavailable_not_unfiltered() -> None:
    """Law 4."""
    with pytest.raises(SandboxUnavailable, match="riscv64"):
        seccomp.program("riscv64")
