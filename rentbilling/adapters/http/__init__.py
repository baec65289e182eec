"""The service over HTTP: as a function for any transport, and as an application of ASGI or WSGI.

Laws: `rentbilling.interface.endpoints` lists the requests and answers, and
`rentbilling.service.operations` carries them out; an adapter for another framework needs neither
Starlette nor uvicorn.

`RentalService` and `create_wsgi_app` need no other package. `create_app`, `server_of`, `serve`
and `ServiceMetrics` need the extra `http`.

Examples:
    >>> from rentbilling.adapters.http import RentalService
    >>> from rentbilling.adapters.stores import MemoryKeys, MemoryStores
    >>> service = RentalService(MemoryStores(), MemoryKeys())
    >>> service.answer("GET", "/leases").status
    401
"""

from rentbilling.lazy import exports

__getattr__, __dir__, __all__ = exports(
    __spec__, what="the server needs", extra="http", packages=("httptools", "starlette", "uvicorn")
)
