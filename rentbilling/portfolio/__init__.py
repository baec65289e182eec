"""Portfolio: ten thousand futures of a lease, computed on whole numbers in arrays.

Needs the extra `bulk`. Every figure is the one that the scalar engine gives on the same path.
"""

try:
    import numpy as np  # noqa: F401 - to say what is missing before anything else does
except ImportError as error:  # pragma: no cover - seen where the extra is not installed
    said = "rentbilling.portfolio needs numpy: pip install 'rentbilling[bulk]'"
    raise ImportError(said) from error

from rentbilling.portfolio.futures import Futures as Futures
from rentbilling.portfolio.index_paths import IndexPaths as IndexPaths
from rentbilling.portfolio.simulations import simulate as simulate

__all__ = ("Futures", "IndexPaths", "simulate")
