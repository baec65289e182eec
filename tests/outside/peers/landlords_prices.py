"""Prices over time: rents with discounts and surcharges of their own dates, prices in force.

A dated discount or surcharge cuts the rent's days; in each piece the library prices one period with
one discount after the other, and the pieces become the amount records of one yearly item.
Law: prices come from `price_of`, sums from `stepped`; no price is worked out here.
What does not live here: invoices with VAT (`landlords_invoices`), charges cut to a billing period
(`landlords_charges`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from rentbilling import Amount, Discount, Period
from rentbilling.errors import InvalidDiscountError
from tests.outside.board import Case, Verdict, failed, not_expressible
from tests.outside.peers.landlords_parts import BY_THIRTY
from tests.outside.peers.landlords_terms import (
    CURRENCY,
    HUNDRED,
    NOTHING,
    UNROUNDED,
    agrees,
    day_after,
    open_run,
    price_of,
    run,
    stepped,
)

_POT = "a total discount that is used up over bills: what is left of it is a running balance"
_ABOVE_PRICE = "a discount above the price is refused when it is made (A22)"

_BANKERS = UNROUNDED.evolve(part_period=BY_THIRTY.part_period)

# Percentages are taken off before amounts, whatever the order in which they are listed.
_ORDER = ("PERCENT_PER_YEAR", "AMOUNT_PER_YEAR")


@dataclass(frozen=True, slots=True)
class Change:
    """A discount or a surcharge on a rent, in force on its own days."""

    by: Decimal
    """Below zero a discount, above it a surcharge."""
    way: str
    days: Period


def change_of(kind: str, way: str, amount: Any, days: Period) -> Change:  # noqa: ANN401
    """Return a change as the peer states it: a discount of less than nothing is a surcharge."""
    by = Decimal(str(amount))
    return Change(by if kind == "INCREASE" else -by, way, days)


def price_after(price: Decimal, changes: Iterable[Change]) -> Decimal:
    """Return a price after changes, each on the price that the one before leaves.

    Raises:
        InvalidDiscountError: A discount is above the price.
    """
    for change in sorted(changes, key=lambda each: _ORDER.index(each.way)):
        price = _after_one(price, change)
    return price


def _after_one(price: Decimal, change: Change) -> Decimal:
    """Return a price after one change: a discount, or a surcharge as quantity or amount."""
    if change.by == 0:
        return price
    if change.way == "PERCENT_PER_YEAR":
        part = abs(change.by) / HUNDRED
        if change.by > 0:
            return price_of(price, quantity=1 + part, policy=UNROUNDED)
        return price_of(price, discount=Discount(percentage=part), policy=UNROUNDED)
    if change.by > 0:
        return (Amount(price, CURRENCY) + Amount(change.by, CURRENCY)).amount
    discount = Discount(amount=Amount(-change.by, CURRENCY))
    return price_of(price, discount=discount, policy=UNROUNDED)


def steps(term: Period, price: Decimal, changes: Sequence[Change]) -> list[tuple[Period, Decimal]]:
    """Return a rent's price in each piece of its days that the changes cut."""
    inside = [part for part in (each.days.intersection(term) for each in changes) if part]
    cuts = [part.start for part in inside]
    cuts += [day_after(part.end) for part in inside if part.end < term.end]
    return [
        (piece, price_after(price, [each for each in changes if each.days.overlaps(piece)]))
        for piece in term.split_at(*cuts)
    ]


# --- City of Helsinki -----------------------------------------------------------------------------


def mvj_discount(case: Case) -> Verdict:
    given = case["input"]
    if "rent_amount_left" in given or "dry_run" in given:
        return not_expressible(_POT)
    for name, judge in (
        ("rent_adjustments_kwargs", _stacked),
        ("adjustment_type1", _in_series),
        ("discount_item", _on_another_item),
        ("adjustment_amount_type", _changed),
    ):
        if name in given:
            return _unless_above_price(judge, case)
    return failed(f"no judge for a case with {sorted(given)}")


def _unless_above_price(judge: Callable[[Case], Verdict], case: Case) -> Verdict:
    try:
        return judge(case)
    except InvalidDiscountError:
        return not_expressible(_ABOVE_PRICE)


def _change(given: Mapping[str, Any], number: str = "") -> Change:
    """Return the numbered change of a case; in a series they are percentages."""
    days = open_run(
        given.get(f"adjustment_start_date{number}"), given.get(f"adjustment_end_date{number}")
    )
    way = given.get(f"adjustment_amount_type{number}", "PERCENT_PER_YEAR")
    return change_of(
        given[f"adjustment_type{number}"], way, given[f"adjustment_amount{number}"], days
    )


def _changed(case: Case) -> Verdict:
    given = case["input"]
    change = _change(given)
    if change.way not in _ORDER:
        return not_expressible(_POT)
    pieces = steps(run(given["range"]), Decimal(given["rent_per_year"]), [change])
    return agrees(case["expected"]["value"], stepped(pieces))


def _in_series(case: Case) -> Verdict:
    given = case["input"]
    changes = [_change(given, "1"), _change(given, "2")]
    pieces = steps(run(given["range"]), Decimal(given["rent_per_year"]), changes)
    policy = _BANKERS if "fixed initial" in case["about"] else UNROUNDED
    return agrees(case["expected"]["value"], stepped(pieces, policy=policy))


def _stacked(case: Case) -> Verdict:
    given, expected = case["input"], case["expected"]
    days = run(given["range"])
    stated = given["rent_adjustments_kwargs"]
    if any(each["amount_type"] not in _ORDER for each in stated):
        return not_expressible(_POT)
    changes = [
        change_of(each["adjustment_type"], each["amount_type"], each["full_amount"], days)
        for each in stated
    ]
    price = Decimal(given["rent_amount"])
    made = stepped(steps(days, price, changes)) - stepped([(days, price)])
    return agrees(expected["expected_adjustment_total"], made)


def _on_another_item(case: Case) -> Verdict:
    """Judge a discount that is bound to one item, on a rent that may be another one."""
    given = case["input"]
    price = _indexed(given["base_per_year"], given["factor"])
    days = run(given["range"])
    changes = [change_of("DISCOUNT", "PERCENT_PER_YEAR", given["discount_percent"], days)]
    hit = given["discount_item"] == given["rent_item"]
    pieces = steps(days, price, changes if hit else [])
    return agrees(case["expected"]["value"], stepped(pieces))


def mvj_price_history(case: Case) -> Verdict:
    """Judge rents with their own days, of which a fixed one may take the place of the others."""
    given = case["input"]
    judge = _two_rents if "amount1" in given else _with_fixed_rent
    return _unless_above_price(judge, case)


def _indexed(base: Any, factor: Any) -> Decimal:  # noqa: ANN401
    """Return a base amount times an index factor: that many of the base."""
    return price_of(Decimal(str(base)), quantity=Decimal(str(factor)), policy=UNROUNDED)


def _two_rents(case: Case) -> Verdict:
    given = case["input"]
    days = run(given["range"])
    changes = [_change(given)] if "adjustment_type" in given else []
    total = NOTHING
    for number in ("1", "2"):
        own = open_run(given[f"start_date{number}"], given[f"end_date{number}"])
        term = own.intersection(days)
        if term is None:
            continue
        hit = given.get("adjustment_intended_use") == given.get(f"intended_use{number}")
        price = _indexed(given[f"amount{number}"], given["factor"])
        if given[f"period{number}"] == "PER_MONTH":
            price = price_of(price, quantity=Decimal(12), policy=UNROUNDED)
        total += stepped(steps(term, price, changes if hit else []))
    return agrees(case["expected"]["value"], total)


def _with_fixed_rent(case: Case) -> Verdict:
    """Judge a rent that a fixed one overrides in its own days, counted in months of 30."""
    given = case["input"]
    days = run(given["range"])
    changes = [_change(given)] if "adjustment_type" in given else []
    own = open_run(given["fixed_initial_start_date"], given["fixed_initial_end_date"])
    fixed = own.intersection(days)
    rest = days.minus(own)
    price = _indexed(given["base_per_year"], given["factor"])
    pieces = [piece for part in rest for piece in steps(part, price, changes)]
    total = stepped(pieces)
    if fixed is not None:
        price = Decimal(str(given["fixed_initial_amount"]))
        total += stepped(steps(fixed, price, changes), policy=_BANKERS)
    return agrees(case["expected"]["value"], total)
