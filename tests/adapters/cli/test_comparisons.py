"""Bills beside each other in `rentbilling verify --against`: which belong together."""

import json
from typing import Any

from rentbilling import BillingResult, compare_bills, loads, pending_bills
from rentbilling.adapters.cli.output.comparisons import bill_pairs
from tests.support.command_line import bills_in, example
from tests.support.rows import rows

QUARTER = "2026-01-01/2026-03-31"


def changed(bills: list[Any], change: str) -> list[Any]:
    if change == "days move":
        for at, bill in enumerate(bills):
            bill["dueDate"] = f"2026-05-0{at + 1}"
    elif change == "days swap":
        bills[1]["dueDate"], bills[2]["dueDate"] = bills[2]["dueDate"], bills[1]["dueDate"]
    elif change == "a moved bill costs more":
        bills[1]["dueDate"], bills[1]["total"]["amount"] = "2026-02-03", 10126.00
    elif change == "twice":
        bills.append(bills[1])
    elif change == "none":
        bills.clear()
    return bills


@rows("change", ["days move", "days swap", "a moved bill costs more", "twice", "none", "nothing"])
def test_pairs_have_the_differences_of_the_whole(change: str) -> None:
    expected = pending_bills(loads(example()), QUARTER)
    given = json.dumps({"bills": changed(bills_in(QUARTER), change)})
    actual = loads(given, BillingResult)
    found = compare_bills(expected, actual)
    pairs = [*bill_pairs(found, expected.bills, actual.bills)]
    told = [each for pair in pairs if pair.group for side in pair.group[:2] for each in side]

    assert sorted(map(str, found)) == sorted(map(str, told))
    assert {*expected.bills, *actual.bills} == {
        bill for pair in pairs for bill in pair.bills if bill is not None
    }
