"""Earlier bills: their lines, and the item that each line was for (A53).

Laws: every line of every earlier bill counts once, in whatever order and form the bills are given;
a line whose item is uncertain is refused, never guessed.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from rentbilling.billing.bill import BillingResult, PendingBill
from rentbilling.billing.figures import LineFigures, RawLine, gross_units, line_key
from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    Problem,
    Refusals,
    UnknownTaxModeError,
    no_bills,
    paths_under,
    shown,
)
from rentbilling.policy import BillingPolicy
from rentbilling.records import Record, read_json
from rentbilling.values import TAX_MODES, Notice, UnknownVat, minor_units

EarlierBills = BillingResult | PendingBill | Iterable[Any] | Mapping[str, Any] | str | bytes
"""Earlier bills: a result, a bill, or several of them; or the JSON of these, as data or a text."""

Owners = Callable[[str, tuple[int, int]], Sequence[str]]
"""Gives the ids of the items that a line of a product and some days may be for."""

_NAME: Final = "already_billed"
_ENOUGH: Final = 1000
"""Problems after which the search ends: such bills are not those of the lease."""


class EarlierLine(NamedTuple):
    """A line that was billed."""

    item_id: str
    """The item it was for."""
    due: int
    """Ordinal of the due date of its bill."""
    base: int
    """Minor units in its own tax mode: gross if Inclusive, else net."""
    raw: RawLine


def earlier_lines(
    given: EarlierBills, lease_id: str | None, owners: Owners, policy: BillingPolicy
) -> tuple[tuple[EarlierLine, ...], Iterable[Notice]]:
    """Return the lines of earlier bills, and a notice of each bill that is given several times.

    Raises:
        InvalidInputError: It is no bill, a result is of another lease, a line is of no certain
            item, or a bill contradicts itself; every problem with its place.
    """
    refused, lines = Refusals(_ENOUGH), list[EarlierLine]()
    by_day: dict[int, list[tuple[_Placed, Sequence[EarlierLine]]]] = {}
    for each in _bills(_given(given, policy), lease_id):
        try:
            own = [*_lines_of(each.bill, owners, policy)]
        except InvalidInputError as error:
            refused.add(error, each.path)
            continue
        lines += own
        if own:
            by_day.setdefault(each.bill.due, []).append((each, own))
    refused.finish()
    # Most days have one bill, of which nothing need be compared.
    several = [bills for bills in by_day.values() if len(bills) > 1]
    return tuple(lines), dict.fromkeys(chain.from_iterable(map(_repeated, several)))


class _Placed(NamedTuple):
    """A bill, its path, and number and id where it was given with them."""

    path: str
    bill: PendingBill
    name: object


def _repeated(bills: Iterable[tuple[_Placed, Sequence[EarlierLine]]]) -> Iterator[Notice]:
    """Give a notice of each bill of a day that is given several times."""
    alike: dict[object, list[_Placed]] = {}
    for each, lines in bills:
        for content in _contents(each.bill, lines):
            alike.setdefault(content, []).append(each)
    yield from (_given_again(same) for same in alike.values() if _are_one(same))


def _contents(bill: PendingBill, lines: Sequence[EarlierLine]) -> set[object]:
    """Return what is the same of a bill in whatever form it is given: all lines, or the plain ones.

    A bill that was made again may have other corrections, which do not tell it apart.
    """
    plain = [each for each in lines if each.raw[0].kind != "correction"]
    payer = None if bill.payer is None else bill.payer.name
    counts = (
        Counter((each.item_id, line_key(each.raw)) for each in own)
        for own in (lines, plain or lines)
    )
    return {(payer, frozenset(found.items())) for found in counts}


def _are_one(same: Sequence[_Placed]) -> bool:
    """Return whether bills of one content are more than their numbers and ids tell apart."""
    return len(same) > max(1, len({each.name for each in same} - {None}))


def _given_again(same: Sequence[_Placed]) -> Notice:
    bill, places = same[0].bill, ", ".join(each.path for each in same)
    facts = ("dueDate", str(bill.due_date)), ("total", str(bill.total)), ("places", places)
    said = "an earlier bill is given more than once, and what is billed twice is credited"
    return Notice("earlier_bill_repeated", said, None, facts)


_Given = tuple[str, BillingResult | PendingBill, Sequence[object]]
"""A result or a bill with its path, and number and id of each of its bills, where data has them."""


def _given(given: object, policy: BillingPolicy, path: str = _NAME) -> Iterator[_Given]:
    """Give results and bills one by one."""
    if path == _NAME and isinstance(given, (str, bytes)):
        with paths_under(path):
            given = read_json(given)
    if isinstance(given, (BillingResult, PendingBill)):
        yield path, given, ()
    elif isinstance(given, Mapping):
        read = _read(given, policy, path)
        yield path, read, [*map(_name, given.get("bills", [given]))]
    elif path == _NAME and isinstance(given, Iterable) and not isinstance(given, (str, Record)):
        for at, each in enumerate(given):
            yield from _given(each, policy, f"{path}[{at}]")
    else:
        kinds = "BillingResults and PendingBills, as computed here or read by loads, or their JSON"
        raise no_bills(path, given, kinds)


def _read(data: Mapping[str, Any], policy: BillingPolicy, path: str) -> BillingResult | PendingBill:
    """Return the bills of JSON data, which `loads` reads from a text."""
    # Loaded where bills are read alone; it needs the bills of this package.
    from rentbilling.billing.wire import bill_of, bills_of  # noqa: PLC0415

    with paths_under(path):
        return bills_of(data, policy) if "bills" in data else bill_of(data, policy)


def _name(data: Mapping[str, Any]) -> object:
    """Return number and id of the data of a bill, which no bill that is computed here has."""
    names = tuple(shown(data[name]) for name in ("number", "id") if data.get(name) is not None)
    return names or None


def _bills(given: Iterable[_Given], lease_id: str | None) -> Iterator[_Placed]:
    """Give earlier bills one by one; all that name a lease name the same."""
    for path, each, names in given:
        if isinstance(each, PendingBill):
            yield _Placed(path, each, names[0] if names else None)
            continue
        lease_id = each.lease_id if lease_id is None else lease_id
        if each.lease_id not in (None, lease_id):
            said, expected = "is of another lease", str(lease_id)
            where = f"{path}.leaseId"
            raise InvalidRecordError.of(where, "other_lease", said, each.lease_id, expected)
        for at, bill in enumerate(each.bills):
            yield _Placed(f"{path}.bills[{at}]", bill, names[at] if names else None)


def _lines_of(bill: PendingBill, owners: Owners, policy: BillingPolicy) -> Iterator[EarlierLine]:
    places = minor_units(bill.currency, policy.currencies)
    if places != bill.places:
        said, expected = "has other minor units than now", f"{places} decimals"
        actual = f"{bill.places} decimals"
        raise InvalidRecordError(
            (Problem("total.currency", "currency_mismatch", said, actual, expected),)
        )
    refuse_unknown_vat(bill)
    bases = _bases(bill, policy)
    problems: list[Problem] = []
    for at, (raw, base) in enumerate(zip(bill.raw_lines, bases, strict=True)):
        figures = raw[0]
        # The terms owe no discount of a whole bill (A73), and do not take it back.
        if figures.kind == "discount":
            continue
        owner = figures.item_id
        if owner is None:
            found = owners(figures.product_key, raw[1:])
            if len(found) != 1:
                problems.append(_ownerless(bill, at, found))
                continue
            (owner,) = found
        yield EarlierLine(owner, bill.due, base, raw)
    if problems:
        raise InvalidRecordError(problems)


def refuse_unknown_vat(bill: PendingBill, path: str = "") -> None:
    """Refuse lines with a tax mode that a service sent and this version does not know (A27)."""
    code, said = "unknown_tax_mode", "is not a known tax mode"
    expected = "one of " + ", ".join(TAX_MODES)
    unknown = [
        (f"{path}pendingBillLineItems[{at}].vat.taxMode", shown(figures.vat.tax_mode))
        for at, (figures, _, _) in enumerate(bill.raw_lines)
        if isinstance(figures.vat, UnknownVat)
    ]
    if unknown:
        raise UnknownTaxModeError(Problem(at, code, said, met, expected) for at, met in unknown)


def _ownerless(bill: PendingBill, at: int, found: Sequence[str]) -> Problem:
    """Return the problem of a line whose item is unknown."""
    line = bill.lines[at]
    said = "is missing, and no item of the terms has the product and the days"
    if found:
        said = f"is missing, and the line may be for any of {', '.join(found)}"
    actual = f"{line.product_key} {line.accounting_period} of the bill due {bill.due_date}"
    expected = "the id of its item, as dumps(…, full=True) writes it"
    path = f"pendingBillLineItems[{at}].itemId"
    return Problem(path, "ambiguous_line" if found else "unknown_line", said, actual, expected)


def _bases(bill: PendingBill, policy: BillingPolicy) -> list[int]:
    """Return each line's amount in its own tax mode: the gross of an Inclusive one (A29).

    The gross of a line that was read is quantity × price. If that differs from the gross of its VAT
    total, it was rounded by a policy of the product's own (A54).
    """
    lines = bill.raw_lines
    bases = [figures.base for figures, _, _ in lines]
    gross = {vat.category: units + base for vat, units, base in bill.raw_totals}
    for category in {figures.vat.category for figures, _, _ in lines if figures.group.inclusive}:
        own = [at for at, line in enumerate(lines) if line[0].vat.category == category]
        stated = gross.get(category)
        if sum(bases[at] for at in own) == stated:
            continue
        for at in own:
            bases[at] = _gross(lines[at][0], policy)
        if (found := sum(bases[at] for at in own)) != stated:
            actual = "none" if stated is None else str(stated)
            said = "is not the sum of the Inclusive lines, so that the billed amount is uncertain"
            problem = Problem("vatTotals", "contradiction", said, actual, f"{found} minor units")
            raise InvalidRecordError((problem,))
    return bases


def _gross(figures: LineFigures, policy: BillingPolicy) -> int:
    """Return quantity × price as the product's own policy rounds it, in minor units (A54)."""
    mode = policy.for_product(figures.product_key).rounding
    price = figures.amount.as_integer_ratio()
    return gross_units(price, figures.quantity, figures.places, mode)
