"""Portfolio: many leases billed at once, on columns of whole numbers.

Needs the extra `bulk`. Every figure is the one that the scalar engine gives for a lease alone.
"""

from importlib import import_module

from rentbilling.lazy import exports

try:
    # Said here in one line, not from deep inside.
    import_module("numpy")
except ImportError as missing:
    raise ImportError(
        f"portfolios need {missing.name}: pip install 'rentbilling[bulk]'",
        name=missing.name,
    ) from missing

__getattr__, __dir__, __all__ = exports(
    __spec__, what="portfolios need", extra="bulk", packages=("numpy", "pyarrow")
)
