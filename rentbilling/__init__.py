"""Rent billing: recurring bill items and a period go in, exact pending bills come out.

The names that most programs need are here; the others are in the faces of their packages. Importing
the package loads neither pydantic nor dateutil: the first use of a name loads what it needs.

Examples:
    >>> import rentbilling
    >>> rentbilling.Period.parse("2026-01-01/2026-01-31").days
    31
"""

from rentbilling.lazy import exports

__version__ = "0.2.0"
__getattr__, __dir__, __all__ = exports(__spec__)
