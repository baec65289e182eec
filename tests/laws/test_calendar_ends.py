"""The ends of the calendar: what would leave the years 1 to 9999 is refused in the error tree.

Law: whatever public function is asked about a lease near 0001-01-01 or 9999-12-31, it answers or
raises a RentBillingError, never an error of Python's own. What is refused is in `calls/ends.txt`.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from inspect import isfunction
from types import MappingProxyType
from typing import Any, Final

from hypothesis import given, note

import rentbilling as rb
import rentbilling.whatif
from rentbilling import presets, whatif
from rentbilling.adjustments import rolled_back
from rentbilling.checks import compare_portfolio
from rentbilling.reports import cash_flow
from rentbilling.schedule import period_share
from rentbilling.service import contract_period_state, lease_figures_on
from rentbilling.tables import table_of
from rentbilling.turnover import SalesReport, TurnoverClause, TurnoverTerms, TurnoverTier
from tests.support.calendar_ends import Case, cases
from tests.support.rents import amount

Call = Callable[[Case], object]

HALF_OPEN: Final = rb.BillingPolicy(period_end="excluded")
TENTH_OF_SALES: Final = TurnoverTerms(clauses=(TurnoverClause(tiers=(TurnoverTier(rate="10%"),)),))


def each_of(*calls: Callable[[], object]) -> None:
    for call in calls:
        with suppress(rb.RentBillingError):
            call()


def read(result: rb.BillingResult, policy: rb.BillingPolicy) -> None:
    _ = result.rows(), str(result), [bill.rows() for bill in result], result.adjustments
    for full in (False, True):
        text = rb.dumps(result, full=full, policy=policy)
        assert rb.loads(text, rb.BillingResult, policy=policy).bills == result.bills
    half = policy.evolve(period_end="excluded")
    each_of(lambda: rb.loads(rb.dumps(result, policy=half), rb.BillingResult, policy=half))


def _pending_bills(case: Case) -> None:
    """Bills of the item alone, of the terms, and of terms made ready."""
    each_of(lambda: rb.pending_bills(case.item, case.period, policy=case.policy))
    made = rb.pending_bills(case.terms, case.period, **case.own)
    assert made == rb.pending_bills(rb.compile_terms(case.terms, **case.own), case.period)
    read(made, case.policy)


def _corrections(case: Case) -> None:
    """Bills beside earlier ones: of the same terms, of others, of the days before."""
    earlier = case.bills
    for terms in (case.terms, whatif.raise_rent("0.1")(case.inputs).terms):
        for since in (None, case.day):
            with suppress(rb.RentBillingError):
                made = case.billed(terms, already_billed=earlier, billed_since=since)
                read(made, case.policy)
                str(rb.explain(made))


def _rent_adjustments(case: Case) -> None:
    asked: list[rb.LeaseTerms | rb.RentAdjustmentPlan] = [case.terms]
    for each in (*asked, *case.terms.rent_adjustment_plans):
        each_of(partial(rb.next_adjustment_date, each, case.day))
        with suppress(rb.RentBillingError):
            price = None if each is case.terms else amount("100")
            made = rb.rent_adjustments(each, case.period, amount=price, **case.own)
            _ = made.rows(), str(made), str(rb.explain(made)), rb.dumps(made)


def _listed(case: Case) -> None:
    made = rb.rent_adjustments(case.terms, case.period, **case.own)
    listed = rb.adjusted_terms(case.terms, made, **case.own)
    each_of(lambda: case.billed(listed), lambda: rolled_back(listed, "recurring-1"))


def _compared(case: Case) -> None:
    """Bills beside those of another due day, with the causes of what differs."""
    made, other = case.bills, case.billed(whatif.due_on(5)(case.inputs).terms)
    found = rb.compare_bills(made, other, diagnose=True)
    _ = str(found), str(compare_portfolio([("lease-1", made, other)], diagnose=True))


def _forecast(case: Case, **start: Any) -> None:  # noqa: ANN401
    made = rb.forecast(case.terms, years=case.years, **start, **case.own)
    _ = made.rows(), made.monthly().rows(), str(made)
    each_of(lambda: made.rents().rows(), lambda: made.balances().rows())


def _values(case: Case) -> None:
    asked, other = case.period, rb.Period(case.day, case.day)
    _ = asked.months, asked.minus(other), asked.split_at(case.day), asked.intersection(other)
    assert asked == rb.Period.parse(str(asked))
    rb.Period.joined((asked, other))
    each_of(lambda: rb.Period.parse(str(asked), period_end="excluded"))
    year, month = f"{case.day.year:04d}", f"{case.day.year:04d}-{case.day.month:02d}"
    assert rb.YearMonth.parse(month) == rb.YearMonth(case.day.year, case.day.month)
    for text in (month, year):
        point = rb.IndexPoint.parse(text)
        _ = point.within("month"), point.year_month
        far = (-case.years, case.years, -50_000, 50_000)
        each_of(*(partial(point.shifted, by) for by in far))
        each_of(partial(point.years_earlier, case.years))
    series = case.indices
    _ = series.known_on(case.day), series.is_assumed(month), series.holes
    each_of(
        lambda: series.latest("month", known_on=case.day),
        lambda: series.value_at(month, known_on=case.day),
        lambda: series.extended(until=month),
        lambda: series.extended(until=year),
        lambda: series.rebased("new", at=month, decimals=1),
        lambda: series.linked(series.named("OLD"), factor=2),
    )


def _shares(case: Case) -> None:
    day = rb.Period(case.day, case.day)
    each_of(
        lambda: period_share(case.period, case.cycle, policy=case.policy),
        lambda: period_share(day, case.cycle, policy=case.policy),
        lambda: period_share(day, case.cycle, whole=case.period, policy=case.policy),
    )


def _records(case: Case) -> None:
    table_of(rb.RecurringBillItem, [case.item]).rows()
    for policy in (None, HALF_OPEN):
        with suppress(rb.RentBillingError):
            rb.loads(rb.dumps(case.terms, full=True, policy=policy), policy=policy)


def _sales(case: Case) -> whatif.Scenario:
    sold = SalesReport(period=case.period, sales=amount("1000000"))
    return whatif.with_turnover_rent(TENTH_OF_SALES, [sold], [case.period])


def _what_if(make: Callable[[Case], whatif.Scenario]) -> Call:
    return lambda case: case.what_if(make(case))


SCENARIOS: Final[Mapping[str, Callable[[Case], whatif.Scenario]]] = MappingProxyType(
    {
        "as_it_is": lambda _: whatif.as_it_is().named("once more"),
        "assume_index": lambda c: whatif.assume_index("0.02", until=f"{c.day.year:04d}"),
        "cap": lambda c: whatif.cap("0.01", on=c.day),
        "cap from the period": lambda _: whatif.cap("0.01"),
        "due_on": lambda _: whatif.due_on(-36_525),
        "due_on in arrears": lambda _: whatif.due_on(36_525, relative_to="end"),
        "end_on": lambda c: whatif.end_on(c.day),
        "floor": lambda c: whatif.floor("0.01", on=c.day),
        "give_discount": lambda c: whatif.give_discount("0.2", until=c.day),
        "give_discount from a day": lambda c: whatif.give_discount("0.2", on=c.day, of=None),
        "give_discount from the period": lambda _: whatif.give_discount("0.2", of=None),
        "raise_rent": lambda c: whatif.raise_rent("0.1", on=c.day),
        "raise_rent from the period": lambda _: whatif.raise_rent("0.01", of=None),
        "set_rent": lambda c: whatif.set_rent(amount("5"), on=c.day),
        "start_on": lambda c: whatif.start_on(c.day),
        "under_policy": lambda _: whatif.under_policy(rounding="down"),
        "use_clause": lambda _: whatif.use_clause(interval_years=2),
        "use_vat": lambda c: whatif.use_vat("Inclusive 20%", on=c.day),
        "with_item": lambda c: whatif.with_item(c.item.evolve(id="more")),
        "with_turnover_rent": _sales,
        "without_adjustments": lambda c: whatif.without_adjustments(on=c.day),
        "without_item": lambda _: whatif.without_item("key:fee"),
    }
)
CALLS: Final[Mapping[str, Call]] = MappingProxyType(
    {
        "accounting_periods": lambda c: rb.accounting_periods(
            c.cycle, c.period, after=c.day, policy=c.policy
        ),
        "accounting_periods of a lattice": lambda c: rb.accounting_periods(c.cycle, c.period),
        "adjusted_terms rolled_back": _listed,
        "amount_in_force": lambda c: rb.amount_in_force(c.terms, "recurring-1", c.day, **c.own),
        "amount_in_force of a balance": lambda c: rb.amount_in_force(
            c.terms, "balance-1", c.day, **c.own
        ),
        "bill_period": lambda c: read(c.bills, c.policy),
        "bill_period of corrections": _corrections,
        "cash_flow": lambda c: [cash_flow(c.bills, by=by).rows() for by in ("year", "day")],
        "check_bill": lambda c: str(rb.check_bill(c.bills)),
        "compare_bills compare_portfolio": _compared,
        "contract_period_state": lambda c: contract_period_state(
            c.period.start, c.period.end, c.day
        ),
        "due_date": lambda c: rb.due_date(
            c.item.due_date_rule, c.period, cycle=c.cycle, policy=c.policy
        ),
        "dumps loads table_of": _records,
        "explain": lambda c: str(rb.explain(c.bills)),
        "first_billing_period": lambda c: rb.first_billing_period(
            c.item.amount, c.cycle, c.day, discount=c.item.discount, policy=c.policy
        ),
        "forecast": lambda c: _forecast(c, start=c.day),
        "forecast of the lease": _forecast,
        "lease_figures_on": lambda c: lease_figures_on(c.terms, c.day, **c.own),
        "legal_caps": lambda c: presets.legal_caps("NL", on=c.day),
        "monthly_rent": lambda c: rb.monthly_rent(
            c.item.amount, c.day, billing_cycle=c.cycle, policy=c.policy
        ),
        "one_time_item": lambda c: rb.one_time_item("key:fee", c.item.amount, c.day),
        "pending_bills compile_terms": _pending_bills,
        "period_share": _shares,
        "preset": lambda c: presets.preset("AT", on=c.day),
        "presets": lambda c: presets.find(on=c.day),
        "recurring_item": lambda c: rb.recurring_item(
            "key:rent", c.item.amount, c.day, billing_cycle=c.cycle, policy=c.policy
        ),
        "rent_adjustments next_adjustment_date": _rent_adjustments,
        "vat_totals": lambda c: [rb.vat_totals(bill.lines) for bill in c.bills],
        "Period YearMonth IndexPoint IndexSeries": _values,
        **{name: _what_if(make) for name, make in SCENARIOS.items()},
    }
)
"""By the names of the functions, and what else they are asked."""
WITHOUT_DAYS: Final = frozenset(
    ["cap_rules", "divide_rounded", "minor_units", "rounded", "schema_of", "share_out", "what_if"]
)
"""Public functions that take no days; `what_if` is in every scenario."""


@given(cases())
def test_every_public_function_answers_or_refuses(case: Case) -> None:
    for name, call in CALLS.items():
        with suppress(rb.RentBillingError):
            note(name)
            call(case)


def test_every_public_function_is_asked() -> None:
    faces = (rentbilling, rentbilling.whatif)
    public = {name for face in faces for name in dir(face) if isfunction(getattr(face, name))}

    assert public - WITHOUT_DAYS <= {name for row in CALLS for name in row.split()}
