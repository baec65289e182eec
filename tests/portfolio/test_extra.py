"""What is said where the extra of the portfolio is not installed, and of leases without items."""

import runpy
import sys

import pytest

import rentbilling.portfolio
from rentbilling import IndexSeries
from rentbilling.portfolio import IndexPaths, simulate
from rentbilling.testing import a_lease


def test_a_missing_numpy_is_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, before anything else is loaded."""
    monkeypatch.setitem(sys.modules, "numpy", None)

    with pytest.raises(ImportError) as refused:
        runpy.run_path(rentbilling.portfolio.__file__)

    assert "futures need numpy: pip install 'rentbilling[bulk]'" == str(refused.value)
    assert "numpy" == refused.value.name


def test_leases_without_items_have_no_currency() -> None:
    """Nothing is due, and nobody says in what."""
    empty = a_lease().evolve(recurring_bill_items=())
    series = IndexSeries("CPI", {"2025-10": "100.0"})
    paths = IndexPaths.of_array(series, [[1010]], points=["2026-10"])

    futures = simulate(empty, paths, "2027-01-01/2027-12-31")

    assert ("", [[0]]) == (futures.currency, futures.yearly().tolist())
