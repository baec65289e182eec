"""A client for a service with the interface (extra `client`), as `guide/client.md` shows.

Laws: requests and answers are read and written by the codec that files use; no repr, error or log
has the key; every failed call raises a `ServiceError`.

Examples:
    >>> import httpx
    >>> from rentbilling.adapters.client import RentalClient
    >>> def service(request):
    ...     return httpx.Response(200, json={"leases": [{"id": "lease-1"}, {"id": "lease-2"}]})
    >>> http = httpx.Client(transport=httpx.MockTransport(service))
    >>> with RentalClient("https://rent.example/api", "rent_1_a-secret", http=http) as client:
    ...     [lease.id for lease in client.leases()]
    ['lease-1', 'lease-2']
"""

from importlib import import_module

try:
    # One line here, in place of a traceback from deep inside.
    import_module("httpx")
except ImportError as missing:
    raise ImportError(
        f"the client needs {missing.name}: pip install 'rentbilling[client]'", name=missing.name
    ) from missing

from rentbilling.adapters.client.async_client import AsyncRentalClient
from rentbilling.adapters.client.retries import Retries
from rentbilling.adapters.client.service_errors import (
    InvalidRequestError,
    NoAnswerError,
    ObjectNotFoundError,
    RequestNotAllowedError,
    ServiceError,
    ServiceUnavailableError,
    StateConflictError,
    UnreadableAnswerError,
)
from rentbilling.adapters.client.sync_client import RentalClient

__all__ = (
    "AsyncRentalClient",
    "InvalidRequestError",
    "NoAnswerError",
    "ObjectNotFoundError",
    "RentalClient",
    "RequestNotAllowedError",
    "Retries",
    "ServiceError",
    "ServiceUnavailableError",
    "StateConflictError",
    "UnreadableAnswerError",
)
