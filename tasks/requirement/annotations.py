"""Annotations of Python, as texts write them, to the types of a contract (PEP 484, 585, 604)."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from contracts.valuetype import TypeName, ValueType

ANY = ValueType(name="any")
"""Nothing is stated."""
ANYTHING = ValueType(name="any", repeated=True)
"""That anything goes is stated."""
_PLAIN: dict[str, TypeName] = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "str": "str",
    "bytes": "bytes",
    **dict.fromkeys(("None", "NoneType"), "none"),
}
_GENERIC: dict[str, TypeName] = {
    **dict.fromkeys(("list", "List", "Sequence", "MutableSequence"), "list"),
    **dict.fromkeys(("tuple", "Tuple"), "tuple"),
    **dict.fromkeys(("set", "Set", "MutableSet", "AbstractSet"), "set"),
    **dict.fromkeys(("frozenset", "FrozenSet"), "frozenset"),
    **dict.fromkeys(("dict", "Dict", "Mapping", "MutableMapping", "defaultdict"), "dict"),
    **dict.fromkeys(("Iterator", "Generator", "Iterable", "Collection"), "iterator"),
}
_PARTS = {"dict": 2}


def annotation(node: ast.expr | None) -> ValueType:
    """The type that an annotation names: ``any`` without one, ``other`` for a class that no plain value is of."""
    match node:
        case None:
            return ANY
        case ast.Constant(value=None):
            return ValueType(name="none")
        case ast.Constant(value=str() as quoted):
            return _quoted(quoted)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return union((annotation(left), annotation(right)))
        case ast.Subscript(value=value, slice=inner):
            return _subscripted(_last_name(value), inner.elts if isinstance(inner, ast.Tuple) else [inner])
        case _:
            return _named(_last_name(node))


def union(types: Sequence[ValueType]) -> ValueType:
    """One of ``types``; nested unions are opened, and what stands there twice counts once."""
    flat = [part for item in types for part in (item.of if item.name == "union" else (item,))]
    distinct = tuple(dict.fromkeys(flat))
    if any(item.name == "any" for item in distinct):
        return ANYTHING if ANYTHING in distinct else ANY
    return distinct[0] if len(distinct) == 1 else ValueType(name="union", of=distinct)


def _quoted(text: str) -> ValueType:
    try:
        return annotation(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return ValueType(name="other")


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _named(name: str) -> ValueType:
    if name in {"Any", "object"}:
        return ANYTHING
    if name in _PLAIN:
        return ValueType(name=_PLAIN[name])
    if name in _GENERIC:
        kind = _GENERIC[name]
        return ValueType(name=kind, of=(ANY,) * _PARTS.get(kind, 1), repeated=kind == "tuple")
    return ValueType(name="other")


def _subscripted(name: str, inner: Sequence[ast.expr]) -> ValueType:
    if name == "Optional":
        return union((*map(annotation, inner), ValueType(name="none")))
    if name == "Union":
        return union(tuple(map(annotation, inner)))
    kind = _GENERIC.get(name)
    if kind is None:
        return ValueType(name="other")
    if kind == "tuple":
        repeated = len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is Ellipsis
        return ValueType(name="tuple", of=tuple(map(annotation, inner[:1] if repeated else inner)), repeated=repeated)
    return ValueType(name=kind, of=tuple(map(annotation, inner[: _PARTS.get(kind, 1)])))
