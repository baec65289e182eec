"""The service as a WSGI application, for Flask, Django and every server of that kind.

Law: its answers are those of the ASGI application, except for those that need a server which reads
bodies itself: slow bodies and too many callers.
"""

from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from time import perf_counter
from typing import Any
from urllib.parse import quote

from rentbilling.adapters.http.answers import HttpAnswer
from rentbilling.adapters.http.service import RentalService

Environ = Mapping[str, Any]
WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def create_wsgi_app(service: RentalService) -> WsgiApp:
    """Return the service as a WSGI application, to be served or mounted below a path.

    Raises:
        ValueError: There is a limit of requests a second, which needs ASGI.

    Examples:
        >>> from wsgiref.util import setup_testing_defaults
        >>> from rentbilling.adapters.stores import MemoryKeys, MemoryStores
        >>> app = create_wsgi_app(RentalService(MemoryStores(), MemoryKeys()))
        >>> environ = {"PATH_INFO": "/leases"}
        >>> setup_testing_defaults(environ)
        >>> (body,) = app(environ, lambda status, headers: print(status))
        401 Unauthorized
    """
    if service.limits.per_second is not None:
        raise ValueError("per_second is counted by the application of ASGI alone: see create_app")
    most = service.limits.most_bytes + 1

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        began = perf_counter()
        method: str = environ["REQUEST_METHOD"]
        query = environ.get("QUERY_STRING", "")
        found = service.begin(
            method,
            _encoded(environ.get("PATH_INFO", "")),
            query,
            _headers_of(environ),
            mount=_encoded(environ.get("SCRIPT_NAME", "")),
        )
        if not isinstance(found, HttpAnswer):
            body = _body_of(environ, most) if found.takes_body else b""
            found = service.finish(found, body)
        service.note(method, found, perf_counter() - began)
        start_response(f"{found.status} {HTTPStatus(found.status).phrase}", list(found.headers))
        return [found.body]

    return app


def _encoded(decoded: str) -> str:
    """Return a path, encoded again: WSGI has it decoded, as Latin-1."""
    return quote(decoded.encode("latin-1", "replace"))


def _headers_of(environ: Environ) -> Iterable[tuple[str, str]]:
    for key, value in environ.items():
        if key.startswith("HTTP_"):
            yield key[5:].replace("_", "-"), value
        elif key in {"CONTENT_TYPE", "CONTENT_LENGTH"} and value:
            yield key.replace("_", "-"), value


def _body_of(environ: Environ, most: int) -> bytes:
    """Return the body, or the beginning of one that is too large."""
    length = environ.get("CONTENT_LENGTH") or ""
    if length.isascii() and length.isdecimal():
        most = min(most, int(length[:20]))
    elif not environ.get("wsgi.input_terminated"):
        # Without a length, reading could wait for ever.
        return b""
    whole: bytes = environ["wsgi.input"].read(most)
    return whole
