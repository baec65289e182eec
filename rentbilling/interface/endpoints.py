"""The interface as a table: each operation with its method, path, parameters, body and answer.

Law: server, client, document and conformance table all read this one table.
"""

from types import MappingProxyType
from typing import Final

from rentbilling.interface.interface_endpoints import INTERFACE, Endpoint
from rentbilling.interface.own_endpoints import OWN

__all__ = ("ENDPOINTS", "RESOURCES", "Endpoint")

ENDPOINTS: Final = MappingProxyType({each.operation: each for each in (*INTERFACE, *OWN)})
"""All operations by name: those of the interface, then ours."""

RESOURCES: Final = tuple(sorted({each.resource for each in ENDPOINTS.values()}))
"""What rights of a key are about."""
