"""The door of payers: parts of a bill."""

import rentbilling as rb
from rentbilling.checks import check_bill
from rentbilling.payers import split_bill
from rentbilling.records import read_json
from tests.cases.doors.asked import Asked, same
from tests.cases.outcome import Data, Json, outcome_of, written

_SHARED_OUT = {"netPrice", "unitNetPrice", "amount", "discounts"}
_BILLS = 2


def by_payers(asked: Asked) -> None:
    """The parts of two payers have the figures and facts of the bill, are right, and explained."""
    for bill in asked.bills.bills[:_BILLS]:
        parts = split_bill(bill, {"Ann": "1/3", "Bo": "2/3"}, policy=asked.policy)
        for of in ("subtotal", "total"):
            assert sum(getattr(e, of).amount for e in parts) == getattr(bill, of).amount
        for at, line in enumerate(bill.lines):
            assert sum(each.lines[at].net_price.amount for each in parts) == line.net_price.amount
        (whole,) = written(rb.BillingResult((bill,), policy=asked.policy))["bills"]
        for part in written(parts)["bills"]:
            assert _facts(part) == _facts(whole)
        assert not [each for each in check_bill(parts) if each.severity == "error"]
        # Parts are read by the slow reader, which no other bill of a case meets.
        again = rb.loads(rb.dumps(parts, full=True), rb.BillingResult, policy=asked.policy)
        text = rb.dumps(again, full=True, policy=asked.policy)
        same(outcome_of(written(parts)), outcome_of(read_json(text)))
        for at in range(len(parts)):
            rb.explain(parts, bill=at)


def _facts(bill: Data) -> Json:
    lines = bill["pendingBillLineItems"]
    return [{name: each[name] for name in each.keys() - _SHARED_OUT} for each in lines]
