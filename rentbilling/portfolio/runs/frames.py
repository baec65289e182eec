"""Frames of a run: its tables as pandas and Polars show them, flat and with the decimals of money.

Laws: no figure is rounded: a column has as many decimals as its currencies, or more where a value
needs them; lists, which are left out, are in `to_table`.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import pyarrow as pa

from rentbilling.portfolio.arrow.column_types import NUMBER, SCALE
from rentbilling.values import minor_units

_MONEY: Final = frozenset(
    {*("subtotal", "total", "cash_rounding", "amount", "unit_net_price", "net_price")}
)
"""Columns in the currency of the row; a column `x.amount` is in that of `x.currency`."""


def frame_table(
    table: Any,  # noqa: ANN401 - pyarrow has no types
    currencies: Mapping[str, int],
    *,
    floats: bool,
) -> Any:  # noqa: ANN401 - as above
    """Return a table of a run as data frames are made of it, see `to_pandas`."""
    while any(pa.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    inside = [field.name for field in table.schema if pa.types.is_nested(field.type)]
    table = table.drop_columns(inside)
    for at, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type):
            column = table.column(at)
            kind = pa.float64()
            if not floats:
                kind = pa.decimal128(NUMBER.precision, _scale(table, field.name, currencies))
            table = table.set_column(at, field.name, column.cast(kind))
    return table


def _scale(table: Any, name: str, currencies: Mapping[str, int]) -> int:  # noqa: ANN401
    """Return how many decimals a column needs."""
    column = table.column(name)
    least = 0
    whose = f"{name.removesuffix('.amount')}.currency" if "." in name else "currency"
    if (name in _MONEY or name.endswith(".amount")) and whose in table.column_names:
        known = table.column(whose).unique().to_pylist()
        least = max((minor_units(each, currencies) for each in known if each), default=0)
    for scale in range(least, SCALE):
        try:
            column.cast(pa.decimal128(NUMBER.precision, scale))
        except pa.ArrowInvalid:
            # A value has more decimals.
            continue
        return scale
    return SCALE


def loaded(package: str) -> Any:  # noqa: ANN401 - neither has types here
    """Return pandas or Polars, or say how it is installed.

    Raises:
        ImportError: It is not installed.

    Examples:
        >>> loaded("pandas").__name__
        'pandas'
    """
    try:
        return import_module(package)
    except ImportError as missing:
        said = f"a data frame needs {package}: pip install {package}"
        raise ImportError(said, name=package) from missing
