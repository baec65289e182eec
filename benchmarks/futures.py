"""What ten thousand futures cost: against the scalar engine path by path.

And what they cost of many leases over few, realistic ones in one currency, of which every second
plan has an amount agreed for its adjustment in 2027, which the index is not yet published for.

Law: both engines answer the same question, terms not compiled before; each scalar path has its own
series, made ready outside of the clock.
"""

from datetime import date
from decimal import Decimal
from functools import partial
from itertools import count as numbers, islice
from time import process_time
from typing import Final

from benchmarks.real_portfolios import INDEX, OCTOBERS, realistic
from benchmarks.timing import Piece, best_times
from rentbilling import Amount, AmountRecord, IndexSeries, LeaseTerms, Period, bill_period
from rentbilling.simulation import IndexPaths, simulate
from rentbilling.testing import a_lease, a_plan, a_rent, an_item

FIRST_YEAR: Final = 2026
THIRTY_YEARS: Final = Period(date(FIRST_YEAR, 1, 1), date(FIRST_YEAR + 29, 12, 31))
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


def lease() -> LeaseTerms:
    """Return three items a month; rent and parking follow the index, one of them capped."""
    return a_lease(
        a_rent(amount="8540.25"),
        an_item(amount="612.50"),
        an_item(product_key="key:parking", amount="350.00", vat="Inclusive 0.25"),
        plans=(
            a_plan(adjustee_ref="recurring-1", minimum=0, maximum="0.04"),
            a_plan(adjustee_ref="recurring-3"),
        ),
    )


def paths(count: int) -> IndexPaths:
    until = f"{FIRST_YEAR + 30}-01"
    return IndexPaths.bootstrap(history(), until=until, paths=count, seed=_SEED)


def times(rounds: int) -> dict[str, float]:
    """Return the times of many paths, and of a sample by the scalar engine."""
    terms, many = lease(), paths(MANY)
    alone: list[Piece] = [
        partial(bill_period, terms, THIRTY_YEARS, indices=many.series(at)) for at in range(SAMPLE)
    ]
    work: dict[str, list[Piece]] = {
        "many": [partial(simulate, terms, many, THIRTY_YEARS)],
        "scalar": alone,
    }
    return best_times(work, rounds)


def agreed(terms: LeaseTerms) -> LeaseTerms:
    """Return a lease whose amount after the adjustment of 2027 is agreed already (A18)."""
    rent, *others = terms.recurring_bill_items
    month = terms.rent_adjustment_plans[0].rent_adjustment_rules[0].adjustment_month
    day = date(FIRST_YEAR + 1, month, 1)
    records = tuple(each for each in rent.amount_records if each.start != day)
    value = Amount(rent.amount.amount + 100, rent.amount.currency)
    rent = rent.evolve(amount_records=(*records, AmountRecord(value=value, start=day)))
    return terms.evolve(recurring_bill_items=(rent, *others))


def leases(count: int) -> list[LeaseTerms]:
    """Return so many leases of the realistic mix in kroner."""
    made = map(realistic, numbers())
    ours = (each for each in made if each.recurring_bill_items[0].amount.currency == "DKK")
    found = islice(ours, count)
    return [
        agreed(each) if each.rent_adjustment_plans and at % 2 else each
        for at, each in enumerate(found)
    ]


def seconds_of_leases(few: int, many: int, count: int) -> tuple[float, float]:
    """Return the processor seconds of a lease among few and among many, each on so many paths."""
    until = FIRST_YEAR - 1
    published = {f"{year}-10": level for year, level in OCTOBERS.items() if year <= until}
    index = IndexSeries(INDEX.name, published)
    ahead = IndexPaths.bootstrap(index, until=f"{FIRST_YEAR + 30}-10", paths=count, seed=_SEED)
    portfolio, found = leases(many), []
    simulate(portfolio[:few], ahead, THIRTY_YEARS)
    for each in (few, many):
        began = process_time()
        simulate(portfolio[:each], ahead, THIRTY_YEARS)
        found.append((process_time() - began) / each)
    return found[0], found[1]
