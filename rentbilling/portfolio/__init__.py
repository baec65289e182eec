"""Portfolio: ten thousand futures of a lease, computed on whole numbers in arrays.

Needs the extra `bulk`. Every figure is the one that the scalar engine gives on the same path.
"""

from importlib import import_module

try:
    # Said here in one line, not from deep inside.
    import_module("numpy")
except ImportError as missing:
    raise ImportError(
        f"futures need {missing.name}: pip install 'rentbilling[bulk]'", name=missing.name
    ) from missing

from rentbilling.portfolio.futures import Futures as Futures
from rentbilling.portfolio.index_paths import IndexPaths as IndexPaths
from rentbilling.portfolio.simulations import simulate as simulate

__all__ = ("Futures", "IndexPaths", "simulate")
