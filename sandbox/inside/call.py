"""Import a module of the candidate, call a function of it, and write what came of it to a pipe.

Descriptor 3 holds the request, descriptor 4 takes one frame: four bytes of length, big-endian, then JSON. Whoever runs
here may write what it likes there: it is read outside as a claim of what the function returned, no more (DEC-08).

A request that names a ``socket`` is to import the module and stop inside fork(2), where the supervisor freezes it: only
copies go on, each for one call, with descriptors of its own from that socket (DEC-10).
"""

import _signal  # type: ignore[import-not-found]  # what of `signal` every interpreter has loaded
import json
import os
import sys
from importlib import import_module
from typing import Any

REQUEST, ANSWER = 3, 4
HERE = "/opt/forge"
TREE = "/candidate"
WORK = "/work"
NOT_WARM = 75
MOST_BASES = 50

sys.path.insert(0, HERE)
import forge_value  # type: ignore[import-not-found]  # noqa: E402 - a copy of contracts/value.py, made by the toolbox

sys.path.remove(HERE)


def main() -> None:
    """One call, one frame; then the interpreter ends as any program does."""
    dumps, opened = json.dumps, open
    os.set_inheritable(ANSWER, False)
    with opened(REQUEST, "rb") as file:
        request = json.load(file)
    sys.path.insert(0, f"{TREE}/{request['root']}".rstrip("/"))
    if "socket" in request:
        request = _copied(request["module"], request["socket"])
    with opened(ANSWER, "wb", buffering=0, closefd=False) as answer:
        body = dumps(_outcome(request), separators=(",", ":")).encode("utf-8")
        data = memoryview(len(body).to_bytes(4, "big") + body)
        while data:
            data = data[answer.write(data) :]
    os.close(ANSWER)


def _copied(module: str, name: str) -> Any:
    """Import the module and freeze; the request of the copy that goes on.

    All that is needed afterwards is taken before: the module may replace it. In a state that a copy would not inherit,
    the module is not kept.
    """
    import _socket
    import gc

    connect, parse = _socket.socket, json.JSONDecoder().scan_once  # type: ignore[attr-defined]  # as json.decoder uses it
    chdir, close, dup2, read, set_inheritable = os.chdir, os.close, os.dup2, os.read, os.set_inheritable
    fork, getcwd, getitimer, getpid, kill, leave = os.fork, os.getcwd, _signal.getitimer, os.getpid, os.kill, os._exit
    gc.freeze()  # or the end of every copy would walk over all that is there by now, and copy each page
    for name_of_ours in ("_socket", "gc"):
        sys.modules.pop(name_of_ours)
    try:
        import_module(module)
        if getcwd() != WORK or any(getitimer(timer) != (0.0, 0.0) for timer in range(3)):
            leave(NOT_WARM)
    except BaseException:  # noqa: BLE001 - a call in an interpreter of its own will say what it was
        leave(NOT_WARM)
    chdir("/")
    for descriptor in (0, 1, 2, ANSWER):
        close(descriptor)
    kill(getpid(), _signal.SIGSTOP)
    if fork():
        leave(NOT_WARM)
    chdir(WORK)
    socket = connect(_socket.AF_UNIX, _socket.SOCK_STREAM)  # descriptor 0: what comes lands behind it
    socket.connect(b"\0" + name.encode())
    socket.recvmsg(1, 1024)
    dup2(ANSWER + 1, socket.detach())
    close(ANSWER + 1)
    set_inheritable(ANSWER, False)
    text = b""
    while part := read(REQUEST, 1 << 16):
        text += part
    close(REQUEST)
    return parse(text.decode(), 0)[0]


def _outcome(request: dict[str, Any]) -> dict[str, Any]:
    stage = "import"
    try:
        function: Any = import_module(request["module"])
        for name in request["function"].split("."):
            function = getattr(function, name)
        stage = "call"
        arguments = [forge_value.decode(item) for item in request["arguments"]]
        keywords = {name: forge_value.decode(item) for name, item in request["keywords"].items()}
        answer = {"returned": forge_value.encode(function(*arguments, **keywords))}
        return answer | ({"arguments": forge_value.encode(arguments)} if request["watched"] else {})
    except forge_value.ValueEncodingError as error:
        return {"unreadable": str(error)[:500]}
    except BaseException as error:  # noqa: BLE001 - whatever it raises is the answer
        kinds = [_name(kind) for kind in type(error).__mro__[:MOST_BASES]]
        return {"raised": {"stage": stage, "type": kinds[0], "bases": kinds[1:], "message": _message(error)}}


def _name(kind: type) -> str:
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return _plain(name, 400)


def _message(error: BaseException) -> str:
    try:
        return _plain(str(error), 1_000)
    except BaseException:  # noqa: BLE001 - the candidate's own method
        return ""


def _plain(text: str, most: int) -> str:
    return text[:most].encode("utf-8", "replace").decode("utf-8")


if __name__ == "__main__":
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    main()
