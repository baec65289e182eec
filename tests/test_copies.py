"""Copies and pickles: what is handed to another process bills and tells the same there.

Laws: compiled terms are copied in every way and with every protocol; all other values with protocol
2 or later, which is what Python takes by itself.
"""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from decimal import Decimal
from functools import partial
from multiprocessing import get_context
from typing import Any

import pytest
from hypothesis import given

import rentbilling as rb
from rentbilling import presets
from rentbilling.checks import compare_portfolio
from rentbilling.errors import InvalidRecordError
from rentbilling.payers import BillDiscount, carry, discount_bill, split_bill
from rentbilling.presets import legal_caps
from rentbilling.reports import cash_flow
from rentbilling.service import lease_figures_on
from rentbilling.settlement import (
    CostPool,
    Occupancy,
    PoolPart,
    Settlement,
    SettlementUnit,
    explain_statement,
    settle,
)
from rentbilling.testing import a_lease, a_plan, a_rent, a_tenancy, strategies
from rentbilling.testing.strategies import BillingRun
from rentbilling.turnover import (
    SalesReport,
    TurnoverClause,
    TurnoverTerms,
    TurnoverTier,
    explain_turnover,
    lease_turnover,
)
from rentbilling.whatif import BillingInputs, cap, raise_rent
from tests.support.rows import rows

Copy = Callable[[Any], Any]


def pickled(protocol: int, given: Any) -> Any:  # noqa: ANN401
    return pickle.loads(pickle.dumps(given, protocol))


PROTOCOLS: dict[str, Copy] = {
    f"protocol {each}": partial(pickled, each) for each in range(pickle.HIGHEST_PROTOCOL + 1)
}
EVERY: dict[str, Copy] = {"copy": copy.copy, "deepcopy": copy.deepcopy, **PROTOCOLS}
USUAL = {name: each for name, each in EVERY.items() if name not in ("protocol 0", "protocol 1")}

NPI = rb.IndexSeries(
    "NPI", {"2025-10": "100.0", "2026-10": "103.0", "2027-10": "104.0"}, base="2015=100"
)
LEASE = a_lease(a_rent(amount=8000), plans=[a_plan(maximum="0.02")])
PERIOD = "2026-06-01/2028-06-30"
OWN = rb.BillingPolicy(
    holidays={date(2026, 7, 1)},
    business_day="following",
    by_product={"key:rent": rb.BillingPolicy(rounding="down")},
    currencies={"XXA": 3},
)


def billed(compiled: rb.CompiledTerms) -> list[tuple[str, str]]:
    return [(str(bill.due_date), str(bill.total)) for bill in rb.pending_bills(compiled, PERIOD)]


class TestCompiledTerms:
    """Compiled once, billed many times, in other processes too."""

    @pytest.mark.parametrize("way", EVERY.values(), ids=EVERY)
    @pytest.mark.parametrize(
        "indices",
        [NPI, (NPI,), {"NPI": NPI}, BillingInputs.of(LEASE, NPI).indices],
        ids=["one", "several", "by name", "of inputs"],
    )
    def test_a_copy_bills_the_same(self, way: Copy, indices: Any) -> None:  # noqa: ANN401
        """With series in whatever form: 8,000 raised by 2 %, then by 1 / 103."""
        compiled = rb.compile_terms(LEASE, indices=indices, policy=OWN)
        expected = billed(compiled)

        again = way(compiled)

        assert {"8000.00 DKK", "8160.00 DKK", "8239.22 DKK"} == {total for _, total in expected}
        assert expected == billed(again)
        assert rb.bill_period(compiled, PERIOD) == rb.bill_period(again, PERIOD)
        assert (LEASE, OWN) == (again.terms, again.policy)
        assert str(rb.explain(rb.bill_period(again, PERIOD))) == str(
            rb.explain(rb.bill_period(compiled, PERIOD))
        )

    def test_series_that_can_be_gone_through_once_are_kept(self) -> None:
        compiled = rb.compile_terms(LEASE, indices=(each for each in [NPI]))

        assert billed(compiled) == billed(pickled(5, compiled))
        assert {"NPI": NPI} == dict(compiled.indices or {})  # type: ignore[arg-type]

    def test_another_process_bills_the_same(self) -> None:
        compiled = rb.compile_terms(LEASE, indices=NPI)

        with ProcessPoolExecutor(1, get_context("spawn")) as workers:
            there = workers.submit(billed, compiled).result()

        assert billed(compiled) == there

    @given(strategies.billing_runs())
    def test_every_lease_is_copied(self, run: BillingRun) -> None:
        compiled = rb.compile_terms(run.terms, indices=run.indices, policy=run.policy)
        expected = rb.bill_period(compiled, run.period)

        for way in (copy.deepcopy, PROTOCOLS["protocol 5"]):
            assert expected == rb.bill_period(way(compiled), run.period)


RESULT = rb.bill_period(LEASE, PERIOD, indices=NPI)
VALUES: dict[str, Any] = {
    "BillingResult": RESULT,
    "PendingBill": RESULT[0],
    "PendingBillLineItem": RESULT[0].lines[0],
    "VatTotal": RESULT[0].vat_totals[0],
    "Notice": rb.Notice("code", "said", "item", ()),
    "AdjustmentResult": rb.rent_adjustments(LEASE, PERIOD, indices=NPI),
    "RentAdjustment": RESULT.adjustments[0],
    "LeaseTerms": LEASE,
    "BillingPolicy": OWN,
    "BillingInputs": BillingInputs.of(LEASE, NPI, OWN),
    "Explanation": rb.explain(RESULT),
    "Working": rb.explain(RESULT, bill=0),
    "CheckResult": rb.check_bill({"total": 1}),
    "Comparison": rb.compare_bills(RESULT, RESULT[1:]),
    "PortfolioComparison": compare_portfolio([("lease-1", RESULT, RESULT[1:])]),
    "Table": cash_flow(RESULT),
    "Forecast": rb.forecast(LEASE, years=2, indices=NPI),
    "IndexSeries": NPI,
    "IndexPoint": rb.IndexPoint.parse("2026-Q1"),
    "Amount": rb.Amount(1, "DKK"),
    "Vat": rb.Vat("Exclusive", Decimal("0.25")),
    "Period": rb.Period.parse(PERIOD),
    "YearMonth": rb.YearMonth(2026, 1),
    "ClausePreset": presets.find("DK")[0],
    "LegalCap": legal_caps("NL")[0],
    "LeaseFigures": lease_figures_on(LEASE, date(2026, 6, 1), indices=NPI),
    "CreateTenancy": a_tenancy(),
    "Problem": rb.Problem("path", "code", "is wrong", "met", "expected"),
    "UnsupportedCaseError": rb.UnsupportedCaseError("unsupported", case="it"),
    "InvalidRecordError": InvalidRecordError.of("path", "code", "is wrong", 1, "2"),
}


@rows("way", USUAL.values(), ids=USUAL)
@rows("value", VALUES.values(), ids=VALUES)
def test_a_copy_is_equal(value: Any, way: Copy) -> None:  # noqa: ANN401
    again = way(value)

    assert value == again
    assert type(value) is type(again)
    assert str(value) == str(again)


BILL = RESULT[0]
POOL = CostPool(id="p", amount=rb.Amount(100, "DKK"), parts=(PoolPart(key="area"),))
SETTLED = settle(
    Settlement(
        period="2025",
        currency="DKK",
        pools=(POOL,),
        units=(SettlementUnit(id="u", values={"area": Decimal(50)}),),
        occupancies=(Occupancy(id="o", unit="u", lease="l"),),
    )
)
SALES_CLAUSE = TurnoverClause(tiers=(TurnoverTier(rate="6%"),), natural=True)
SHOP = TurnoverTerms(clauses=(SALES_CLAUSE,), interval_months=12)
YEAR = lease_turnover(
    LEASE, SHOP, [SalesReport(period="2026", sales=rb.Amount(260_000, "DKK"))], "2026", indices=NPI
)
EXPLAINED: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "bills": (RESULT, rb.explain),
    "a bill": (RESULT, lambda found: rb.explain(found, bill=found[-1])),
    "a line": (RESULT, lambda found: rb.explain(found, bill=-1, line=0)),
    "an adjustment": (RESULT, lambda found: rb.explain(found, adjustment=0)),
    "a later bill": (
        rb.pending_bills(LEASE, "2027-03", indices=NPI, already_billed=RESULT.bills[:-20]),
        rb.explain,
    ),
    "adjustments": (rb.rent_adjustments(LEASE, PERIOD, indices=NPI), rb.explain),
    "a bill of two payers": (split_bill(BILL, {"a": "1/3", "b": "2/3"}), rb.explain),
    "a bill with a discount": (discount_bill(BILL, [BillDiscount(percentage="10%")]), rb.explain),
    "a balance": (carry(BILL, rb.Amount(5, "DKK")), rb.explain),
    "what if": (
        rb.what_if(LEASE, raise_rent("0.1"), period=PERIOD, indices=NPI),
        lambda found: rb.explain(found.variants[0].results[0]),
    ),
    "a settlement": (SETTLED, lambda found: explain_statement(next(iter(found)))),
    "a turnover year": (YEAR, explain_turnover),
}


@rows("way", USUAL.values(), ids=USUAL)
@rows(("result", "told"), EXPLAINED.values(), ids=EXPLAINED)
def test_a_copy_explains_itself(result: Any, told: Callable[[Any], Any], way: Copy) -> None:  # noqa: ANN401
    """It keeps the terms that it was computed from."""
    again = way(result)

    assert str(told(result)) == str(told(again))
    assert getattr(result, "source", None) is None or again.source is not None


@rows("way", USUAL.values(), ids=USUAL)
def test_forecasts_and_what_if_are_computed_anew(way: Copy) -> None:
    made = rb.forecast(LEASE, years=2, indices=NPI.extended(until="2030"))
    again = way(made)

    for name in ("yearly", "monthly", "rents", "balances"):
        assert getattr(made, name)().rows() == getattr(again, name)().rows()
    assert str(rb.explain(made.result)) == str(rb.explain(again.result))
    assert made.assumed_from == again.assumed_from
    scenarios = rb.what_if(LEASE, raise_rent("0.1"), cap("0.01"), period=PERIOD, indices=NPI)
    there = way(scenarios)

    assert str(scenarios) == str(there)
    assert scenarios.differences("year").rows() == there.differences("year").rows()
    assert scenarios.baseline.inputs == there.baseline.inputs
