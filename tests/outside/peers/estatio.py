"""Estatio: frequencies in advance and in arrears, amounts of periods, indexes with floors, credits.

A run bills a period for the value of the term in it, less what earlier invoices have for the same
period: the bills of the first run are earlier bills of the second (A53).
A change of an index is said as a worked example (`index/`), which has a judge.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

import rentbilling as rb
from rentbilling.values import share_out
from tests.outside import index
from tests.outside.board import MismatchError, UnsaidError, Verdict
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, Near
from tests.outside.vat.billing import Piece, charged, taxed

_MONTHS: Final[Mapping[str, int]] = MappingProxyType(
    {"MONTHLY": 1, "QUARTERLY": 3, "SEMI_YEARLY": 6, "YEARLY": 12}
)


# -------------------------------------------------------------------------------- frequencies


def _frequency(word: str) -> tuple[rb.BillingCycle | None, rb.DueDateRule]:
    """Return cycle and due date rule of a frequency; no cycle where a term is billed once.

    `QUARTERLY_IN_ADVANCE_PLUS1M` is quarters from February, due on their first day.
    """
    name, _, way = word.partition("_IN_")
    way, _, plus = way.partition("_PLUS")
    rule = days.ON_THE_LAST_DAY if way == "ARREARS" else days.AT_THE_START
    if name == "FIXED":
        return None, rule
    months = int(plus.removesuffix("M") or 0)
    return rb.BillingCycle(period_length=_MONTHS[name], start=1 + months), rule


def _cycle(word: str) -> rb.BillingCycle:
    cycle, _ = _frequency(word)
    if cycle is None:
        raise UnsaidError("a term that is billed once has no cycle")
    return cycle


def _price(yearly: str, word: str) -> Decimal:
    return rents.part_of_year(yearly, 12 // _MONTHS[word.partition("_IN_")[0]])


def _due_in(run: rb.Period, word: str, term: rb.Period) -> list[tuple[rb.Period, date]]:
    cycle, rule = _frequency(word)
    periods: tuple[rb.Period, ...] = (term,)
    if cycle is not None:
        first = days.calendar_period(run.start, cycle)
        periods = (first, *rb.accounting_periods(cycle, run, after=first.end))
    due = [(period, rb.due_date(rule, period, cycle=cycle)) for period in periods]
    return [(period, day) for period, day in due if day in run]


def due_dates(given: Asked) -> Figures:
    """Answer the periods that fall due in a half-open range, and on which day."""
    if "period_start" in given:
        cycle = _cycle(given["frequency"])
        period = days.calendar_period(days.of(given["period_start"]), cycle)
        return {"due_date": rb.due_date(_frequency(given["frequency"])[1], period, cycle=cycle)}
    run = days.half_open(given["due_date_range"])
    term = days.half_open(given.get("term", given["due_date_range"]))
    found = _due_in(run, given["frequency"], term)
    first = [f"{days.half_open_text(period)}:{day}" for period, day in found[:1]]
    return {"number_of_periods": len(found), "first": first[0] if first else None}


def period_containing(given: Asked) -> Figures:
    period = days.calendar_period(days.of(given["date"]), _cycle(given["frequency"]))
    return {"period": days.half_open_text(period)}


def next_start(given: Asked) -> Figures:
    day = days.of(given["date"])
    return {"date": days.first_of(days.anchored(days.step(given["rule"]), day), day, 2)[1].start}


def left_of_period(given: Asked) -> Figures:
    """Answer what is left of a period to the right of the days already calculated."""
    whole = days.half_open(given["period"])
    rest: tuple[rb.Period, ...] = (whole,)
    if given["already"] is not None:
        already = days.half_open(given["already"])
        rest = tuple(part for part in whole.minus(already) if part.start > already.start)
    stated = given.expected["leftover"]
    if not rest and stated is not None:
        about = "of a period calculated to its end the peer gives the whole again"
        raise MismatchError(f"leftover ({about}): expected {stated}, got None")
    return {"leftover": days.half_open_text(rest[0]) if rest else None}


def period_amounts(given: Asked) -> Figures:
    """Answer the amounts of the periods due in a range, 0.00 for those outside the term.

    A fixed value is billed in full each time; a yearly one as a period's part of the year, cut to
    the days that term, lease and tenancy have in the period.
    """
    word = given["frequency"]
    run = days.half_open(given.get("due_date_range") or given["calculation_range"])
    cycle = _cycle(word)
    fixed = str(given.get("value_type", "")).startswith("FIXED")
    price = Decimal(given["value"]) if fixed else _price(given["annual_value"], word)
    policy = rents.IN_FULL if fixed else rents.BY_DAYS
    earliest = days.of(given.get("first_invoiceable_due_date") or "0001-01-01")
    amounts = []
    for period, due in _due_in(run, word, run):
        billed: rb.Period | None = period
        for bound in _bounds(given):
            billed = billed and billed.intersection(bound)
        part = billed and rents.Part(billed, period, cycle, policy)
        if due >= earliest:
            amounts.append(rents.money(rents.charge(price, part) if part else 0))
    return {"amounts": amounts}


def _bounds(given: Asked) -> list[rb.Period]:
    """Return the bounds of the days billed: half-open terms, or named inclusive dates."""
    named = [
        days.bounded(given.get(f"{name}_start"), given.get(f"{name}_end"))
        for name in ("term", "lease", "tenancy")
    ]
    return [days.half_open(given["term"]), *named] if given.get("term") else named


# ------------------------------------------------------------------------------------ charges


def value_in_force(given: Asked) -> Figures:
    if "period" in given:
        return repriced_period(given)
    changed = Decimal(given.get("settled_value") or given["indexed_value"])
    since, day = days.maybe(given["effective_date"]), days.of(given["date"])
    later = {since: changed} if since else {}
    return {"value": Near(rents.in_force(Decimal(given["base_value"]), later, day))}


def deposit(given: Asked) -> Figures:
    """Answer a deposit of some months of a yearly rent, with VAT where it is asked."""
    year = days.calendar_period(date(2026, 1, 1), days.YEAR)
    run, word = year, given["fraction_of_year"]
    if word.startswith("M") and word != "MANUAL":
        run = rb.Period(year.start, year.months[int(word.removeprefix("M")) - 1].end)
    amount = rents.charge(Decimal(given["yearly_rent"]), rents.Part(run, year, days.YEAR))
    if given.get("include_vat"):
        amount = charged([Piece(amount, taxed(given["vat_percent"]))], rents.CURRENCY).gross
    return {"deposit": Near(amount)}


def credited_discount(given: Asked) -> Figures:
    """Answer a discount as a credit of its own: so much of the rent, below zero."""
    share = rents.fraction_of(given["discount_percent"])
    return {"discount": Near(rents.price_of(-Decimal(given["rent"]), quantity=share))}


def vat_rounding(given: Asked) -> Figures:
    """Answer VAT by rate, how far the lines' own VAT is from it, and the VAT of each line."""
    pieces = [Piece(Decimal(item["net"]), taxed(item["rate"])) for item in given["items"]]
    per_rate = charged(pieces, rents.CURRENCY)
    per_line = charged(pieces, rents.CURRENCY, policy=rb.BillingPolicy(vat_rounding="per_line"))
    nets = [abs(piece.price) for piece in pieces]
    rates = given.expected.get("vat_total_by_rate", {})
    return {
        "vat_total_by_rate": {rate: Near(per_rate.tax_of(taxed(rate))) for rate in rates},
        "delta": Near(per_line.tax - per_rate.tax),
        "corrected_line_vat": share_out(
            rents.money(per_rate.tax), nets, method="largest_remainder"
        ),
    }


# ---------------------------------------------------------------------------- corrected periods


def _sum(*results: Iterable[rb.PendingBill]) -> Decimal:
    return rents.net(line for bills in results for bill in bills for line in bill.lines).amount


def credit(given: Asked) -> Figures:
    """Answer what comes back of a period that is billed when the lease ends inside it.

    The days of the period are its cycle, and before the term begins they cost nothing.
    """
    cycle = _cycle(given["frequency"])
    stated, _, text = given["already_invoiced"].partition(" for ")
    whole = days.calendar_period(days.half_open(text).start, cycle)
    since = max(whole.start, days.of(given["term_start"]))
    later = {since: _price(given["annual_value"], given["frequency"])}
    by_days = rb.BillingCycle(time_unit="Day", period_length=whole.days)
    term = rents.rent(rents.NOTHING, by_days, whole.start, id="term", later=later)
    sent = rb.pending_bills(term, whole)
    ended = term.evolve(ended_on=days.of(given["terminated"]))
    left = rb.pending_bills(ended, whole, already_billed=sent)
    runs = [line.accounting_period for bill in left for line in bill.lines]
    if not Near(_sum(sent)).agrees(stated):
        raise MismatchError(f"invoiced: expected {stated}, got {_sum(sent)}")
    if not runs:
        raise MismatchError("nothing comes back")
    concerned = rb.Period(runs[0].start, runs[-1].end)
    return {"amount": Near(_sum(left)), "effective_period": days.half_open_text(concerned)}


def repriced_period(given: Asked) -> Figures:
    """Answer the amount of a period once a run reaches the day that another value is known from.

    From such a run on, the term is worth that value on all its days. The system's case puts the
    whole amount in the place of an invoice that is still a draft; ours is what the first run
    bills, and what the second one adds to it.
    """
    period, word = days.half_open(given["period"]), given["frequency"]
    cycle = _cycle(word)
    base, later = (_price(given[name], word) for name in ("base_value", "indexed_value"))
    known = days.of(given["indexed_effective"]) < days.of(given["run_until"])
    term = rents.rent(base, cycle, period.start, id="term")
    sent = rb.pending_bills(term, period)
    now = term.evolve(amount=rents.money(later)) if known else term
    return {"amount": Near(_sum(sent, rb.pending_bills(now, period, already_billed=sent)))}


# ------------------------------------------------------------------------------------ indexes

_HALF_EVEN: Final = MappingProxyType({"of": "amount", "mode": "half_even"})
_METHODS: Final[Mapping[str, tuple[Mapping[str, Any], ...]]] = MappingProxyType(
    {
        "FRANCE": (_HALF_EVEN,),
        "ITALY": (_HALF_EVEN, {"of": "percentage", "decimals": 1, "mode": "half_even"}),
    }
)
"""How a method rounds: the factor to 3 decimals is the percentage to 1."""


def index_adjustment(given: Asked) -> Figures | Verdict:
    expected = given.expected
    if given["method"] not in _METHODS:
        raise UnsaidError(f"indexation by {given['method']}")
    if given["base_index"] is None or given["next_index"] is None:
        return _missing(given)
    whole = Decimal(given.get("levelling_percent") or 100) == rents.HUNDRED
    falls = given.get("allow_decrease", True)
    extra = {} if whole and falls else {"calculated_pct_printed": expected["percentage"]}
    return index.example(
        base_amount=given["base_value"],
        from_index=given["base_index"],
        to_index=_rebased(given["next_index"], given.get("rebase_factor")),
        share_of_index=given.get("levelling_percent"),
        min_pct=None if falls else "0",
        convention_rounding=_METHODS[given["method"]],
        expected_percentage=None if extra else expected["percentage"],
        expected_new_amount=expected["value"],
        extra=extra,
    )


def _rebased(value: str, factor: str | None) -> Decimal:
    series = rb.IndexSeries("index", {"2021": value}, base="new")
    if factor is not None:
        series = series.rebased("old", factor=Decimal(factor))
    (found,) = series.values.values()
    return found


def _missing(given: Asked) -> Figures:
    """Return no figure for an index that is missing, which the library refuses."""
    rule = rb.RentAdjustmentRule(adjustment_type="Index", adjustment_month=1, index_month=10)
    try:
        rb.rent_adjustments(
            rb.RentAdjustmentPlan(rent_adjustment_rules=(rule,)),
            "2021-01-01/2021-12-31",
            indices=rb.IndexSeries("index", {"2019-10": 100}),
            amount=rb.Amount(1000, rents.CURRENCY),
        )
    except rb.MissingIndexError:
        return dict.fromkeys(given.expected)
    raise MismatchError("a figure was made up for an index that is missing")


def index_rebase(given: Asked) -> Figures:
    then, target = days.of(given["from_date"]), str(given["to_base"])[:4]
    series = rb.IndexSeries("index", {"2001": 1}, base="then")
    for base in given["bases"]:
        if then < days.of(base["start"]) and base["start"][:4] <= target:
            series = series.rebased(base["start"], factor=Decimal(base["factor"]))
    (found,) = series.values.values()
    return {"factor": Near(found)}


_ITEM: Final = "rent"
_START: Final = date(2020, 1, 1)
_BEFORE: Final = date(2021, 1, 1)
_NOW: Final = date(2022, 1, 1)
_CLAUSES: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("ALLOW_DECREASE_BASE_AS_FLOOR", {"floor_at_start": True}),
    ("ALLOW_DECREASE", {}),
    ("BASE_INDEX", {"floor_at_start": True, "increase_only": True}),
    ("LAST_KNOWN_INDEX", {"floor_at_start": True}),
)
"""Falling rents, by a part of a method's name; the first that fits counts."""


def index_floor(given: Asked) -> Figures:
    """Answer the base and the rent that go on: after a new base, or before a new index is known.

    An index that is not yet known leaves the rent as it is, like one that did not move.
    """
    clause = next((clause for word, clause in _CLAUSES if word in given["method"]), None)
    if clause is None:
        raise UnsaidError(f"indexation by {given['method']}")
    base, before, moved = _standing(given)
    terms = _with_floor(base, before, clause)
    series = rb.IndexSeries("index", {"2020": abs(base), "2021": abs(moved)})
    return {
        name: Near(rb.amount_in_force(terms, _ITEM, day, indices=series).amount)
        for name, day in (("base_value", _START), ("effective_value", _NOW))
    }


def _standing(given: Asked) -> tuple[Decimal, Decimal | None, Decimal]:
    """Return the base, the rent that an earlier step led to, and what the index makes of the base.

    A base that was agreed anew begins afresh; the last one known is what was settled.
    """
    if given.get("new_base_value") is not None:
        base = Decimal(given["new_base_value"])
        return base, None, Decimal(given["new_indexed_value"] or base)
    before = given["previous_effective_value"] or given["previous_indexed_value"]
    settled = given.get("previous_settled_value")
    base = Decimal(given["previous_base_value"] or settled or before)
    return base, None if before is None else Decimal(before), base


def _with_floor(base: Decimal, before: Decimal | None, clause: Mapping[str, Any]) -> rb.LeaseTerms:
    """Return terms whose rent is adjusted each January, with an adjustment that was made before."""
    rule = rb.RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=1,
        first_year=f"{_NOW.year - (before is not None)}",
        index_clause=rb.IndexClause(reference="year_mean", **clause),
    )
    made: tuple[rb.RentAdjustment, ...] = ()
    if before is not None:
        made = (rb.RentAdjustment(adjusted_on=_BEFORE, to_period_amount=rents.money(before)),)
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=(rule,), adjustments=made)
    item = rents.rent(base, days.YEAR, _START, id=_ITEM)
    return rb.LeaseTerms(recurring_bill_items=(item,), rent_adjustment_plans=(plan,))
