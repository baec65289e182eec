"""What ten thousand futures cost: against the scalar engine path by path, and as paths grow.

Law: both engines answer the same question, terms not compiled before; each scalar path has its own
series, made ready outside of the clock.
What does not live here: the clock (`timing`), whether the figures agree (`tests/portfolio`).
"""

from datetime import date
from decimal import Decimal
from functools import partial
from typing import Final

from benchmarks.timing import Piece, best_times
from rentbilling import (
    Amount,
    BillingCycle,
    DueDateRule,
    FirstBillingPeriodBillItem,
    IndexSeries,
    LeaseTerms,
    Period,
    RecurringBillItem,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    Vat,
    bill_period,
)
from rentbilling.simulation import IndexPaths, simulate

FIRST_YEAR: Final = 2026
THIRTY_YEARS: Final = Period(date(FIRST_YEAR, 1, 1), date(FIRST_YEAR + 29, 12, 31))
FEW: Final = 1_000
MANY: Final = 10_000
SAMPLE: Final = 5
"""Paths that the scalar engine bills; its time is scaled to all of them."""
_SEED: Final = 20261120


def history() -> IndexSeries:
    """Return twenty years of months that rise by 0.1 to 0.5 points, in no order."""
    level, values = Decimal("80.0"), {}
    for month in range(12 * 20):
        values[f"{FIRST_YEAR - 20 + month // 12}-{month % 12 + 1:02d}"] = level
        level += Decimal(1 + month * 7 % 5) / 10
    return IndexSeries("CPI", values, base="2015=100")


def item(product_key: str, price: str, vat: Vat) -> RecurringBillItem:
    first = Period(date(FIRST_YEAR, 1, 1), date(FIRST_YEAR, 1, 31))
    amount = Amount(Decimal(price), "DKK")
    return RecurringBillItem(
        product_key=product_key,
        amount=amount,
        vat=vat,
        due_date_rule=DueDateRule(),
        billing_cycle=BillingCycle(),
        started_on=first.start,
        first_billing_period_bill_item=FirstBillingPeriodBillItem(
            amount=amount, due_date=first.start, accounting_period=first
        ),
    )


def lease() -> LeaseTerms:
    """Return three items a month; rent and parking follow the index, one of them capped."""
    items = (
        item("key:rent", "8540.25", Vat("Exempt")),
        item("key:heating", "612.50", Vat("Exclusive", Decimal("0.25"))),
        item("key:parking", "350.00", Vat("Inclusive", Decimal("0.25"))),
    )
    limits = ((Decimal(0), Decimal("0.04")), (None, None))
    plans = tuple(
        RentAdjustmentPlan(
            adjustee_ref=f"recurring-{place}",
            rent_adjustment_rules=(
                RentAdjustmentRule(
                    adjustment_type="Index",
                    adjustment_month=1,
                    index_month=10,
                    minimum_percentage=least,
                    maximum_percentage=most,
                ),
            ),
        )
        for place, (least, most) in zip((1, 3), limits, strict=True)
    )
    return LeaseTerms(recurring_bill_items=items, rent_adjustment_plans=plans)


def paths(count: int) -> IndexPaths:
    until = f"{FIRST_YEAR + 30}-01"
    return IndexPaths.bootstrap(history(), until=until, paths=count, seed=_SEED)


def times(rounds: int) -> dict[str, float]:
    """Return the times of few paths, of many, and of a sample by the scalar engine."""
    terms, few, many = lease(), paths(FEW), paths(MANY)
    alone: list[Piece] = [
        partial(bill_period, terms, THIRTY_YEARS, indices=many.series(at)) for at in range(SAMPLE)
    ]
    work: dict[str, list[Piece]] = {
        "few": [partial(simulate, terms, few, THIRTY_YEARS)],
        "many": [partial(simulate, terms, many, THIRTY_YEARS)],
        "scalar": alone,
    }
    return best_times(work, rounds)
