"""A call of every public function that takes or makes days, for a case of `calendar_ends`."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import rentbilling as rb
from rentbilling import presets, whatif
from rentbilling.adjustments import rolled_back
from rentbilling.checks import compare_portfolio
from rentbilling.presets import legal_caps, preset
from rentbilling.reports import cash_flow
from rentbilling.schedule import period_share
from rentbilling.service import contract_period_state, lease_figures_on
from rentbilling.tables import table_of
from rentbilling.turnover import SalesReport, TurnoverClause, TurnoverTerms, TurnoverTier
from tests.support.calendar_ends import Case
from tests.support.rents import amount

Call = Callable[[Case], object]

ITEM: Final = "recurring-1"
_HALF_OPEN: Final = rb.BillingPolicy(period_end="excluded")
_TENTH_OF_SALES: Final = TurnoverTerms(clauses=(TurnoverClause(tiers=(TurnoverTier(rate="10%"),)),))
_LONG: Final = rb.BillingCycle(time_unit="Year", period_length=1200)


def each_of(*calls: Callable[[], object]) -> None:
    for call in calls:
        with suppress(rb.RentBillingError):
            call()


def own(case: Case) -> dict[str, Any]:
    return {"indices": case.indices, "policy": case.policy}


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
    made = rb.pending_bills(case.terms, case.period, **own(case))
    assert made == rb.pending_bills(rb.compile_terms(case.terms, **own(case)), case.period)
    read(made, case.policy)


def _corrections(case: Case) -> None:
    """Bills beside earlier ones: of the same terms, of others, of the days before."""
    earlier = case.bills
    for terms in (case.terms, whatif.raise_rent("0.1")(case.inputs).terms):
        for since in (None, case.day):
            asked = {"already_billed": earlier, "billed_since": since}
            with suppress(rb.RentBillingError):
                made = case.billed(terms, **asked)
                read(made, case.policy)
                str(rb.explain(made))


def plans_of(case: Case) -> list[rb.LeaseTerms | rb.RentAdjustmentPlan]:
    return [case.terms, *case.terms.rent_adjustment_plans]


def _rent_adjustments(case: Case) -> None:
    for each in plans_of(case):
        price = None if each is case.terms else amount("100")
        with suppress(rb.RentBillingError):
            made = rb.rent_adjustments(each, case.period, amount=price, **own(case))
            _ = made.rows(), str(made), str(rb.explain(made)), rb.dumps(made)


def _listed(case: Case) -> None:
    made = rb.rent_adjustments(case.terms, case.period, **own(case))
    listed = rb.adjusted_terms(case.terms, made, **own(case))
    each_of(lambda: case.billed(listed), lambda: rolled_back(listed, ITEM))


def _compared(case: Case) -> None:
    """Bills beside those of another due day, with the causes of what differs."""
    made, other = case.bills, case.billed(whatif.due_on(5)(case.inputs).terms)
    found = rb.compare_bills(made, other, diagnose=True)
    _ = str(found), str(compare_portfolio([("lease-1", made, other)], diagnose=True))


def _forecast(case: Case, **start: Any) -> None:  # noqa: ANN401
    made = rb.forecast(case.terms, years=case.years, **start, **own(case))
    _ = made.rows(), made.monthly().rows(), str(made)
    each_of(lambda: made.rents().rows(), lambda: made.balances().rows())


def _periods(case: Case) -> None:
    asked, other = case.period, rb.Period(case.day, case.day)
    _ = asked.months, asked.minus(other), asked.split_at(case.day), asked.intersection(other)
    assert asked == rb.Period.parse(str(asked))
    assert rb.YearMonth.parse(f"{case.day:%Y-%m}".zfill(7)) == rb.YearMonth(
        case.day.year, case.day.month
    )
    rb.Period.joined((asked, other))
    each_of(lambda: rb.Period.parse(str(asked), period_end="excluded"))


def _points(case: Case) -> None:
    for text in (f"{case.day.year:04d}-{case.day.month:02d}", f"{case.day.year:04d}"):
        point = rb.IndexPoint.parse(text)
        _ = point.within("month"), point.year_month
        each_of(
            *(partial(point.shifted, by) for by in (-case.years, case.years, -50_000, 50_000)),
            partial(point.years_earlier, case.years),
        )


def _index_series(case: Case) -> None:
    series, years = case.indices, f"{case.day.year:04d}"
    point = f"{years}-{case.day.month:02d}"
    _ = series.known_on(case.day), series.is_assumed(point), series.holes
    each_of(
        lambda: series.latest("month", known_on=case.day),
        lambda: series.value_at(point, known_on=case.day),
        lambda: series.extended(until=point),
        lambda: series.extended(until=years),
        lambda: series.rebased("new", at=point, decimals=1),
        lambda: series.linked(series.named("OLD"), factor=2),
    )


def _sold(period: rb.Period) -> SalesReport:
    return SalesReport(period=period, sales=amount("1000000"))


def _what_if(make: Callable[[Case], whatif.Scenario]) -> Call:
    return lambda case: case.what_if(make(case))


CALLS: Final[Mapping[str, Call]] = MappingProxyType(
    {
        "accounting_periods": lambda case: rb.accounting_periods(
            case.cycle, case.period, after=case.day, policy=case.policy
        ),
        "accounting_periods of the whole calendar": lambda case: rb.accounting_periods(
            case.cycle, case.period, policy=case.policy
        ),
        "adjusted_terms rolled_back": _listed,
        "amount_in_force": lambda case: each_of(
            *(
                partial(rb.amount_in_force, case.terms, each, case.day, **own(case))
                for each in (ITEM, "balance-1")
            )
        ),
        "as_it_is": _what_if(lambda _: whatif.as_it_is().named("once more")),
        "assume_index": _what_if(
            lambda case: whatif.assume_index("0.02", until=f"{case.day.year:04d}")
        ),
        "bill_period": lambda case: read(case.bills, case.policy),
        "bill_period beside earlier bills": _corrections,
        "cap": _what_if(lambda case: whatif.cap("0.01", on=case.day)),
        "cash_flow": lambda case: [
            cash_flow(case.bills, by=by).rows() for by in ("year", "month", "day", "item")
        ],
        "check_bill": lambda case: str(rb.check_bill(case.bills)),
        "compare_bills compare_portfolio": _compared,
        "contract_period_state": lambda case: contract_period_state(
            case.period.start, case.period.end, case.day
        ),
        "due_date": lambda case: rb.due_date(
            case.item.due_date_rule, case.period, cycle=case.cycle, policy=case.policy
        ),
        "due_on": _what_if(lambda _: whatif.due_on(-36_525)),
        "due_on in arrears": _what_if(lambda _: whatif.due_on(36_525, relative_to="end")),
        "dumps loads": lambda case: rb.loads(rb.dumps(case.terms, full=True), rb.LeaseTerms),
        "dumps loads of half-open periods": lambda case: rb.loads(
            rb.dumps(case.terms, full=True, policy=_HALF_OPEN), rb.LeaseTerms, policy=_HALF_OPEN
        ),
        "end_on": _what_if(lambda case: whatif.end_on(case.day)),
        "explain": lambda case: str(rb.explain(case.bills)),
        "first_billing_period": lambda case: rb.first_billing_period(
            case.item.amount, case.cycle, case.day, discount=case.item.discount, policy=case.policy
        ),
        "floor": _what_if(lambda case: whatif.floor("0.01", on=case.day)),
        "forecast": lambda case: _forecast(case, start=case.day),
        "forecast from the start of the lease": _forecast,
        "give_discount": _what_if(lambda case: whatif.give_discount("0.2", until=case.day)),
        "give_discount from a day": _what_if(
            lambda case: whatif.give_discount("0.2", on=case.day, of=None)
        ),
        "give_discount from the period": _what_if(lambda _: whatif.give_discount("0.2", of=None)),
        "cap from the period": _what_if(lambda _: whatif.cap("0.01")),
        "raise_rent from the period": _what_if(lambda _: whatif.raise_rent("0.01", of=None)),
        "monthly_rent": lambda case: rb.monthly_rent(
            case.item.amount, case.day, billing_cycle=case.cycle, policy=case.policy
        ),
        "recurring_item": lambda case: rb.recurring_item(
            "key:rent", case.item.amount, case.day, billing_cycle=case.cycle, policy=case.policy
        ),
        "one_time_item": lambda case: rb.one_time_item("key:fee", case.item.amount, case.day),
        "lease_figures_on": lambda case: lease_figures_on(case.terms, case.day, **own(case)),
        "legal_caps": lambda case: legal_caps("NL", on=case.day),
        "next_adjustment_date": lambda case: each_of(
            *(partial(rb.next_adjustment_date, each, case.day) for each in plans_of(case))
        ),
        "pending_bills compile_terms": _pending_bills,
        "period_share": lambda case: each_of(
            lambda: period_share(case.period, case.cycle, policy=case.policy),
            lambda: period_share(rb.Period(case.day, case.day), case.cycle, policy=case.policy),
            lambda: period_share(
                rb.Period(case.day, case.day), case.cycle, whole=case.period, policy=case.policy
            ),
        ),
        "preset": lambda case: preset("AT", on=case.day),
        "presets": lambda case: presets.find(on=case.day),
        "raise_rent": _what_if(lambda case: whatif.raise_rent("0.1", on=case.day)),
        "rent_adjustments": _rent_adjustments,
        "set_rent": _what_if(lambda case: whatif.set_rent(amount("5"), on=case.day)),
        "start_on": _what_if(lambda case: whatif.start_on(case.day)),
        "switch_cycle": _what_if(lambda case: whatif.switch_cycle(_LONG, on=case.day)),
        "switch_cycle to days": _what_if(
            lambda case: whatif.switch_cycle(
                rb.BillingCycle(time_unit="Day", period_length=9), on=case.day
            )
        ),
        "switch_cycle to five months": _what_if(
            lambda _: whatif.switch_cycle(rb.BillingCycle(period_length=5))
        ),
        "switch_to_monthly": _what_if(lambda case: whatif.switch_to_monthly(on=case.day)),
        "switch_to_quarterly": _what_if(lambda case: whatif.switch_to_quarterly(on=case.day)),
        "switch_to_yearly": _what_if(lambda case: whatif.switch_to_yearly(on=case.day)),
        "table_of": lambda case: table_of(rb.RecurringBillItem, [case.item]).rows(),
        "under_policy": _what_if(lambda _: whatif.under_policy(rounding="down")),
        "use_clause": _what_if(lambda _: whatif.use_clause(interval_years=2)),
        "use_vat": _what_if(
            lambda case: whatif.use_vat(rb.Vat("Inclusive", Decimal("0.2")), on=case.day)
        ),
        "vat_totals": lambda case: [rb.vat_totals(bill.lines) for bill in case.bills],
        "with_item": _what_if(lambda case: whatif.with_item(case.item.evolve(id="more"))),
        "with_turnover_rent": _what_if(
            lambda case: whatif.with_turnover_rent(
                _TENTH_OF_SALES, [_sold(case.period)], [case.period]
            )
        ),
        "without_adjustments": _what_if(lambda case: whatif.without_adjustments(on=case.day)),
        "without_item": _what_if(lambda _: whatif.without_item("key:fee")),
        "Period YearMonth": _periods,
        "IndexPoint": _points,
        "IndexSeries": _index_series,
    }
)
"""By the names of the functions, and what else they are asked."""

WITHOUT_DAYS: Final = frozenset(
    ["cap_rules", "divide_rounded", "minor_units", "rounded", "schema_of", "share_out", "what_if"]
)
"""Public functions that take no days; `what_if` is in every scenario."""
