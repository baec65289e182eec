"""The service over HTTP: as a function for any transport, and as an application of ASGI or WSGI.

Laws: `rentbilling.interface.endpoints` lists the requests and answers, and
`rentbilling.service.operations` carries them out; an adapter for another framework needs neither
Starlette nor uvicorn.

`RentalService` and `create_wsgi_app` need no other package. `create_app`, `server_of` and `serve`
need the extra `http`.

Examples:
    >>> from rentbilling.adapters.http import RentalService
    >>> from rentbilling.adapters.stores import MemoryKeys, MemoryStores
    >>> service = RentalService(MemoryStores(), MemoryKeys())
    >>> service.answer("GET", "/leases").status
    401
"""

from typing import TYPE_CHECKING, Any

from rentbilling.adapters.http.answers import HttpAnswer
from rentbilling.adapters.http.limits import Limits
from rentbilling.adapters.http.service import RentalService
from rentbilling.adapters.http.wsgi import create_wsgi_app

if TYPE_CHECKING:
    from rentbilling.adapters.http.app import create_app
    from rentbilling.adapters.http.serving import serve, server_of

__all__ = (
    "HttpAnswer",
    "Limits",
    "RentalService",
    "create_app",
    "create_wsgi_app",
    "serve",
    "server_of",
)


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Load what needs Starlette or uvicorn when it is first used."""
    try:
        if name == "create_app":
            from rentbilling.adapters.http.app import create_app

            return create_app
        if name in {"serve", "server_of"}:
            from rentbilling.adapters.http.serving import serve, server_of

            return serve if name == "serve" else server_of
    except ImportError as missing:
        part = (missing.name or "").partition(".")[0]
        if part not in {"starlette", "uvicorn"}:
            raise
        raise ImportError(
            f"the server needs {part}: pip install 'rentbilling[http]'", name=part
        ) from missing
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List what can be loaded."""
    return sorted({*globals(), *__all__})
