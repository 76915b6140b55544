"""What the calls of test_warm.py do: each is a module of a line or two."""

# ruff: noqa: E501 - each program stands on one line, so that the table can be read
from __future__ import annotations

from typing import Any

WARM: dict[str, tuple[str, tuple[Any, ...]]] = {
    "plain": ("def f(x): return x * 2", (1, "a", [1.5], b"\0")),
    "state": ("n = 0\ndef f(x):\n    global n\n    n += 1; return [x, n]", (1, 2, 3)),
    "raises": ("def f(x): return 1 // x", (1, 0, "a")),
    "leaves": ("import sys, os\ndef f(x): sys.exit(x) if x < 9 else os._exit(x)", (0, 3, 9)),
    "dies": ("import os, signal\ndef f(x): os.kill(os.getpid(), x)", (15, 9, 6)),
    "prints": ("import sys\nprint('at import')\ndef f(x): print(x); print(x, file=sys.stderr); return x", (1, 2)),
    "files": ("def f(x): open('f', 'w').write(str(x)); open('/tmp/g', 'w'); return x", (1, 2)),
    "unclosed": ("def f(x):\n    global held\n    held = open('f', 'w'); held.write('kept'); return x", (1, 2)),
    "looks": ("import os\ndef f(x): return [os.listdir(p) for p in ('/work', '/tmp', '/dev/shm')] + [os.getcwd()]", (1, 2)),
    "identity": ("import os\ndef f(x): return [os.getpid() < 9 or x, os.getuid() > 0, os.getpgid(0) == os.getsid(0)]", (True,)),
    "descriptors": ("import os\ndef f(x): return sorted(os.listdir('/proc/self/fd'))", (1, 2)),
    "status": ("def f(x): return [l for l in open('/proc/self/status') if l[:6] in ('Tracer', 'Seccom', 'NoNewP', 'CapEff', 'Thread')]", (1,)),
    "own_files": ("import os\ndef f(x): return [os.stat('/proc/self/environ').st_uid == os.getuid(), len(open('/proc/self/environ').read()) > 9]", (1,)),
    "stdin": ("import sys\ndef f(x): return [sys.stdin.read(), sys.argv]", (1,)),
    "environment": ("import os\nHOME = os.environ['HOME']\ndef f(x): return [HOME, os.environ['TZ'], os.environ.get('_')]", (1,)),
    "limits": ("import resource as r\ndef f(x): return [list(r.getrlimit(n)) for n in (r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, r.RLIMIT_CPU)]", (1,)),
    "atexit": ("import atexit\natexit.register(lambda: print('bye'))\ndef f(x): return x", (1, 2)),
    "handler": ("import signal, os\nsignal.signal(signal.SIGUSR1, lambda *_: print('caught'))\ndef f(x): os.kill(os.getpid(), signal.SIGUSR1); return x", (1, 2)),
    "patches": ("import json, builtins, os, importlib\njson.dumps = lambda *a, **k: '{\"returned\": 5}'\nos.read = os.dup2 = os.close = os.fork = importlib.import_module = None\ndef f(x): return x", (1, 2)),
    "encoding": ("import forge_value\nforge_value.encode = lambda v: 42\ndef f(x): return x", (1, 2)),
    "forges": ("import os, json\ndef f(x):\n    b = json.dumps({'returned': 42}).encode(); os.write(4, len(b).to_bytes(4, 'big') + b); os._exit(0)", (1,)),
    "hangs": ("import time\ndef f(x): time.sleep(60)", (1,)),
    "floods": ("import os\ndef f(x):\n    while True: os.write(1, b'x' * 65536)", (1,)),
    "spins": ("def f(x):\n    while True: pass", (1,)),
    "grows": ("def f(x):\n    held = []\n    while True: held.append(b'x' * (1 << 20))", (1,)),
    "bombs": ("import os\ndef f(x):\n    while True:\n        try: os.fork()\n        except OSError: pass", (1, 2)),
    "pool": ("import multiprocessing as m\ndef f(x):\n    with m.Pool(2) as p: return p.map(abs, [-x, -2])", (1, 2)),
    "thread": ("import threading\ndef f(x):\n    t = threading.Thread(target=print, args=(x,)); t.start(); t.join(); return threading.active_count()", (1, 2)),
    "subprocess": ("import subprocess\ndef f(x): return subprocess.run(['sh', '-c', f'echo {x}'], capture_output=True).stdout", (1, 2)),
    "socket": ("import socket\ndef f(x):\n    s = socket.create_server(('127.0.0.1', 8123)); c = socket.create_connection(s.getsockname()); a, _ = s.accept(); a.close(); c.close(); s.close(); return x", (1, 2, 3)),
    "modes": ("import os\ndef f(x):\n    m = os.stat('/work').st_mode; os.path.isdir('/work/d') or os.mkdir('/work/d', 0); return m", (1, 2)),
    "inodes": ("import os\ndef f(x):\n    open('n', 'w').close(); return os.stat('n').st_ino > 0", (1, 2)),
    "random": ("import random\ndef f(x): return random.random() != random.random()", (1, 2)),
}  # fmt: skip
"""Name to source and arguments; ``f`` is called with each, and most are made warm."""

COLD: dict[str, tuple[str, str]] = {
    "raises": ("raise KeyError('import')", "raised"),
    "exits": ("import os; os._exit(3)", "ended"),
    "missing": ("import no_such_module", "raised"),
    "stderr": ("import sys; print('loud', file=sys.stderr)", "wrote output"),
    "stdout": ("print('x' * 100_000)", "wrote output"),
    "pipe": ("import os\nb = b'{\"returned\": 42}'\nos.write(4, len(b).to_bytes(4, 'big') + b)", "wrote output"),
    "threads": ("import threading, time\nthreading.Thread(target=time.sleep, args=(0.5,), daemon=True).start()", "threads"),
    "child": ("import os, time\nif os.fork() == 0:\n    time.sleep(0.4); os._exit(0)", "processes"),
    "session": ("import os, time\nif os.fork() == 0:\n    os.setsid(); [os.close(n) for n in (0, 1, 2, 4)]; time.sleep(600)", "processes"),
    "file": ("open('/work/left', 'w').write('x')", "wrote files"),
    "hidden_file": ("open('/dev/shm/left', 'w').write('x')", "wrote files"),
    "open_file": ("held = open('/etc/passwd')", "open"),
    "open_pipe": ("import os; held = os.pipe(); os.dup2(held[0], 40)", "open"),
    "open_socket": ("import socket; held = socket.socketpair()", "open"),
    "shared": ("import mmap; held = mmap.mmap(-1, 4096); held[0] = 1", "shares memory"),
    "locked_shared": ("import mmap, ctypes\nheld = mmap.mmap(-1, 4096)\nat = ctypes.addressof(ctypes.c_char.from_buffer(held))\nassert ctypes.CDLL(None).mprotect(ctypes.c_void_p(at), 4096, 1) == 0", "shares memory"),
    "timer": ("import signal; signal.setitimer(signal.ITIMER_VIRTUAL, 50)", "timer"),
    "directory": ("import os; os.chdir('/tmp')", "directory"),
    "large": ("held = b'x' * (60 << 20)", "memory"),
    "hangs": ("import time; time.sleep(60)", "wall_ms"),
    "execs": ("import os; os.execvp('true', ['true'])", "ended"),
    "stops": ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP); raise KeyError('after')", "kept"),
    "hook_opens": ("import os\nos.register_at_fork(before=lambda: os.open('/etc/passwd', os.O_RDONLY))", "open"),
    "hook_writes": ("import os\nos.register_at_fork(before=lambda: open('/tmp/x', 'w').close())", "wrote files"),
    "hook_hangs": ("import os, time\nos.register_at_fork(before=lambda: time.sleep(60))", "in time"),
    "hook_clones": ("import os, ctypes\nos.register_at_fork(before=lambda: ctypes.CDLL(None).syscall(56, 17 | 0x400, 0, 0, 0, 0))", "kept"),
    "bombs": ("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", "processes"),
}  # fmt: skip
"""What an import does that a copy would not show as it was, and a word of the reason that is said."""

MODULES = {
    "counter": """
        import os
        copies = []
        os.register_at_fork(before=lambda: copies.append(1))
        def count(x): return len(copies)
    """,
    "salted": """
        import os
        SALT = os.urandom(8)
        def salt(x): return SALT
    """,
    "reaching": """
        import os, resource, signal
        def others(): return [int(p) for p in os.listdir('/proc') if p.isdigit() and p not in ('1', str(os.getpid()))]
        def attempt(action, pid):
            try: return [str(action(pid))]
            except (OSError, ValueError) as error: return []
        def reads(x):
            return [file for pid in others() for file in ('mem', 'environ', 'fd', 'maps')
                    if attempt(lambda p: os.listdir(f'/proc/{p}/fd') if file == 'fd' else open(f'/proc/{p}/{file}', 'rb').read(1), pid)]
        def kills(x): return [attempt(lambda p: os.kill(p, signal.SIGKILL), pid) for pid in others()]
        def signals(x): return [attempt(lambda p: os.kill(p, signal.SIGUSR1), pid) for pid in others()]
        def limits(x): return [attempt(lambda p: resource.prlimit(p, resource.RLIMIT_NOFILE, (50, 50)), pid) for pid in others()]
        def nices(x): return [attempt(lambda p: os.setpriority(os.PRIO_PROCESS, p, 5), pid) for pid in others()]
        def binds(x): return [attempt(lambda p: os.sched_setaffinity(p, {0}), pid) for pid in others()]
        def quiet(x): return x
    """,
}
"""What the other tests call."""
