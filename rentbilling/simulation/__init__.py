"""Rents and bills of one lease or many, for many possible futures of an index.

Law: on each path, every figure is the one that billing the lease on that path gives. Needs the
extra `bulk`.
"""

from importlib import import_module

try:
    # One line here, in place of an error from deep inside.
    import_module("numpy")
except ImportError as missing:
    raise ImportError(
        f"simulations need {missing.name}: pip install 'rentbilling[bulk]'", name=missing.name
    ) from missing

from rentbilling.simulation.api import simulate as simulate
from rentbilling.simulation.futures import Futures as Futures
from rentbilling.simulation.index_paths import IndexPaths as IndexPaths

__all__ = ("Futures", "IndexPaths", "simulate")
