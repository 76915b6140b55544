"""The functions that a text asks for, and the calls that it shows: the interface of a library. Pure.

What a text defines with a body it gives away; asked for are the functions without one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal

from contracts.canonical import digest_of
from contracts.requirement import (
    AcceptanceCriterion,
    BuildSpec,
    CallExample,
    Category,
    FunctionInterface,
    Parameter,
    RequirementAtom,
    Signature,
    Span,
)
from contracts.value import decode
from contracts.valuetype import ValueType, conforms
from tasks.requirement.annotations import ANY, annotation
from tasks.requirement.call_examples import Stated, stated_calls
from tasks.requirement.described import bounded, described, merged
from tasks.requirement.shapes import refined, shape

MOST_CONSTANTS = 60
_CONSTANT = re.compile(
    r"(?P<number>(?<![\w.])-?\d{1,9}(?![\w.]*\w))|(?<!\w)(?P<q>['\"`])(?P<quoted>[^'\"`\n]{1,30})(?P=q)(?!\w)"
)
_UNCHANGED = re.compile(
    r"(?:not|without|never|n't)\s+(?:to\s+)?(?:be\s+)?(?:modif|mutat|chang|alter)\w*\s+(?:the\s+|its\s+|any\s+|your\s+)?(?:input|original|argument|parameter|list|given)",
    re.IGNORECASE,
)
_IN_PLACE = re.compile(r"\bin[- ]place\b", re.IGNORECASE)
_NOT_IN_PLACE = re.compile(r"\b(?:not|without|instead of)\b[^.\n]{0,30}\bin[- ]place\b", re.IGNORECASE)


def with_functions(spec: BuildSpec, text: str) -> BuildSpec:
    """``spec`` with the functions of a library and the calls that the text shows; itself where there are none.

    An example that was read becomes a probe of its own; one that was not is left to readings.
    """
    declared = [item for named in spec.signatures if (item := _declared(named)) is not None]
    asked = [item for item in declared if item.name not in _given_away(text)] or declared
    if spec.artefact != "library" or not asked:
        return spec
    spec = _with_atoms(spec, asked)
    stated = stated_calls(text, asked)
    calls = tuple(_call_example(spec, item) for item in stated)
    return spec.model_copy(
        update={
            "functions": tuple(_narrowed(item, text, stated, alone=len(asked) == 1) for item in asked),
            "calls": calls,
            "acceptance_criteria": tuple(_criteria(spec, calls)),
        }
    )


def _with_atoms(spec: BuildSpec, asked: Sequence[FunctionInterface]) -> BuildSpec:
    """A statement for each function, with a criterion that readings prove, whatever else the text says of it."""
    signatures = {item.name: item for item in spec.signatures}
    atoms, criteria = list(spec.requirement_atoms), list(spec.acceptance_criteria)
    for function in asked:
        text = signatures[function.name].text
        name = f"interface-{_short(['function', text])}"
        if all(atom.id != name for atom in atoms):
            kind = Category.INTERFACE
            atoms.append(RequirementAtom(id=name, category=kind, strength="hard", span=function.span, text=text))
        criteria.append(_criterion("reading", (name,), function.span))
    return spec.model_copy(update={"requirement_atoms": tuple(atoms), "acceptance_criteria": tuple(criteria)})


def _short(parts: object) -> str:
    return digest_of(parts).removeprefix("sha256:")[:8]


def _criterion(method: Literal["example", "reading"], atoms: tuple[str, ...], span: Span) -> AcceptanceCriterion:
    return AcceptanceCriterion(id=f"ac-{_short([method, *atoms])}", atoms=atoms, method=method, span=span)


def _declared(named: Signature) -> FunctionInterface | None:
    """The function of a signature; None for a route, a class, or what Python cannot read."""
    head = re.search(r"\w+\s*\(.*", named.text, re.DOTALL)
    if head is None or re.match(r"(?:class|[A-Z]+)\s", named.text):
        return None
    try:
        node = ast.parse(f"def {head.group().rstrip(':')}: pass").body[0]
    except (SyntaxError, ValueError, RecursionError):
        return None
    if not isinstance(node, ast.FunctionDef) or node.args.kwonlyargs or node.args.vararg:
        return None
    listed = (*node.args.posonlyargs, *node.args.args)
    needed = len(listed) - len(node.args.defaults)
    parameters = tuple(
        Parameter(name=item.arg, type=annotation(item.annotation), required=number < needed)
        for number, item in enumerate(listed)
    )
    return FunctionInterface(name=node.name, parameters=parameters, returns=annotation(node.returns), span=named.span)


def _given_away(text: str) -> frozenset[str]:
    """The functions that the text defines with more than a docstring."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(item.name for item in body if isinstance(item, ast.FunctionDef) and not all(map(_idle, item.body)))


def _idle(statement: ast.stmt) -> bool:
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, ast.Pass | ast.Import | ast.ImportFrom)


def _narrowed(function: FunctionInterface, text: str, stated: Sequence[Stated], *, alone: bool) -> FunctionInterface:
    """What annotations, then prose, then examples say of the parameters."""
    names = [item.name for item in function.parameters]
    said = described(text, names) if alone else {}
    parameters = []
    for place, item in enumerate(function.parameters):
        given = list(_given(function, stated, place))
        kind = _kind(item.type, said.get(item.name, ANY), given)
        bound = bounded(text, item.name, kind, only=len(names) == 1) if alone else kind
        fits = all(conforms(decode(value), bound) for value in given)
        parameters.append(item.model_copy(update={"type": bound if fits else _kind(item.type, ANY, given)}))
    changed = {"parameters": tuple(parameters), "mutation": _mutation(text) if alone else "free"}
    return function.model_copy(update=changed | {"constants": tuple(_constants(text))})


def _constants(text: str) -> Iterator[int | str]:
    """The whole numbers and the short quoted texts that stand in ``text``, each once."""
    found: dict[int | str, None] = {}
    for match in _CONSTANT.finditer(text):
        quoted, number = match["quoted"], match["number"]
        found[quoted if number is None else int(number)] = None
    yield from islice(found, MOST_CONSTANTS)


def _kind(stated: ValueType, said: ValueType, given: Sequence[object]) -> ValueType:
    seen = shape(given)
    return refined(merged(_agreeing(stated, seen), _agreeing(said, seen)), seen)


def _agreeing(stated: ValueType, seen: ValueType) -> ValueType:
    """``stated``, unless an example shows another kind: then the example counts."""
    if seen.name == "any" or stated.name in {"any", "union", "other", seen.name}:
        return stated
    return stated if {stated.name, seen.name} == {"int", "float"} and stated.name == "float" else ANY


def _given(function: FunctionInterface, stated: Sequence[Stated], place: int) -> Iterator[object]:
    """The values that examples show for the parameter at ``place``."""
    for item in stated:
        if item.function == function.name:
            if place < len(item.arguments):
                yield item.arguments[place]
            elif function.parameters[place].name in item.keywords:
                yield item.keywords[function.parameters[place].name]


def _mutation(text: str) -> Literal["free", "forbidden", "in_place"]:
    if _UNCHANGED.search(text) or _NOT_IN_PLACE.search(text):
        return "forbidden"
    return "in_place" if _IN_PLACE.search(text) else "free"


def _call_example(spec: BuildSpec, item: Stated) -> CallExample:
    expectation = item.expectation.document()
    return CallExample(
        id=f"ex-{_short([item.function, list(item.arguments), item.keywords, expectation])}",
        atom=_atom(spec, item.span),
        span=item.span,
        function=item.function,
        arguments=item.arguments,
        keywords=item.keywords,
        expectations=(item.expectation,),
    )


def _atom(spec: BuildSpec, span: Span) -> str:
    """The statement that an example stands in; its own id would do where the text around it states nothing."""
    inside = [item for item in spec.requirement_atoms if item.span.start < span.end and span.start < item.span.end]
    examples = [item for item in inside if item.category is Category.EXAMPLE]
    return (examples or inside or list(spec.requirement_atoms))[0].id if spec.requirement_atoms else ""


def _criteria(spec: BuildSpec, calls: Sequence[CallExample]) -> Iterator[AcceptanceCriterion]:
    """A criterion for every call; the examples that were not read are proven by readings, if at all."""
    found: dict[str, AcceptanceCriterion] = {}
    for item in spec.acceptance_criteria:
        if item.method != "example":
            found[item.id] = item
        elif not any(_overlap(item.span, call.span) for call in calls):
            found[item.id] = item.model_copy(update={"method": "reading"})
    for call in calls:
        criterion = _criterion("example", (call.atom, call.id), call.span)
        found[criterion.id] = criterion
    yield from sorted(found.values(), key=lambda item: item.span.start)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
