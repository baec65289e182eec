"""Leases as tables for people: what is billed, how often, and by what it is adjusted.

Law: every item, later price, plan and balance of the lease is there.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rentbilling.errors import printable
from rentbilling.layout import (
    FAINT,
    PLAIN,
    TITLE,
    Grid,
    GridColumn,
    Part,
    amount_words,
    html_table,
    period_words,
    short_day,
    short_vat,
)
from rentbilling.terms.adjustees import balance_ids
from rentbilling.terms.plans import RentAdjustmentPlan, plan_ids
from rentbilling.values import MONTHS, percent_words

if TYPE_CHECKING:
    from decimal import Decimal

    from rentbilling.terms.item_parts import Discount
    from rentbilling.terms.lease_terms import LeaseTerms, OneTimeBillItem, RecurringBillItem
    from rentbilling.terms.rules import Increment, RentAdjustmentRule
    from rentbilling.values import Amount

_HEADINGS: Final = ("Item", "Price", "VAT", "Billed", "Due")


class _Row(NamedTuple):
    """The cells of an item, and the lines below them."""

    cells: tuple[str, ...]
    details: tuple[str, ...]


def lease_text(lease: "LeaseTerms") -> str:
    """Return a lease as a text: a row for each item, then its plans and balances."""
    rows = _rows(lease)
    columns = [
        GridColumn(name, right=name == "Price", least=12 if name == "Item" else None)
        for name in _HEADINGS
    ]
    grid = Grid(PLAIN, columns, [row.cells for row in rows])
    parts = [Part(f"{_title(lease)}\n", TITLE)]
    parts += grid.head() if rows else [Part("No items\n")]
    parts += [part for row in rows for part in grid.row(row.cells, below=row.details)]
    notes = [line for note in _notes(lease) for line in PLAIN.wrapped(note, PLAIN.width)]
    return PLAIN.printed([*parts, *(Part(f"{line}\n", FAINT) for line in notes)]).rstrip("\n")


def lease_html(lease: "LeaseTerms") -> str:
    """Return a lease as a notebook shows it."""
    heads = [*((name, name == "Price") for name in _HEADINGS), ("Also", False)]
    rows = [[*row.cells, "; ".join(row.details)] for row in _rows(lease)]
    return html_table(heads, rows, caption=_title(lease), note="; ".join(_notes(lease)))


def _title(lease: "LeaseTerms") -> str:
    said = [f"Lease {printable(lease.lease_id)}" if lease.lease_id else "Lease"]
    if lease.contract_start is not None:
        said.append(f"from {short_day(lease.contract_start)}")
    if lease.contract_end is not None:
        said.append(f"until {short_day(lease.contract_end)}")
    return " ".join(said)


def _rows(lease: "LeaseTerms") -> list[_Row]:
    ids = lease.item_ids
    recurring = map(_recurring, lease.recurring_bill_items, ids)
    once = map(_once, lease.one_time_bill_items, ids[len(lease.recurring_bill_items) :])
    return [*recurring, *once]


def _recurring(item: "RecurringBillItem", item_id: str) -> _Row:
    cells = (*_named(item), str(item.billing_cycle), item.due_date_rule.words)
    return _Row(cells, tuple(_details(item, item_id)))


def _once(item: "OneTimeBillItem", item_id: str) -> _Row:
    due, period = short_day(item.due_date), item.accounting_period
    cells = (*_named(item), "once", due)
    return _Row(cells, (f"{_known_as(item, item_id)}; for {period_words(period)}",))


def _named(item: "RecurringBillItem | OneTimeBillItem") -> tuple[str, ...]:
    name = printable((item.description or "").strip() or item.product_key)
    count = "" if item.quantity is None or item.quantity == 1 else f"{item.quantity:f} × "
    per = {"month": " a month", "year": " a year"}.get(getattr(item, "price_per", ""), "")
    return name, f"{count}{amount_words(item.amount)}{per}", short_vat(item.vat)


def _known_as(item: "RecurringBillItem | OneTimeBillItem", item_id: str) -> str:
    named = f"{item_id}, {item.product_key}" if item.description else item_id
    return printable(named)


def _details(item: "RecurringBillItem", item_id: str) -> Iterator[str]:
    """Give what is said of an item beyond its price today."""
    opening = item.first_billing_period_bill_item
    days, due = period_words(opening.accounting_period), short_day(opening.due_date)
    yield f"{_known_as(item, item_id)}; opening {days}: {amount_words(opening.amount)}, due {due}"
    yield from map(_discount_words, item.all_discounts)
    later = [
        *((each.start, amount_words(each.value)) for each in item.amount_records),
        *((each.start, f"VAT {short_vat(each.value)}") for each in item.vat_records),
        *((each.start, printable(each.value)) for each in item.description_records),
        *((each.start, f"quantity {each.value:f}") for each in item.quantity_records),
    ]
    for start, said in sorted(later):
        yield f"from {short_day(start)}: {said}"
    if item.cancelled_on is not None:
        yield f"nothing due from {short_day(item.cancelled_on)}"
    if item.ended_on is not None:
        yield f"until {short_day(item.ended_on)}"


def _discount_words(discount: "Discount") -> str:
    of = " of the list price" if discount.of == "list" else ""
    start = "" if discount.start_date is None else f" from {short_day(discount.start_date)}"
    end = "" if discount.end_date is None else f" until {short_day(discount.end_date)}"
    text = "" if discount.description is None else f" ({printable(discount.description)})"
    return f"discount {_size_words(discount.percentage, discount.amount)}{of}{start}{end}{text}"


def _size_words(share: "Decimal | None", amount: "Amount | None") -> str:
    if share is not None:
        return percent_words(share)
    return "" if amount is None else amount_words(amount)


def _notes(lease: "LeaseTerms") -> Iterator[str]:
    """Give the plans and balances of a lease, a sentence each."""
    plans = lease.rent_adjustment_plans
    for plan_id, plan in zip(plan_ids(plans), plans, strict=True):
        yield f"{printable(plan_id)}: {_plan_words(plan)}"
    balances = lease.balances
    for balance_id, balance in zip(balance_ids(balances), balances, strict=True):
        named = f"{balance_id}, {balance.balance_charge_type}"
        yield f"{printable(named)}: {amount_words(balance.amount)}"


def _plan_words(plan: RentAdjustmentPlan) -> str:
    what = [printable(plan.adjustee_ref)] if plan.adjustee_ref is not None else []
    what += ["rent"] if plan.adjusts_items and not what else []
    what += ["balance"] if plan.adjusts_balances else []
    rules = "; ".join(map(_rule_words, plan.rent_adjustment_rules)) or "no rule"
    listed = len(plan.adjustments)
    done = f"; {listed} adjustment{'' if listed == 1 else 's'} listed" if listed else ""
    return f"adjusts {' and '.join(what)}: {rules}{done}"


def _rule_words(rule: "RentAdjustmentRule") -> str:
    said = [f"{printable(rule.adjustment_type)} each {MONTHS[rule.adjustment_month - 1]}"]
    if rule.index_month is not None:
        said.append(f"value of {MONTHS[rule.index_month - 1]}")
    limits = ("at least", rule.minimum_percentage), ("at most", rule.maximum_percentage)
    said += [f"{name} {percent_words(rate)}" for name, rate in limits if rate is not None]
    said += map(_step_words, rule.increments)
    years = ("from", rule.first_year), ("until", rule.last_year)
    said += [f"{name} {year}" for name, year in years if year is not None]
    return ", ".join(said)


def _step_words(step: "Increment") -> str:
    to = "" if step.level is None else "to "
    later = " and later" if step.recurrence == "Recurring" else ""
    return f"{to}{_size_words(step.percentage, step.amount or step.level)} in {step.year}{later}"
