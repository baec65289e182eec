"""Doors that judge a bill: explanations, the oracle, `check_bill`, `compare_bills`."""

from collections.abc import Iterator
from datetime import MAXYEAR, MINYEAR
from decimal import Decimal

import rentbilling as rb
from rentbilling.checks import check_bill, compare_bills
from rentbilling.records import read_json
from rentbilling.values import minor_units
from tests.cases.doors.asked import Asked, Silent, first_day
from tests.cases.outcome import Data, Json
from tests.oracle import bills_by_oracle, bills_told_by
from tests.oracle.workings import all_replayed
from tests.support.explained import check as replay_bills


def by_explanations(asked: Asked) -> None:
    """Each line, VAT total, bill and adjustment is explained, and the oracle replays it."""
    if asked.function == "rent_adjustments":
        replayed = all_replayed(rb.explain(asked.result))
        stated = [each.to_period_amount or each.to_balance_amount for each in asked.result]
        # A listed adjustment may state a change alone, or the amount of a year.
        assert replayed == [a or b for a, b in zip(stated, replayed, strict=True)]
    else:
        replay_bills(asked.result)


def by_oracle(asked: Asked) -> None:
    """The bills are those of a slow biller that was written apart."""
    period = rb.Period.parse(str(asked.bills.period))
    assert bills_by_oracle(asked.terms, period, asked.policy) == bills_told_by(asked.bills)


_MOST_YEARS = 50
NOT_BY_ORACLE: Silent = {
    "it knows no plans": lambda asked: bool(asked.terms.rent_adjustment_plans),
    "it knows no earlier bills": lambda asked: asked.has_earlier_bills,
    "it walks every day from the opening on, here of centuries": lambda asked: (
        int(asked.period[:4]) - first_day(asked.terms).year > _MOST_YEARS
    ),
    "it walks the days around the period, and the calendar ends there": lambda asked: (
        f"{MINYEAR:04}-" in asked.period or f"{MAXYEAR}-" in asked.period
    ),
}


Path = tuple[str | int, ...]


def _bent(data: Json, at: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Give a bill with each of its figures one unit higher, and the path of the figure."""
    if isinstance(data, dict) and data.keys() == {"currency", "amount"}:
        step = Decimal(1).scaleb(-minor_units(data["currency"], {}))
        yield at, {**data, "amount": data["amount"] + step}
    elif isinstance(data, (dict, list)):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            for path, changed in _bent(value, (*at, key)):
                whole: Json = data.copy()
                whole[key] = changed
                yield path, whole


def _lines(bill: Data) -> int:
    return len(bill["pendingBillLineItems"])


def _longest(asked: Asked, *, full: bool) -> Iterator[tuple[Data, Path, Json]]:
    """Give the bill with most lines, each time with another of its figures one unit higher."""
    bills = asked.written if full else read_json(rb.dumps(asked.bills))
    for bill in sorted(bills["bills"], key=_lines)[-1:]:
        for path, bent in _bent(bill):
            yield bill, path, bent


def by_checks(asked: Asked) -> None:
    """A bill has no error, and each figure that is one unit higher is an error."""
    found = check_bill(asked.bills)
    assert not [each for each in found if each.severity == "error"], str(found)
    for bill, path, bent in _longest(asked, full=True):
        errors = [e for e in check_bill(bent, policy=asked.policy) if e.severity == "error"]
        assert errors or _follows_from_nothing(bill, path), (path, bent)


def _follows_from_nothing(bill: Data, path: Path) -> bool:
    """Say whether no other figure of a bill tells that one is wrong.

    Those are what discounts took off, and the prices of less than one unit.
    """
    if "discounts" in path or path[0] != "pendingBillLineItems":
        return "discounts" in path
    line = bill["pendingBillLineItems"][path[1]]
    return abs(line["quantity"]) < 1 and path[2] != "netPrice"


def by_comparing(asked: Asked) -> None:
    """Equal bills have no difference, and each figure that is one unit higher is one."""
    assert not compare_bills(asked.bills, asked.bills).differences
    for bill, path, bent in _longest(asked, full=False):
        assert compare_bills([bill], [bent]).differences, path
