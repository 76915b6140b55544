"""DEC-06: the same program gives the same observation on the host's root, on a root file system and on Docker."""

from __future__ import annotations

import io
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from contracts.isolation import Limits, SandboxPolicy
from contracts.probe import CallProbe, CommandProbe, InputFile, Observation, Probe
from sandbox import opening, rootfs
from sandbox.base import SandboxUnavailable
from sandbox.toolbox import toolbox

MIB = 1024 * 1024
LIMITS = Limits(wall_ms=30_000, memory_bytes=128 * MIB, processes=24, file_bytes=2 * MIB, output_bytes=MIB)

PYTHON = (
    "print('hello')",
    "print(input())",
    "import sys; sys.exit(3)",
    "raise SystemExit('message')",
    "import os; os.abort()",
    "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "1 / 0",
    "import nothing_of_this_name",
    "import pydantic",
    "import numpy",
    "import sys; sys.stdout.buffer.write(bytes(range(256)))",
    "open('out.csv', 'w').write('a,b\\n1,2\\n')",
    "print(open('in.txt').read())",
    "print(open('/etc/passwd').read())",
    "print(open('/etc/hosts').read())",
    "print(open('/root/secret').read())",
    "open('/etc/new', 'w')",
    "import os; print(sorted(os.environ.items()) and os.environ['PATH'], os.environ['HOME'])",
    "import os; print(os.getcwd(), os.listdir('.'))",
    "import os; print(os.listdir('/home'), os.listdir('/tmp'))",
    "import time; print(time.tzname, time.localtime(0)[:6])",
    "import locale; print(locale.getpreferredencoding(), locale.setlocale(locale.LC_ALL, ''))",
    "print({'a', 'b', 'c', 'd'})",
    "print(hash('text'))",
    "import socket; print(socket.gethostname(), socket.gethostbyname('localhost'))",
    "import socket; socket.create_connection(('192.0.2.1', 80), 1)",
    "import urllib.request; urllib.request.urlopen('http://example.com', timeout=1)",
    "import json, csv, sqlite3, decimal, zoneinfo, hashlib, zlib, bz2, lzma, ssl, ctypes; print('all')",
    "import subprocess; print(subprocess.run(['sh', '-c', 'echo $0 $((1+2))'], capture_output=True).stdout)",
    "import multiprocessing as m; print(m.Pool(2).map(abs, [-1, -2]))",
    "import threading; t = threading.Thread(target=print, args=('t',)); t.start(); t.join()",
    "held = []\nwhile True: held.append(b'x' * (1 << 20))",
    "while True: print('x' * 1000)",
    "f = open('f', 'wb')\nwhile True: f.write(b'x' * 65536)",
    "import os; os.symlink('/etc/passwd', 'link'); os.mkfifo('fifo'); os.mkdir('d')",
    "def f(): return f()\nf()",
)
COMMANDS: tuple[Probe, ...] = (
    CommandProbe(id="p", argv=("sh", "-c", "sort in.txt | uniq -c; awk 'BEGIN {print 1/4}'")),
    CommandProbe(id="p", argv=("no-such-program",)),
    CommandProbe(id="p", argv=("python3", "-m", "pytest", "--version"), environment={"PYTHONPATH": "/opt/forge/site"}),
    CallProbe(id="p", module="json", function="loads", arguments=('{"a": [1, 2.5, null]}',)),
)
PROGRAMS: tuple[Probe, ...] = (
    *(
        CommandProbe(
            id="p", argv=("python3", "-c", code), stdin=b"line\n", files=(InputFile(path="in.txt", content=b"b\na\n"),)
        )
        for code in PYTHON
    ),
    *COMMANDS,
)
MEASURED = {"timing"}
SIZED = {"stdout", "stderr", "files", "detail"}
"""How much a program wrote before a limit ended it is a matter of time."""


@pytest.fixture(scope="module")
def archive(docker: SandboxPolicy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of the sandbox image, as its recipe wrote it."""
    import docker as sdk

    from sandbox.docker import IMAGE

    directory = tmp_path_factory.mktemp("image")
    client = sdk.from_env(timeout=120)
    try:
        with (directory / "image.tar").open("wb") as out:
            out.writelines(client.images.get(IMAGE).save())
    finally:
        client.close()
    with tarfile.open(directory / "image.tar") as image:
        layers = [name for name in image.getnames() if name.endswith("layer.tar")]
        if len(layers) != 1:
            pytest.skip("the image was not made by build.sh: it has more than one layer")
        layer = image.extractfile(layers[0])
        assert layer is not None
        with (directory / "layer.tar").open("wb") as out:
            shutil.copyfileobj(layer, out)
    (directory / "image.tar").unlink()
    return directory / "layer.tar"


@pytest.fixture(scope="module")
def root(archive: Path, bubblewrap: SandboxPolicy) -> SandboxPolicy:
    return bubblewrap.model_copy(update={"image": rootfs.unpack(archive)})


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tmp_path.chmod(0o755)
    return tmp_path


def comparable(observation: Observation) -> dict[str, Any]:
    """All that is no measurement; of a limit only its name, and of a run that it ended nothing that grew until then."""
    if observation.limit:
        return {**observation.model_dump(exclude=MEASURED | SIZED), "limit": observation.limit.name}
    last = observation.stderr.head.strip().rpartition(b"\n")[
        2
    ]  # above it a traceback names the interpreter's own files
    return {**observation.model_dump(exclude=MEASURED), "stderr": last}


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_forty_programs_are_seen_alike_everywhere(
    bubblewrap: SandboxPolicy, root: SandboxPolicy, docker: SandboxPolicy, tree: Path
) -> None:
    """The environment, the clock, crashes, what is not to be reached, each limit."""
    assert len(PROGRAMS) == 40
    seen = []
    for policy in (bubblewrap, root, docker):
        limited = policy.model_copy(update={"limits": LIMITS})
        with opening.open_sandbox(limited, tree, toolbox()) as sandbox:
            seen.append([comparable(observation) for observation in sandbox.run(PROGRAMS)])
    differing = [case for case in zip(PROGRAMS, *seen, strict=True) if not case[1] == case[2] == case[3]]
    assert differing == []


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_both_backends_name_one_root(root: SandboxPolicy, docker: SandboxPolicy) -> None:
    """The digest of the archive is that of the image's layer: sealed alike."""
    assert opening.measured(root).root == opening.measured(docker).root == f"rootfs:{root.image}"


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return


def packed(path: Path, *members: tuple[str, bytes, str]) -> Path:
    """An archive of (name, type, link target)."""
    with tarfile.open(path, "w") as out:
        for name, kind, target in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, target
            member.uid = member.gid = 12_345
            data = b"data" if kind == tarfile.REGTYPE else b""
            member.size = len(data)
            out.addfile(member, io.BytesIO(data))
    return path


def test_an_archive_is_unpacked_once_without_devices(own_cache: None, tmp_path: Path) -> None:
    members = (("./usr", tarfile.DIRTYPE, ""), ("./usr/f", tarfile.REGTYPE, ""), ("./bin", tarfile.SYMTYPE, "/usr"))
    archive = packed(
        tmp_path / "a.tar",
        (".", tarfile.DIRTYPE, ""),
        *members,
        ("./dev", tarfile.DIRTYPE, ""),
        ("./dev/null", tarfile.CHRTYPE, ""),
    )
    digest = rootfs.unpack(archive)
    place = rootfs.directory(digest)
    assert (place / "usr" / "f").read_bytes() == b"data"
    assert (place / "bin").readlink() == Path("/usr")
    assert list((place / "dev").iterdir()) == []
    (place / "mark").touch()
    assert rootfs.unpack(archive) == digest
    assert (place / "mark").exists()


@pytest.mark.parametrize("member", [("../out", tarfile.REGTYPE, ""), ("link/out", tarfile.REGTYPE, "")])
def test_an_archive_that_reaches_outside_is_refused(
    own_cache: None, tmp_path: Path, member: tuple[str, bytes, str]
) -> None:
    """Also through a link of its own."""
    archive = packed(tmp_path / "a.tar", ("link", tarfile.SYMTYPE, str(tmp_path)), member)
    with pytest.raises(tarfile.TarError):
        rootfs.unpack(archive)
    assert not (tmp_path / "out").exists()


def test_a_root_that_is_not_here_is_named(own_cache: None) -> None:
    """SCN-55: nor is another taken in its place."""
    with pytest.raises(SandboxUnavailable, match="there is no root file system sha256:0"):
        opening.measured(SandboxPolicy(image="sha256:" + "0" * 64))
