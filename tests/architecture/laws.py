"""The laws of the core that its syntax tree can show to be broken.

Each function takes a syntax tree and yields what breaks its law, as "line N: what".
"""

import ast
from collections.abc import Callable, Iterator

from tests.architecture.sources import nodes_of

FORBIDDEN_NAMES = frozenset(
    {
        # Binary numbers and second ways to round.
        *("float", "complex", "round"),
        # The world outside.
        *("open", "print", "input", "breakpoint"),
        # The caller's decimal context.
        *("getcontext", "localcontext", "setcontext"),
        # Code that no reader and no checker sees.
        *("eval", "exec", "compile", "__import__"),
    }
)
CLOCKS = frozenset({"now", "today", "utcnow", "localtime", "gmtime", "monotonic", "perf_counter"})
MUTABLE_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
MUTABLE_CALLS = frozenset(
    {"list", "dict", "set", "bytearray", "defaultdict", "OrderedDict", "Counter", "deque"}
)
FREEZING_CALLS = frozenset({"MappingProxyType", "tuple", "frozenset"})
# Public by their documentation although they begin with an underscore.
UNDERSCORED_BUT_PUBLIC = frozenset(
    {"_replace", "_asdict", "_fields", "_field_defaults", "_make", "_value_", "_name_", "_missing_"}
)

Law = Callable[[ast.Module], Iterator[str]]


def forbidden_names(tree: ast.Module) -> Iterator[str]:
    """Yield names that the core may not use: binary numbers, the outside, hidden code."""
    for node in nodes_of(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                if name in FORBIDDEN_NAMES and not _is_method_of_regex(node):
                    yield f"line {node.lineno}: {name}"
            case ast.Constant(value=float() | complex() as number):
                yield f"line {node.lineno}: the binary number {number}"
            case _:
                pass


def _is_method_of_regex(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "compile"
        and isinstance(node.value, ast.Name)
        and node.value.id == "re"
    )


def clocks(tree: ast.Module) -> Iterator[str]:
    for node in nodes_of(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self")):
                # A field of one's own, which who made it was told.
                pass
            case ast.Attribute(attr=name) if name in CLOCKS:
                yield f"line {node.lineno}: .{name}"
            case ast.Import(names=names) if any(alias.name == "time" for alias in names):
                yield f"line {node.lineno}: import time"
            case ast.ImportFrom(module="time"):
                yield f"line {node.lineno}: from time import"
            case _:
                pass


def module_state(tree: ast.Module) -> Iterator[str]:
    """Yield values of a module that can change, and functions that change its names."""
    for statement in _statements_of_module(tree.body):
        match statement:
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                if _is_mutable(value):
                    yield f"line {statement.lineno}: a mutable value"
            case ast.AugAssign():
                yield f"line {statement.lineno}: a value that is changed"
            case _:
                pass
    for node in nodes_of(tree):
        if isinstance(node, ast.Global):
            yield f"line {node.lineno}: global {', '.join(node.names)}"


def _statements_of_module(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements that run on import, also those in a branch or a loop."""
    for statement in body:
        yield statement
        match statement:
            case ast.If(body=inner, orelse=other) | ast.For(body=inner, orelse=other):
                yield from _statements_of_module([*inner, *other])
            case ast.Try(body=inner, handlers=handlers, orelse=other, finalbody=last):
                caught = [line for handler in handlers for line in handler.body]
                yield from _statements_of_module([*inner, *caught, *other, *last])
            case ast.With(body=inner):
                yield from _statements_of_module(inner)
            case _:
                pass


def _is_mutable(value: ast.expr) -> bool:
    match value:
        case ast.Tuple(elts=parts):
            return any(_is_mutable(part) for part in parts)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=arguments):
            if name in FREEZING_CALLS:
                return any(_holds_mutable(argument) for argument in arguments)
            return name in MUTABLE_CALLS
        case _:
            return isinstance(value, MUTABLE_DISPLAYS)


def _holds_mutable(value: ast.expr) -> bool:
    match value:
        case ast.Dict(values=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return any(_is_mutable(part) for part in parts)
        case ast.DictComp(value=part) | ast.ListComp(elt=part) | ast.GeneratorExp(elt=part):
            return _is_mutable(part)
        case _:
            return False


def foreign_private_names(tree: ast.Module) -> Iterator[str]:
    own = set(_defined_names(tree))
    for node in nodes_of(tree):
        match node:
            case ast.ImportFrom(names=names) | ast.Import(names=names):
                for alias in names:
                    if any(_is_private(part) for part in alias.name.split(".")):
                        yield f"line {node.lineno}: import of {alias.name}"
            case ast.Attribute(attr=name) if _is_private(name) and name not in own:
                yield f"line {node.lineno}: .{name}"
            case _:
                pass


def _is_private(name: str) -> bool:
    """Return whether a name begins with one underscore and is not public all the same."""
    return (
        name.startswith("_")
        and name != "_"
        and not name.startswith("__")
        and name not in UNDERSCORED_BUT_PUBLIC
    )


def _defined_names(tree: ast.Module) -> Iterator[str]:
    for node in nodes_of(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.Constant(value=str() as name):
                # __slots__ and object.__setattr__ give names by their text.
                yield name
            case _:
                pass


def imports_of_the_root(tree: ast.Module) -> Iterator[str]:
    """Yield imports of `rentbilling` itself: the core names the package that defines a name."""
    for node in nodes_of(tree):
        match node:
            case ast.ImportFrom(module="rentbilling", level=0):
                yield f"line {node.lineno}: from rentbilling import"
            case ast.Import(names=names) if any(alias.name == "rentbilling" for alias in names):
                yield f"line {node.lineno}: import rentbilling"
            case ast.ImportFrom(level=level) if level > 0:
                yield f"line {node.lineno}: a relative import"
            case _:
                pass


def untold_refusals(tree: ast.Module) -> Iterator[str]:
    """Yield public functions that raise by themselves while their sections have no Raises."""
    for node in nodes_of(tree):
        if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
            continue
        told = ast.get_docstring(node) or ""
        if "\n" in told and "Raises:" not in told and _raises(node):
            yield f"line {node.lineno}: {node.name}"


def _raises(function: ast.FunctionDef) -> bool:
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Raise) and node.exc is not None:
            return True
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))
    return False


LAWS: tuple[Law, ...] = (
    forbidden_names,
    clocks,
    module_state,
    foreign_private_names,
    imports_of_the_root,
    untold_refusals,
)
