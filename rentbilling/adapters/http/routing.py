"""Which operation a method and a path mean.

Laws: the routes are those of `endpoints`, worked out once and not for each request; a path is taken
apart before its parts are decoded, so that an id may hold any character, also a slash (`%2F`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from rentbilling.adapters.http.problems import RefusalError, invalid
from rentbilling.errors import Problem, shown
from rentbilling.interface.endpoints import Endpoint

HEALTH: Final = "/health"
"""Answers 200 where keys and store can be read, otherwise 503."""


Operation = Callable[..., Any]
"""A function of a request, a store and facts."""
NO_IDS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Route:
    """An endpoint with all that can be known of it before a request comes."""

    endpoint: Endpoint
    operation: Operation
    rights: tuple[str, ...]
    """What a key must have, such as `leases:read`."""
    writes: bool
    whole_numbers: frozenset[str]
    """Parameters of the query that are whole numbers."""
    query: frozenset[str]
    """All parameters of the query, as the interface spells them."""
    spellings: Mapping[str, str]
    """Parameters of the path by each name under which a body could hold them."""


def route_of(endpoint: Endpoint, operation: Operation) -> Route:
    """Return the route of an endpoint."""
    fields = {
        field.alias or name: (name, field) for name, field in endpoint.request.model_fields.items()
    }
    free = {name: each for name, each in fields.items() if name not in endpoint.in_path}
    in_query = {} if endpoint.has_body else free
    return Route(
        endpoint=endpoint,
        operation=operation,
        rights=endpoint.rights,
        writes=endpoint.right == "write",
        whole_numbers=frozenset(
            name for name, (_, field) in in_query.items() if field.annotation is int
        ),
        query=frozenset(in_query),
        spellings=MappingProxyType(
            {spelling: name for name in endpoint.in_path for spelling in (name, fields[name][0])}
        ),
    )


class Routes:
    """All routes, found by path and then by method."""

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
    """Return the refusal of a path that nothing has."""
    return RefusalError("unknown-path", "unknown_path", f"the interface has no path {shown(path)}")


def not_that_method(method: str, path: str, allowed: Iterable[str]) -> RefusalError:
    """Return the refusal of a method that a path has not."""
    known = ", ".join(sorted(allowed))
    said = f"{shown(path)} has no method {shown(method)}, only {known}"
    return RefusalError("method-not-allowed", "unknown_method", said, headers=(("Allow", known),))


def _of_method(methods: Mapping[str, Route], method: str, path: str) -> Route:
    route = methods.get(method)
    if route is None:
        raise not_that_method(method, path, methods)
    return route


def _matched(names: tuple[str, ...], parts: list[bytes]) -> dict[str, bytes] | None:
    """Return the parameters of a path, None where it is another one."""
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
    """Return the parameters of a path as texts."""
    found: dict[str, str] = {}
    for name, part in ids.items():
        try:
            found[name] = part.decode()
        except UnicodeDecodeError:
            expected = "percent-encoded UTF-8"
            problem = Problem(name, "not_utf8", "is not UTF-8", shown(part), expected)
            raise invalid(problem) from None
    return found
