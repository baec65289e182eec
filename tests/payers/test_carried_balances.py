"""A balance taken into a bill: what is payable, and what is left of a credit (A69)."""

from decimal import Decimal
from typing import Any

import pytest

from rentbilling import Amount, BillingPolicy, explain
from rentbilling.payers import carry
from tests.oracle.workings import replayed
from tests.payers.billed import bill_of
from tests.support.refusals import Call, refusal_text
from tests.support.rows import rows

ANY: Any = carry
EXPLAIN: Any = explain
BILL = bill_of("1000.00 Exclusive 25%")
CREDIT = bill_of("-1000.00 Exclusive 25%")
NOTHING = bill_of("5 Exempt", "-5 Exempt")
# 1,250.01 is 1,250.00 in coins of 0.05.
ROUNDED = bill_of(
    "1000.01 Exclusive 25%", policy=BillingPolicy(cash_rounding={"EUR": Decimal("0.05")})
)


@rows(
    ("bill", "balance", "payable", "rest"),
    [
        (BILL, "87.50", "1337.50", "0.00"),
        (BILL, "0", "1250.00", "0.00"),
        (BILL, "-300.00", "950.00", "0.00"),
        (BILL, "-1250.00", "0.00", "0.00"),
        (BILL, "-1500.00", "0.00", "-250.00"),
        # A bill of 0 or less uses no credit, and is owed less where the tenant owes something.
        (NOTHING, "-20.00", "0.00", "-20.00"),
        (NOTHING, "20.00", "20.00", "0.00"),
        (CREDIT, "-20.00", "-1250.00", "-20.00"),
        (CREDIT, "20.00", "-1230.00", "0.00"),
        (CREDIT, "2000.00", "750.00", "0.00"),
        # From what is payable in cash on; the sum is not rounded again.
        (ROUNDED, "0.02", "1250.02", "0.00"),
        (ROUNDED, "-0.02", "1249.98", "0.00"),
        (ROUNDED, "-1250.01", "0.00", "-0.01"),
    ],
)
def test_a_credit_is_used_up_to_the_bill(
    bill: Any,  # noqa: ANN401
    balance: str,
    payable: str,
    rest: str,
) -> None:
    found = carry(bill, Amount(balance, "EUR"))

    assert (f"{payable} EUR", f"{rest} EUR") == (str(found.payable), str(found.rest))
    assert bill.payable + Amount(balance, "EUR") == found.payable + found.rest
    assert found.payable == replayed(explain(found))


REFUSED: dict[str, Call] = {
    "CurrencyMismatchError: balance.currency currency_mismatch": lambda: carry(
        BILL, Amount(1, "DKK")
    ),
    "InvalidAmountError: balance too_many_decimals": lambda: carry(BILL, Amount("0.001", "EUR")),
    "InvalidRecordError: line says_nothing": lambda: EXPLAIN(carry(BILL, Amount(1, "EUR")), line=0),
}


@rows("found", REFUSED)
def test_what_cannot_be_carried_is_refused_at_its_place(found: str) -> None:
    assert found == refusal_text(REFUSED[found])


def test_misuse_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="a PendingBill and an Amount, not 5"):
        ANY(BILL, 5)
    with pytest.raises(TypeError, match="a PendingBill and an Amount, not 'bill'"):
        ANY("bill", Amount(1, "EUR"))
