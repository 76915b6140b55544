"""Stand-ins for modules of the candidate, which is not here: a call of one is answered from outside (law 1).

The first time that a test makes a call it ends there, and the call is written to the manifest. It is then made in a
sandbox of its own, and the tests run again with the answer. Arguments and results are plain values: a result has no
methods of the candidate's, and no code of the candidate ever runs beside the tests.
"""

import builtins
import json
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

sys.path.insert(0, "/opt/forge")
import forge_value  # type: ignore[import-not-found]

sys.path.remove("/opt/forge")

ERRORS = ("Error", "Exception", "Warning")


class NotAnswered(BaseException):
    """The call is not known yet; the test ends here."""


class NoPlainValue(Exception):  # noqa: N818
    """The call did not come back with a value."""


class Apart:
    """Imports below ``subject`` give stand-ins; ``answers`` map a call's number to what came of it."""

    def __init__(self, subject: list[str], answers: dict[str, Any], write: Callable[[dict[str, Any]], None]) -> None:
        self._subject, self._answers, self._write = subject, answers, write
        self._test, self._made = "", dict[str, int]()
        self._kinds: dict[str, type[BaseException]] = {}
        if subject:
            sys.meta_path.insert(0, self)

    def enter_test(self, name: str) -> None:
        """Calls are told apart by the test that makes them."""
        self._test = name

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        """As `importlib.abc`."""
        for subject in self._subject:
            if f"{name}.".startswith(f"{subject}.") or subject.startswith(f"{name}."):
                return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type] # a loader by its methods
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """As `importlib.abc`."""
        return _Module(spec.name, self)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to run."""

    def attribute(self, dotted: str) -> Any:
        """What stands at a dotted name: an exception's class by its name, else something to call."""
        return self.kind(dotted, ()) if dotted.endswith(ERRORS) else _Callable(dotted, self)

    def kind(self, name: str, bases: tuple[str, ...]) -> type[BaseException]:
        """The class of exceptions of a name; unknown ones derive from the nearest built-in one."""
        known = getattr(builtins, name, None)
        if isinstance(known, type) and issubclass(known, BaseException):
            return known
        if name not in self._kinds:
            found = (getattr(builtins, base, None) for base in bases)
            parent = next((base for base in found if isinstance(base, type) and issubclass(base, BaseException)), None)
            self._kinds[name] = type(name.rpartition(".")[2], (parent or Exception,), {})
        return self._kinds[name]

    def call(self, dotted: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """The answer to a call; its lists, sets and mappings are changed as they were there."""
        call: dict[str, Any] = {
            "test": self._test,
            "name": dotted,
            "arguments": [forge_value.encode(item) for item in arguments],
            "keywords": {name: forge_value.encode(item) for name, item in keywords.items()},
        }
        text = json.dumps(call, sort_keys=True)
        self._made[text] = call["time"] = self._made.get(text, 0) + 1
        answer = self._answers.get(json.dumps(call, sort_keys=True))
        if answer is None:
            self._write({"call": call})
            raise NotAnswered(dotted)
        if "raised" in answer:
            raise self.kind(answer["raised"], tuple(answer["bases"]))(answer["message"])
        if "returned" not in answer:
            raise NoPlainValue(f"{dotted}: {answer['unreadable']}")
        for here, there in zip(arguments, answer["arguments"] or (), strict=False):
            _change(here, forge_value.decode(there))
        return forge_value.decode(answer["returned"])


class _Module(ModuleType):
    def __init__(self, name: str, apart: Apart) -> None:
        super().__init__(name)
        self.__path__: list[str] = []
        self._forge_apart = apart

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._forge_apart.attribute(f"{self.__name__}.{name}")


class _Callable:
    def __init__(self, dotted: str, apart: Apart) -> None:
        self._dotted, self._apart = dotted, apart

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._apart.attribute(f"{self._dotted}.{name}")

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._apart.call(self._dotted, arguments, keywords)


def _change(here: Any, there: Any) -> None:
    if type(here) is not type(there) or here == there:
        return
    if isinstance(here, list):
        here[:] = there
    elif isinstance(here, (dict, set)):
        here.clear()
        here.update(there)
