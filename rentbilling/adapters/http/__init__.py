"""The service over HTTP: as a function for any transport, and as an application of ASGI or WSGI.

Laws: `rentbilling.interface.endpoints` has the requests and answers, and
`rentbilling.service.operations` what is done; an adapter for another framework needs neither
Starlette nor uvicorn.

`RentalService` and `create_wsgi_app` need nothing. `create_app`, `server_of` and `serve` need the
extra `http`.

Examples:
    >>> from rentbilling.adapters.http import RentalService
    >>> from rentbilling.adapters.stores import MemoryKeys, MemoryStores
    >>> service = RentalService(MemoryStores(), MemoryKeys())
    >>> service.answer("GET", "/leases").status
    401
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rentbilling.adapters.http.answers import HttpAnswer as HttpAnswer
    from rentbilling.adapters.http.app import create_app as create_app
    from rentbilling.adapters.http.limits import Limits as Limits
    from rentbilling.adapters.http.service import RentalService as RentalService
    from rentbilling.adapters.http.serving import serve as serve, server_of as server_of
    from rentbilling.adapters.http.wsgi import create_wsgi_app as create_wsgi_app

__all__ = (
    "HttpAnswer",
    "Limits",
    "RentalService",
    "create_app",
    "create_wsgi_app",
    "serve",
    "server_of",
)

_ROOMS: Final = MappingProxyType(
    {
        "HttpAnswer": "answers",
        "Limits": "limits",
        "RentalService": "service",
        "create_app": "app",
        "create_wsgi_app": "wsgi",
        "serve": "serving",
        "server_of": "serving",
    }
)
"""The room of each name: Starlette is loaded by those who use it."""
_PARTS: Final = frozenset({"starlette", "uvicorn"})


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Load a name when it is first used."""
    room = _ROOMS.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{room}"), name)
    except ImportError as missing:
        part = (missing.name or "").partition(".")[0]
        # Another module that is missing is no matter of ours.
        if part not in _PARTS:
            raise
        raise ImportError(
            f"the server needs {part}: pip install 'rentbilling[http]'", name=part
        ) from missing


def __dir__() -> list[str]:
    """List what can be loaded."""
    return sorted({*globals(), *__all__})
