"""Plots: pictures of rents, bills and futures, with matplotlib, for light and dark grounds.

Laws: a picture draws figures that were computed elsewhere and makes none; it needs no window, and
nothing of `pyplot`, so that a service can draw as well as a notebook.

They need the extra `notebook`. Every function returns a `Picture`: a figure of matplotlib that a
notebook shows by itself and that `save` writes to a file.

Examples:
    >>> from decimal import Decimal
    >>> from rentbilling.adapters.plots import against_baseline
    >>> picture = against_baseline([
    ...     {"year": 2027, "currency": "DKK", "baseline": Decimal(102), "Cap": Decimal(101)},
    ... ])
    >>> picture.axes[0].get_title(loc="left")
    'Cap against the baseline'
"""

from importlib import import_module

try:
    # Said here in one line, not from deep inside.
    import_module("matplotlib")
except ImportError as missing:
    raise ImportError(
        f"pictures need {missing.name}: pip install 'rentbilling[notebook]'", name=missing.name
    ) from missing

from rentbilling.adapters.plots.bill_steps import BillStep, bill_steps
from rentbilling.adapters.plots.comparisons import against_baseline
from rentbilling.adapters.plots.expiries import expiries_by_year
from rentbilling.adapters.plots.fans import fan_chart
from rentbilling.adapters.plots.pictures import Look, Picture
from rentbilling.adapters.plots.rent_steps import rent_steps
from rentbilling.adapters.plots.rents import rent_over_time
from rentbilling.adapters.plots.waterfalls import bill_waterfall, statement_waterfall

__all__ = (
    "BillStep",
    "Look",
    "Picture",
    "against_baseline",
    "bill_steps",
    "bill_waterfall",
    "expiries_by_year",
    "fan_chart",
    "rent_over_time",
    "rent_steps",
    "statement_waterfall",
)
