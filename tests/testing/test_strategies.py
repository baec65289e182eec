"""Strategies draw valid records of every kind, reach what hurts, and shrink to a plain rent."""

from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings, strategies as st
from pydantic import BaseModel

import rentbilling as rb
from rentbilling.records import fields_of, records_in
from rentbilling.testing import strategies
from rentbilling.testing.strategies import BillingRun
from rentbilling.testing.strategies.adjusted_leases import choose_adjusted
from rentbilling.testing.strategies.choices import Choices
from rentbilling.testing.strategies.items import choose_terms
from rentbilling.testing.strategies.plans import choose_kept_plan
from rentbilling.values import minor_units
from tests.support.rows import rows

RECORDS: tuple[tuple[st.SearchStrategy[Any], type[Any]], ...] = (
    (strategies.billing_cycles(), rb.BillingCycle),
    (strategies.due_date_rules(), rb.DueDateRule),
    (strategies.discounts(), rb.Discount),
    (strategies.discounts(rb.Amount(-5, "EUR")), rb.Discount),
    (strategies.opening_periods(), rb.FirstBillingPeriodBillItem),
    (strategies.amount_records(), rb.AmountRecord),
    (strategies.vat_records(), rb.VatRecord),
    (strategies.description_records(), rb.DescriptionRecord),
    (strategies.quantity_records(), rb.QuantityRecord),
    (strategies.recurring_bill_items(), rb.RecurringBillItem),
    (strategies.one_time_bill_items(), rb.OneTimeBillItem),
    (strategies.lease_terms(), rb.LeaseTerms),
    (strategies.billing_policies(), rb.BillingPolicy),
    (strategies.increments(), rb.Increment),
    (strategies.index_clauses(), rb.IndexClause),
    (strategies.rent_adjustment_rules(), rb.RentAdjustmentRule),
    (strategies.rent_adjustment_plans(), rb.RentAdjustmentPlan),
    (strategies.rent_adjustments(), rb.RentAdjustment),
    (strategies.balances(), rb.Balance),
    (strategies.index_series(), rb.IndexSeries),
)
VALUES: tuple[tuple[st.SearchStrategy[Any], type[Any]], ...] = (
    (strategies.amounts(), rb.Amount),
    (strategies.vats(), rb.Vat),
    (strategies.periods(), rb.Period),
    (strategies.asked_periods(), rb.Period),
)
MANY = settings(max_examples=5000, database=None, suppress_health_check=[HealthCheck.too_slow])
"""Enough to reach what comes up once in a few hundred examples."""
UNSHRUNK = settings(MANY, phases=(Phase.generate,))


def reached(
    strategy: st.SearchStrategy[Any],
    condition: Callable[[Any], object],
    *,
    how: settings = UNSHRUNK,
) -> Any:  # noqa: ANN401
    """Return an example of a kind; the search is the same in every run."""
    chance = Random(20260101)  # noqa: S311 - no secret
    return find(strategy, lambda each: bool(condition(each)), settings=how, random=chance)


@pytest.mark.parametrize(
    ("strategy", "kind"), RECORDS, ids=lambda each: getattr(each, "__name__", "")
)
@given(data=st.data())
def test_records_are_valid_and_survive_json(
    strategy: st.SearchStrategy[Any], kind: type[Any], data: st.DataObject
) -> None:
    """What is drawn is made without a refusal and read back from its JSON as it was (A56)."""
    record: Any = data.draw(strategy)

    assert kind is type(record)
    assert record == rb.loads(rb.dumps(record), kind)


@pytest.mark.parametrize(
    ("strategy", "kind"), VALUES, ids=lambda each: getattr(each, "__name__", "")
)
@given(data=st.data())
def test_values_are_of_their_kind(
    strategy: st.SearchStrategy[Any], kind: type[Any], data: st.DataObject
) -> None:
    assert kind is type(data.draw(strategy))


def test_every_field_of_every_record_is_given() -> None:
    """A field that no strategy makes, or makes with its default alone, would be tested by none."""
    met: dict[tuple[str, str], set[str]] = {}

    def meet(value: Any) -> None:  # noqa: ANN401 - whatever a field is
        if isinstance(value, tuple):
            for each in value:
                meet(each)
        elif isinstance(value, BaseModel):
            for field in fields_of(type(value)):
                own = getattr(value, field.name)
                if field.required or own != field.default:
                    met.setdefault((type(value).__name__, field.name), set()).add(repr(own))
                meet(own)

    random = Random(1)  # noqa: S311 - no secret
    for _ in range(700):
        meet(choose_terms(Choices(random.randbytes(1000)), "DKK"))
        meet(choose_adjusted(Choices(random.randbytes(1000))).terms)
        meet(choose_kept_plan(Choices(random.randbytes(300)), "DKK"))
    everything = {
        (name, field.name)
        for name, kind in records_in(rb.LeaseTerms).items()
        for field in fields_of(kind)
    }
    assert everything - met.keys() == set()


@given(strategies.lease_terms("KWD"), strategies.amounts("JPY"), strategies.balances("EUR"))
def test_a_currency_may_be_asked_for(
    terms: rb.LeaseTerms, amount: rb.Amount, balance: rb.Balance
) -> None:
    amounts = [item.amount for item in terms.recurring_bill_items]
    amounts += [item.amount for item in terms.one_time_bill_items]

    assert {"KWD"} == {each.currency for each in amounts}
    assert ("JPY", "EUR") == (amount.currency, balance.amount.currency)


@given(strategies.portfolios())
def test_leases_of_a_portfolio_have_ids(portfolio: list[rb.LeaseTerms]) -> None:
    assert 1 <= len(portfolio) <= 3
    assert [f"lease-{at}" for at in range(1, len(portfolio) + 1)] == [
        terms.lease_id for terms in portfolio
    ]


@settings(deadline=None)
@given(strategies.billing_runs())
def test_runs_are_billed_without_a_refusal(run: BillingRun) -> None:
    terms, period, indices, policy = run

    assert period == rb.pending_bills(terms, period, indices=indices, policy=policy).period


@rows("places", [0, 2, 3])
def test_currencies_with_any_number_of_decimals(places: int) -> None:
    assert reached(strategies.currencies(), lambda code: minor_units(code) == places)
    assert reached(
        strategies.lease_terms(),
        lambda terms: minor_units(terms.recurring_bill_items[0].amount.currency) == places,
    )


def test_amounts_on_a_tie() -> None:
    """Half a minor unit: what rounding modes part over (A3)."""

    def is_tie(amount: rb.Amount) -> bool:
        units = Fraction(amount.amount) * 10 ** minor_units(amount.currency)
        return bool(units % 1 == Fraction(1, 2))

    assert reached(strategies.amounts(), is_tie)
    assert reached(
        strategies.recurring_bill_items("DKK"),
        lambda item: item.quantity is None and is_tie(item.amount),
    )


def test_credits_by_amount_and_by_quantity() -> None:
    """Both turn the sign of a line (A21, A26)."""
    items = strategies.recurring_bill_items()

    assert reached(items, lambda item: item.amount.amount < 0)
    assert reached(items, lambda item: item.quantity is not None and item.quantity < 0)


def test_leap_days_and_ends_of_months() -> None:
    """29 February starts, opens and ends; cycles start on the 31st."""
    leap = date(2024, 2, 29)
    items = strategies.recurring_bill_items()

    assert reached(strategies.periods(), lambda period: period.start == leap)
    assert reached(items, lambda item: item.ended_on == leap)
    assert reached(items, lambda item: any(each.start == leap for each in item.amount_records))
    assert reached(strategies.billing_cycles(), lambda cycle: cycle.start_day == 31)
    assert reached(strategies.asked_periods(), lambda period: (period.end + timedelta(1)).day == 1)


def test_openings_with_a_gap_after_them() -> None:
    """Monthly from the first, and an opening that ends before the last of a month (A13)."""
    assert reached(
        strategies.recurring_bill_items(),
        lambda item: (
            item.billing_cycle == rb.BillingCycle()
            and (item.first_billing_period_bill_item.accounting_period.end + timedelta(1)).day != 1
        ),
    )


@rows("kind", ["opening", "regular", "part", "one_time", "balance"])
def test_lines_of_every_kind(kind: str) -> None:
    def has(run: BillingRun) -> bool:
        terms, period, indices, policy = run
        bills = rb.pending_bills(terms, period, indices=indices, policy=policy)
        return any(line.kind == kind for bill in bills for line in bill.lines)

    assert reached(strategies.billing_runs(), has)


def test_bills_in_two_currencies_and_with_several_rates() -> None:
    """One lease bills several currencies, one bill has several VAT totals (A16, A30)."""

    def bills(run: BillingRun) -> Any:  # noqa: ANN401
        terms, period, indices, policy = run
        return rb.pending_bills(terms, period, indices=indices, policy=policy)

    runs = strategies.billing_runs()

    assert reached(runs, lambda run: len({bill.currency for bill in bills(run)}) > 1)
    assert reached(runs, lambda run: any(len(bill.vat_totals) > 1 for bill in bills(run)))


def test_adjustments_and_missing_index_values() -> None:
    """Rents are adjusted by an index, and an index value may be missing (A38, A41)."""

    def codes(run: BillingRun) -> set[str]:
        terms, period, indices, policy = run
        return {
            each.code
            for each in rb.pending_bills(terms, period, indices=indices, policy=policy).notices
        }

    assert reached(strategies.billing_runs(), lambda run: "missing_index" in codes(run))


def test_the_simplest_lease_is_a_plain_monthly_rent() -> None:
    """8,500 DKK a month from the first, exempt from VAT, and nothing else."""
    terms = reached(strategies.lease_terms(), lambda _: True, how=MANY)
    (item,) = terms.recurring_bill_items

    assert () == terms.one_time_bill_items
    assert (rb.Amount(8500, "DKK"), rb.Vat("Exempt"), rb.BillingCycle(), rb.DueDateRule()) == (
        item.amount,
        item.vat,
        item.billing_cycle,
        item.due_date_rule,
    )
    assert (None, None, None, None, ()) == (
        item.quantity,
        item.discount,
        item.ended_on,
        item.cancelled_on,
        item.amount_records,
    )


def test_a_found_item_has_nothing_beside_what_was_looked_for() -> None:
    """A credit shrinks to a plain monthly item with an amount below 0."""
    items = strategies.recurring_bill_items()
    item = reached(items, lambda item: item.amount.amount < 0, how=MANY)

    assert (rb.Vat("Exempt"), rb.BillingCycle(), None, None) == (
        item.vat,
        item.billing_cycle,
        item.quantity,
        item.discount,
    )
