"""What is said where the extra of the portfolio is not installed, and of leases without items."""

import subprocess
import sys
from importlib import reload
from types import ModuleType

import pytest

import rentbilling.portfolio
import rentbilling.simulation
from rentbilling import IndexSeries
from rentbilling.simulation import IndexPaths, simulate
from rentbilling.testing import a_lease


@pytest.mark.parametrize(
    ("package", "what"),
    [(rentbilling.portfolio, "portfolios"), (rentbilling.simulation, "simulations")],
)
def test_a_missing_numpy_is_said_with_what_to_install(
    package: ModuleType, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)

    with pytest.raises(ImportError) as refused:
        reload(package)

    assert f"{what} need numpy: pip install 'rentbilling[bulk]'" == str(refused.value)
    assert "numpy" == refused.value.name


def test_a_missing_pyarrow_is_said_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "rentbilling.portfolio.arrow.column_types", raising=False)

    with pytest.raises(ImportError) as refused:
        _ = rentbilling.portfolio.LEASE_SCHEMA

    assert "portfolios need pyarrow: pip install 'rentbilling[bulk]'" == str(refused.value)
    assert "pyarrow" == refused.value.name


def test_futures_are_loaded_without_pyarrow() -> None:
    code = "import sys, rentbilling.simulation; print('pyarrow' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert "False" == told.stdout.strip()


def test_every_name_of_the_portfolio_is_there() -> None:
    for name in rentbilling.portfolio.__all__:
        assert getattr(rentbilling.portfolio, name) is not None
    assert sorted(rentbilling.portfolio.__all__) == dir(rentbilling.portfolio)
    with pytest.raises(AttributeError, match="bill_portfolios"):
        _ = rentbilling.portfolio.bill_portfolios  # type: ignore[attr-defined, unused-ignore] # pyright: ignore[reportAttributeAccessIssue]


def test_leases_without_items_have_no_currency() -> None:
    empty = a_lease().evolve(recurring_bill_items=())
    series = IndexSeries("CPI", {"2025-10": "100.0"})
    paths = IndexPaths.of_array(series, [[1010]], points=["2026-10"])

    futures = simulate(empty, paths, "2027-01-01/2027-12-31")

    assert ("", [[0]]) == (futures.currency, futures.yearly().tolist())


def test_another_missing_module_is_said_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rentbilling.portfolio.arrow.column_types", None)

    with pytest.raises(ImportError) as refused:
        _ = rentbilling.portfolio.LEASE_SCHEMA

    assert "rentbilling.portfolio.arrow.column_types" == refused.value.name
