"""The behaviours that every backend must show, as tests that any package can run over its own backend.

Subclass `SandboxContract` in a test module and give it a fixture ``policy`` that returns the policy to open.
"""

# ruff: noqa: S101 - a suite of tests
from __future__ import annotations

import hashlib
import signal
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contracts.isolation import Limits, SandboxPolicy
from contracts.probe import CommandProbe, FileObservation, InputFile, Observation
from sandbox.base import Sandbox
from sandbox.contract_probes import CALLS, ProbeContract
from sandbox.opening import open_sandbox
from sandbox.owner import run_directory
from sandbox.toolbox import toolbox

MIB = 1024 * 1024

Run = Callable[..., Observation]


def python(code: str, **options: object) -> CommandProbe:
    """A probe that runs ``code``."""
    return CommandProbe.model_validate({"id": "p", "argv": ("python3", "-c", textwrap.dedent(code)), **options})


class SandboxContract(ProbeContract):
    """One behaviour per test. Limits are small, so that each is reached in a moment."""

    limits = Limits(
        wall_ms=20_000,
        cpu_ms=15_000,
        memory_bytes=192 * MIB,
        processes=24,
        file_bytes=4 * MIB,
        open_files=64,
        scratch_bytes=16 * MIB,
        scratch_inodes=512,
        output_bytes=2 * MIB,
        kept_bytes=64 * 1024,
    )

    @pytest.fixture(scope="class")
    @classmethod
    def tree(cls) -> Iterator[Path]:
        """A candidate of two files."""
        with run_directory() as directory:
            tree = directory / "tree"
            tree.mkdir()
            tree.chmod(0o755)
            for name, code in (("main.py", "print('hello')\n"), ("calls.py", CALLS)):
                (tree / name).write_text(code, encoding="utf-8")
                (tree / name).chmod(0o644)
            yield tree

    @pytest.fixture(scope="class")
    @classmethod
    def opened(cls, policy: SandboxPolicy, tree: Path) -> Iterator[Sandbox]:
        """One sandbox for all tests of the class: each probe must be as if it were the first."""
        with open_sandbox(policy.model_copy(update={"limits": cls.limits}), tree, toolbox()) as sandbox:
            yield sandbox

    @pytest.fixture
    def run(self, opened: Sandbox) -> Run:
        """Run Python code, or a probe."""

        def one(code: str | CommandProbe, **options: object) -> Observation:
            probe = python(code, **options) if isinstance(code, str) else code
            (observation,) = opened.run([probe])
            assert observation.leftovers == ()
            return observation

        return one

    def test_isolation_was_measured_and_is_reported(self, opened: Sandbox) -> None:
        """Law 4."""
        assert opened.report.isolated
        assert len(opened.report.checks) > 20
        assert set(opened.report.enforced) == set(Limits.model_fields) - {"kept_bytes"}
        assert opened.report.root
        assert opened.report.tools

    def test_exit_status_and_streams_come_back_exactly(self, run: Run) -> None:
        """A run is its exit status and its two streams."""
        seen = run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
        assert (seen.outcome, seen.exit_code, seen.signal, seen.limit) == ("exited", 3, None, None)
        assert (seen.stdout.head, seen.stderr.head) == (b"out\n", b"err\n")
        assert (seen.stdout.length, seen.stdout.truncated) == (4, False)
        assert seen.stdout.digest == "sha256:" + hashlib.sha256(b"out\n").hexdigest()

    def test_the_candidate_is_run_where_it_lies(self, run: Run) -> None:
        """``/candidate`` is the tree, ``/work`` the working directory, ``/opt/forge`` the tools."""
        seen = run(CommandProbe(id="p", argv=("python3", "/candidate/main.py")))
        assert seen.stdout.head == b"hello\n"
        seen = run("import os; print(os.getcwd(), os.path.isdir('/opt/forge/site/pytest'))")
        assert seen.stdout.head == b"/work True\n"

    def test_observations_come_in_the_order_of_the_probes(self, opened: Sandbox) -> None:
        """One observation for each probe, under its id."""
        probes = [python(f"print({number})", id=f"p{number}") for number in range(5)]
        seen = list(opened.run(probes))
        assert [(item.probe, item.stdout.head) for item in seen] == [(f"p{n}", f"{n}\n".encode()) for n in range(5)]

    def test_the_environment_is_the_policys_and_the_probes_and_nothing_else(
        self, run: Run, policy: SandboxPolicy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """SBX-02."""
        monkeypatch.setenv("FORGE_SECRET", "canary")
        seen = run("import os; print(sorted(os.environ.items()))", environment={"MINE": "1"})
        variables = dict(eval(seen.stdout.head))  # noqa: S307 - printed by the line above
        assert "canary" not in variables.values()
        assert variables.pop("MINE") == "1"
        assert set(variables) - {"PATH", "LD_LIBRARY_PATH", "LC_CTYPE"} == set(policy.environment)

    def test_a_probe_has_a_name_a_group_and_a_home(self, run: Run) -> None:
        """Whatever its identity, and however many were there before it."""
        code = """
            import getpass, grp, os, pwd
            own, group = pwd.getpwuid(os.getuid()), grp.getgrgid(os.getgid())
            print(getpass.getuser(), own.pw_name, own.pw_dir, own.pw_gid == os.getgid(), group.gr_name)
        """
        for _ in range(3):
            assert run(code).stdout.head == b"probe probe /work True probe\n"

    def test_no_input_is_end_of_file_at_once(self, run: Run) -> None:
        """SBX-10."""
        assert run("import sys; print(repr(sys.stdin.read()))").stdout.head == b"''\n"

    def test_input_bytes_arrive_unchanged(self, run: Run) -> None:
        """Any bytes, more than a pipe holds."""
        data = bytes(range(256)) * 4096
        seen = run("import sys,hashlib; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())", stdin=data)
        assert seen.stdout.head.decode().strip() == hashlib.sha256(data).hexdigest()

    def test_unread_input_does_not_hold_up_the_run(self, run: Run) -> None:
        """A program that never reads its input."""
        seen = run("print('done')", stdin=b"x" * MIB)
        assert (seen.outcome, seen.stdout.head) == ("exited", b"done\n")

    def test_a_signal_is_no_exit_status(self, run: Run) -> None:
        """139 is a status that a program may choose; SIGSEGV is none."""
        seen = run("import os,signal; os.kill(os.getpid(), signal.SIGSEGV)")
        assert (seen.outcome, seen.signal, seen.exit_code) == ("signalled", signal.SIGSEGV, None)
        seen = run("import os; os._exit(139)")
        assert (seen.outcome, seen.signal, seen.exit_code) == ("exited", None, 139)

    def test_signals_have_their_default_action(self, run: Run) -> None:
        """A closed pipe ends a program as it does in a shell."""
        seen = run(CommandProbe(id="p", argv=("sh", "-c", "yes | head -n 1; kill -PIPE $$")))
        assert (seen.outcome, seen.signal, seen.stdout.head) == ("signalled", signal.SIGPIPE, b"y\n")

    def test_a_command_that_is_not_there_says_so(self, run: Run) -> None:
        """As a shell does: 127, and 126 for what may not be executed."""
        seen = run(CommandProbe(id="p", argv=("no-such-program",)))
        assert (seen.outcome, seen.exit_code) == ("exited", 127)
        assert seen.detail is not None
        assert "no-such-program" in seen.detail
        assert run(CommandProbe(id="p", argv=("/candidate/main.py",))).exit_code == 126

    def test_files_go_in_and_changes_come_out(self, run: Run) -> None:
        """Created and changed files are observed, untouched inputs are not; sorted by raw path."""
        files = (
            InputFile(path="in/kept", content=b"kept"),
            InputFile(path="in/changed", content=b"old"),
            InputFile(path="tool", content=b"#!/bin/sh\necho ran\n", executable=True),
        )
        code = """
            import os, subprocess
            print(open('in/kept').read(), subprocess.run(['./tool'], capture_output=True).stdout)
            open('in/changed', 'w').write('new')
            os.makedirs('out/deep'); open('out/deep/b', 'wb').write(b'\\0\\xff')
            os.chmod('out/deep/b', 0o755)
            os.symlink('/etc/passwd', 'link'); os.mkfifo('fifo')
        """
        seen = run(code, files=files)
        assert seen.stdout.head == b"kept b'ran\\n'\n"
        assert [(f.path, f.kind, f.content, f.executable) for f in seen.files] == [
            ("fifo", "other", None, False),
            ("in/changed", "file", b"new", False),
            ("link", "link", b"/etc/passwd", False),
            ("out", "directory", None, False),
            ("out/deep", "directory", None, False),
            ("out/deep/b", "file", b"\0\xff", True),
        ]

    def test_any_name_mode_and_depth_is_observed(self, run: Run) -> None:
        """SCN-43, SBX-15, SBX-18."""
        code = """
            import os
            open(b'\\xff\\n', 'w').write('x')
            os.mkdir('closed'); open('closed/f', 'w').write('c'); os.chmod('closed/f', 0); os.chmod('closed', 0)
            for _ in range(400): os.mkdir('d'); os.chdir('d')
            open('end', 'w').write('e')
        """
        found = {file.path: file for file in run(code).files}
        assert content(found["%FF%0A"]) == b"x"
        assert content(found["closed/f"]) == b"c"
        assert content(found["d/" * 400 + "end"]) == b"e"

    def test_a_large_file_is_known_by_its_digest(self, run: Run) -> None:
        """Contents above the cap are not kept; size and digest are."""
        (seen,) = run("open('large', 'wb').write(b'x' * 3_000_000)").files
        assert (seen.size, seen.content) == (3_000_000, None)
        assert seen.digest == "sha256:" + hashlib.sha256(b"x" * 3_000_000).hexdigest()

    def test_output_is_bytes(self, run: Run) -> None:
        """SCN-35: NUL, invalid UTF-8, escape sequences."""
        data = bytes(range(256)) + b"\x1b]0;title\x07\xed\xa0\x80"
        assert run(f"import os; os.write(1, {data!r})").stdout.head == data

    def test_a_stream_over_the_cap_is_known_whole(self, run: Run) -> None:
        """SCN-30: length and digest of the whole, head and tail kept, and it says so."""
        data = b"".join(b"%07d\n" % number for number in range(20_000))
        seen = run("for n in range(20_000): print('%07d' % n)").stdout
        assert (seen.length, seen.truncated) == (len(data), True)
        assert seen.digest == "sha256:" + hashlib.sha256(data).hexdigest()
        assert seen.head == data[: 32 * 1024]
        assert seen.tail == data[-32 * 1024 :]

    def test_trailing_output_is_never_lost(self, opened: Sandbox) -> None:
        """SCN-31."""
        probe = python("import os; os.write(1, b'x' * 50_000 + b'END'); os._exit(0)")
        seen = list(opened.run([probe] * 25))
        assert [(item.stdout.length, item.stdout.head[-3:]) for item in seen] == [(50_003, b"END")] * 25

    def test_nothing_of_a_probe_is_there_for_the_next(self, run: Run) -> None:
        """DEC-04: files, processes, shared memory, sockets."""
        leave = """
            import os, socket, time
            for root in ('/work', '/tmp', '/dev/shm'):
                os.mkdir(root + '/d', 0o700); open(root + '/d/f', 'w').write('x')
                open(root + '/f', 'w').write('x')
            if os.fork() == 0:
                os.setsid()
                held = socket.socket(socket.AF_UNIX); held.bind('\\0left'); held.listen()
                os.close(0); os.close(1); os.close(2)
                time.sleep(600)
            while True: os.write(1, b'x' * 65536)
        """
        look = """
            import os, socket
            print([os.listdir(root) for root in ('/work', '/tmp', '/dev/shm')])
            print(socket.socket(socket.AF_UNIX).connect_ex('\\0left') != 0)
            print(sum(open(f'/proc/{p}/status').read().count('python3') for p in os.listdir('/proc') if p.isdigit()
                      and os.stat(f'/proc/{p}').st_uid == os.getuid() and p != '1'))
        """
        assert run(leave).outcome == "limit"
        assert run(look).stdout.head == b"[[], [], []]\nTrue\n1\n"

    def test_the_tree_and_the_root_cannot_be_written(self, run: Run) -> None:
        """The candidate is mounted read-only (DEC-07)."""
        code = """
            for path in ('/candidate/main.py', '/candidate/new', '/new', '/usr/new', '/etc/passwd', '/opt/forge/new'):
                try: open(path, 'w'); print('wrote', path)
                except OSError: pass
        """
        assert run(code).stdout.head == b""

    def test_a_hang_ends_at_the_wall_clock(self, run: Run) -> None:
        """A probe may tighten the limit and never loosen it; the end is by SIGKILL from outside."""
        code = "import signal,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
        seen = run(code, wall_ms=200)
        assert hit(seen) == ("wall_ms", 200)
        assert seen.timing.wall_ms < 5_000

    def test_a_probe_cannot_loosen_the_wall_clock(self, policy: SandboxPolicy, tree: Path) -> None:
        """BND-17."""
        limits = self.limits.model_copy(update={"wall_ms": 200})
        with open_sandbox(policy.model_copy(update={"limits": limits}), tree, toolbox()) as sandbox:
            (seen,) = sandbox.run([python("import time; time.sleep(60)", wall_ms=50_000)])
        assert hit(seen) == ("wall_ms", 200)

    def test_flooding_both_streams_ends_at_the_output_limit(self, run: Run) -> None:
        """SCN-15, SCN-34: the pipes are always drained."""
        code = """
            import os, threading
            def flood(descriptor):
                while True: os.write(descriptor, b'x' * 65536)
            threading.Thread(target=flood, args=(2,)).start(); flood(1)
        """
        seen = run(code)
        assert hit(seen) == ("output_bytes", 2 * MIB)
        assert seen.stdout.truncated
        assert seen.timing.wall_ms < 10_000

    def test_output_over_the_kept_cap_costs_no_time(self, run: Run) -> None:
        """SCN-34: no child blocks on a full pipe."""
        seen = run("import os\nfor _ in range(30): os.write(1, b'x' * 65536)")
        assert seen.outcome == "exited"
        assert seen.timing.wall_ms < 5_000

    def test_all_processes_together_are_held_to_memory(self, run: Run) -> None:
        """SCN-49: two processes, neither above the limit alone."""
        code = """
            import os, time
            os.fork()
            held = []
            for _ in range(150): held.append(b'x' * (1 << 20))
            time.sleep(20)
        """
        seen = run(code)
        assert hit(seen)[0] == "memory_bytes"
        assert seen.timing.peak_memory_bytes > 96 * MIB

    def test_shared_pages_count_once(self, run: Run) -> None:
        """Forked copies of one large process are not so many large processes."""
        code = """
            import os
            held = b'x' * (60 << 20)
            children = []
            for _ in range(8):
                pid = os.fork()
                if pid == 0:
                    import time; time.sleep(0.3); os._exit(0)
                children.append(pid)
            for pid in children: os.waitpid(pid, 0)
        """
        assert run(code).outcome == "exited"

    def test_cpu_time_of_all_processes_is_held(self, policy: SandboxPolicy, tree: Path) -> None:
        """Children count, waited for or not."""
        limits = self.limits.model_copy(update={"cpu_ms": 500})
        with open_sandbox(policy.model_copy(update={"limits": limits}), tree, toolbox()) as sandbox:
            (seen,) = sandbox.run([python("import os\nos.fork(); os.fork()\nwhile True: pass")])
        assert hit(seen) == ("cpu_ms", 500)

    def test_a_fork_bomb_ends_at_the_limit_of_processes(self, run: Run) -> None:
        """The kernel refuses, and the run is ended."""
        seen = run("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass")
        assert hit(seen) == ("processes", 24)

    def test_a_file_without_end_ends_at_its_limit(self, run: Run) -> None:
        """Whether the program dies of the signal or reports the error."""
        assert hit(run("f = open('f', 'wb')\nwhile True: f.write(b'x' * 65536)")) == ("file_bytes", 4 * MIB)
        shell = CommandProbe(id="p", argv=("sh", "-c", "exec cat /dev/zero > f"))
        assert hit(run(shell)) == ("file_bytes", 4 * MIB)

    def test_scratch_is_bounded_in_bytes_and_files(self, run: Run) -> None:
        """A full disk is the candidate's own (SCN-26)."""
        fill = "for n in range(99): open(f'f{n}', 'wb').write(b'x' * (1 << 20))"
        assert hit(run(fill)) == ("scratch_bytes", 16 * MIB)
        assert hit(run("for n in range(9999): open(f'f{n}', 'w').close()")) == ("scratch_inodes", 512)

    def test_open_files_are_bounded(self, run: Run) -> None:
        """RLIMIT_NOFILE."""
        seen = run("import os\ntry:\n    while True: last = os.dup(0)\nexcept OSError as e: print(last, e.errno)")
        assert seen.stdout.head == b"63 24\n"

    def test_a_child_that_outlives_its_parent_is_ended_and_named(self, opened: Sandbox) -> None:
        """SBX-07 without the exception of SBX-08, DEC-21: its own session, the pipes held open."""
        code = """
            import os, time
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    time.sleep(600)
                os._exit(0)
            print('done', flush=True)
        """
        started = time.monotonic()
        (seen,) = opened.run([python(code)])
        assert (seen.outcome, seen.exit_code, seen.stdout.head) == ("exited", 0, b"done\n")
        assert [item.partition(": ")[2].split(" ")[0] for item in seen.leftovers] == ["python3"]
        assert time.monotonic() - started < 20
        assert [again.leftovers for again in opened.run([python("print(1)")])] == [()]

    def test_a_child_that_soon_ends_is_no_leftover(self, run: Run) -> None:
        """DEC-09: what it still says belongs to the run."""
        code = """
            import os, time
            if os.fork() == 0:
                time.sleep(0.3); print('child', flush=True); os._exit(0)
            print('main', flush=True)
        """
        assert run(code).stdout.head == b"main\nchild\n"

    def test_signals_to_everything_reach_only_the_candidate(self, run: Run) -> None:
        """SCN-26: kill -9 of pid 1, of the parent, of all."""
        code = """
            import os, signal
            for number in (signal.SIGINT, signal.SIGSTOP, signal.SIGKILL):
                for pid in {1, 2, os.getppid()} - {os.getpid()}:
                    try: os.kill(pid, number)
                    except OSError: pass
            print('alive', flush=True)
            try: os.kill(-1, signal.SIGKILL)
            except OSError: pass
        """
        seen = run(code)
        assert seen.outcome in {"exited", "signalled"}
        assert seen.stdout.head == b"alive\n"
        assert run("print('next')").stdout.head == b"next\n"

    def test_the_loopback_is_the_probes_own(self, run: Run) -> None:
        """A server and its client in one probe can talk; nothing else can."""
        code = """
            import socket
            server = socket.create_server(('127.0.0.1', 0))
            client = socket.create_connection(server.getsockname()); client.sendall(b'hi')
            print(server.accept()[0].recv(2))
        """
        assert run(code).stdout.head == b"b'hi'\n"

    def test_programs_of_common_shape_work(self, run: Run) -> None:
        """DEC-09: threads, subprocesses, pools, temporary files, a shell, git and node are not refused."""
        code = """
            import concurrent.futures, multiprocessing, subprocess, tempfile, threading, asyncio, sqlite3, ctypes
            with tempfile.NamedTemporaryFile() as f: f.write(b'x')
            sqlite3.connect('a.db').execute('create table t (x)')
            with concurrent.futures.ThreadPoolExecutor(4) as pool: print(list(pool.map(abs, [-1, -2])))
            with multiprocessing.Pool(2) as pool: print(pool.map(abs, [-3, -4]))
            async def main():
                done = await asyncio.create_subprocess_exec('echo', 'async', stdout=subprocess.PIPE)
                return (await done.communicate())[0]
            print(asyncio.run(main()))
        """
        seen = run(code)
        assert (seen.stdout.head, seen.exit_code) == (b"[1, 2]\n[3, 4]\nb'async\\n'\n", 0), seen.stderr.head

    def test_use_does_not_grow_from_run_to_run(self, opened: Sandbox) -> None:
        """SCN-20: the measured CPU time and memory of run k do not depend on k."""
        seen = list(opened.run([python("sum(range(200_000))")] * 12))
        first, last = seen[:6], seen[6:]
        assert min(r.timing.cpu_ms for r in last) < 3 * max(r.timing.cpu_ms for r in first) + 20
        assert max(r.timing.peak_memory_bytes for r in last) < 1.2 * max(r.timing.peak_memory_bytes for r in first)

    def test_time_before_the_start_is_not_the_programs(self, run: Run) -> None:
        """SCN-58."""
        seen = run("import time; time.sleep(0.2)")
        assert 200 <= seen.timing.wall_ms < 5_000

    @pytest.mark.parametrize(
        "probe",
        [
            CommandProbe(id="p", argv=("a\0b",)),
            CommandProbe(id="p", argv=("true",), environment={"A\0": "x"}),
            CommandProbe(id="p", argv=("true",), environment={"A=B": "x"}),
            CommandProbe(id="p", argv=("true",), files=(InputFile(path="../up", content=b""),)),
            CommandProbe(id="p", argv=("true",), files=(InputFile(path="/abs", content=b""),)),
            CommandProbe(id="p", argv=("true",), files=(InputFile(path="a", content=b""),) * 2),
            CommandProbe(id="p", argv=("true",), files=(InputFile(path="a", content=b"x" * 17 * MIB),)),
        ],
    )
    def test_text_that_cannot_cross_is_refused_before_anything_starts(
        self, opened: Sandbox, probe: CommandProbe
    ) -> None:
        """ENC-01, SBX-19."""
        with pytest.raises(ValueError, match="probe p"):
            list(opened.run([probe]))

    def test_two_sandboxes_do_not_meet(self, policy: SandboxPolicy, tree: Path, opened: Sandbox) -> None:
        """SCN-23: closing one does not touch the other."""
        limited = policy.model_copy(update={"limits": self.limits})
        with open_sandbox(limited, tree, toolbox()) as other:
            assert [o.stdout.head for o in other.run([python("print(1)")])] == [b"1\n"]
        assert [o.stdout.head for o in opened.run([python("print(2)")])] == [b"2\n"]


def content(file: FileObservation) -> bytes | None:
    """What was kept of a file."""
    return file.content


def hit(observation: Observation) -> tuple[str, int]:
    """The limit that ended the run, which must have been reached."""
    limit = observation.limit
    assert observation.outcome == "limit", (observation.outcome, observation.exit_code, observation.stderr.head[-500:])
    assert limit is not None
    assert limit.observed >= limit.configured
    assert (observation.exit_code, observation.signal) == (None, None)
    return limit.name, limit.configured
