"""Which operation belongs to a method and a path.

Laws: the routes are those of `interface.endpoints`, computed once and not for each request; a path
is split before its parts are decoded, so that an id may have any character, even a slash (`%2F`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from rentbilling.adapters.http.refusals import RefusalError, invalid
from rentbilling.errors import Problem, shown
from rentbilling.interface import Endpoint
from rentbilling.records import fields_of

HEALTH: Final = "/health"
"""The path that answers 200 if keys can be read and changes stored, and 503 otherwise."""


Operation = Callable[..., Any]
"""A function of a request, a store and a context."""
NO_IDS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Route:
    """An endpoint, with all that is computed of it before the first request."""

    endpoint: Endpoint
    operation: Operation
    rights: tuple[str, ...]
    """The rights that a key needs, such as `leases:read`."""
    writes: bool
    whole_numbers: frozenset[str]
    """Parameters of the query that are whole numbers."""
    query: frozenset[str]
    """All parameters of the query, as the interface spells them."""
    spellings: Mapping[str, str]
    """Parameters of the path, by each name that they could have in a body."""


def route_of(endpoint: Endpoint, operation: Operation) -> Route:
    fields = fields_of(endpoint.request)
    free = [each for each in fields if each.wire not in endpoint.in_path]
    in_query = [] if endpoint.has_body else free
    return Route(
        endpoint=endpoint,
        operation=operation,
        rights=endpoint.rights,
        writes=endpoint.right == "write",
        whole_numbers=frozenset(each.wire for each in in_query if each.type.kind is int),
        query=frozenset(each.wire for each in in_query),
        spellings=MappingProxyType(
            {
                spelling: each.wire
                for each in fields
                if each.wire in endpoint.in_path
                for spelling in (each.wire, each.name)
            }
        ),
    )


class Routes:
    """All routes, by path and then by method."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._plain: dict[str, dict[str, Route]] = {}
        self._named: dict[tuple[str, ...], dict[str, Route]] = {}
        for each in routes:
            path = each.endpoint.path
            if each.endpoint.in_path:
                methods = self._named.setdefault(tuple(path.split("/")), {})
            else:
                methods = self._plain.setdefault(path, {})
            methods[each.endpoint.method] = each
            if each.endpoint.method == "GET":
                methods["HEAD"] = each

    def find(self, method: str, path: str) -> tuple[Route, Mapping[str, str]]:
        """Return the route of a method and a path, with the parameters of the path.

        Raises:
            RefusalError: There is none.
        """
        methods = self._plain.get(path)
        if methods is None:
            return self._decoded(method, path)
        return _of_method(methods, method, path), NO_IDS

    def _decoded(self, method: str, path: str) -> tuple[Route, Mapping[str, str]]:
        """Return the route of a path that has parameters, or that is spelled with escapes."""
        parts = [unquote_to_bytes(part) for part in path.split("/")]
        for names, methods in self._named.items():
            ids = _matched(names, parts)
            if ids is not None:
                return _of_method(methods, method, path), _decoded_ids(ids)
        if "%" in path:
            methods = self._plain.get("/".join(part.decode("latin-1") for part in parts), {})
            if methods and b"/" not in b"".join(parts):
                return _of_method(methods, method, path), NO_IDS
        raise unknown_path(path)


def unknown_path(path: str) -> RefusalError:
    """Return the refusal of a path that no operation has."""
    said = f"the interface has no path {shown(path)}"
    if path.endswith("/"):
        said += f": no path ends with a slash, write {shown(path.rstrip('/'))}"
    return RefusalError("unknown-path", "unknown_path", said)


def unknown_method(method: str, path: str, allowed: Iterable[str]) -> RefusalError:
    """Return the refusal of a method that a path does not have."""
    known = ", ".join(sorted(allowed))
    said = f"{shown(path)} has no method {shown(method)}, only {known}"
    return RefusalError("method-not-allowed", "unknown_method", said, headers=(("Allow", known),))


def _of_method(methods: Mapping[str, Route], method: str, path: str) -> Route:
    route = methods.get(method)
    if route is None:
        raise unknown_method(method, path, methods)
    return route


def _matched(names: tuple[str, ...], parts: list[bytes]) -> dict[str, bytes] | None:
    if len(names) != len(parts):
        return None
    ids: dict[str, bytes] = {}
    for name, part in zip(names, parts, strict=True):
        if name.startswith("{"):
            if not part:
                return None
            ids[name[1:-1]] = part
        elif name.encode() != part:
            return None
    return ids


def _decoded_ids(ids: Mapping[str, bytes]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name, part in ids.items():
        try:
            found[name] = part.decode()
        except UnicodeDecodeError:
            expected = "percent-encoded UTF-8"
            problem = Problem(name, "not_utf8", "is not UTF-8", shown(part), expected)
            raise invalid(problem) from None
    return found
