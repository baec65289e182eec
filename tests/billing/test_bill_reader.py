"""Bills as a service returns them: what is read, what is passed over, what is refused and where.

The sample is one bill of a rent without VAT and a parking space with 25 %: 8,500.00 + 540.00 are
9,040.00, VAT of 540.00 is 135.00, together 9,175.00 DKK.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidRecordError, UnknownWordError
from tests.support.refusals import refusal
from tests.support.rents import EXEMPT, amount, day, period, rent, vat
from tests.support.rows import rows


def dkk(figure: float) -> dict[str, Any]:
    return {"currency": "DKK", "amount": figure}


RENT: dict[str, Any] = {
    "productKey": "key:rent",
    "amount": dkk(8500.00),
    "quantity": 1,
    "unitNetPrice": dkk(8500.00),
    "netPrice": dkk(8500.00),
    "vat": {"taxMode": "Exempt"},
    "accountingPeriod": "2026-02-01/2026-02-28",
}
PARKING: dict[str, Any] = {
    **RENT,
    "productKey": "key:parking",
    "amount": dkk(540.00),
    "unitNetPrice": dkk(540.00),
    "netPrice": dkk(540.00),
    "vat": {"taxMode": "Exclusive", "taxRate": 0.25},
}
BILL: dict[str, Any] = {
    "dueDate": "2026-02-01",
    "pendingBillLineItems": [RENT, PARKING],
    "subtotal": dkk(9040.00),
    "total": dkk(9175.00),
    "vatTotals": [
        {"vat": {"taxMode": "Exempt"}, "amount": dkk(0)},
        {"vat": {"taxMode": "Exclusive", "taxRate": 0.25}, "amount": dkk(135.00)},
    ],
}
KNOWN: dict[str, Any] = {
    "itemId": "rent",
    "kind": "part",
    "description": "Rent, Nørregade 12",
    "discountText": "10 % off",
    "share": "17/31",
    "regularPeriod": "2026-01-01/2026-01-31",
}
FULL: dict[str, Any] = {
    "bills": [
        {
            **BILL,
            "pendingBillLineItems": [{**RENT, **KNOWN}, PARKING],
            "cashRounding": dkk(0),
            "payable": dkk(9175.00),
        },
        BILL,
    ],
    "leaseId": "lease-1",
    "period": "2026-02-01/2026-02-28",
    "policyFingerprint": "0123456789abcdef",
    "notices": [
        {"code": "credit_quantity", "message": "A credit.", "itemId": "a", "facts": {"q": "-1"}},
        {"code": "gap_after_opening_period", "message": "A gap."},
    ],
}
EURO = {"currency": "EUR", "amount": 0}
LINE = "bills[0].pendingBillLineItems[0]"


def read(data: object, policy: rb.BillingPolicy | None = None) -> rb.BillingResult:
    return rb.loads(json.dumps(data), rb.BillingResult, policy=policy)


def changed(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the full sample with some places changed; an ellipsis takes a place away."""
    data: dict[str, Any] = json.loads(json.dumps(FULL))
    for path, value in changes.items():
        *way, last = (int(step) if step.isdigit() else step for step in re.findall(r"\w+", path))
        there: Any = data
        for step in way:
            there = there[step]
        if value is ...:
            del there[last]
        else:
            there[last] = value
    return data


def refused(changes: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    with pytest.raises(rb.InvalidInputError) as caught:
        read(changed(changes))
    return refusal(caught.value)


def test_a_bill_is_read_in_the_interface_s_form() -> None:
    """Lines, VAT totals and sums as they are written; a base is summed from the lines (A30)."""
    (bill,) = read({"bills": [BILL]})

    assert day("2026-02-01") == bill.due_date
    assert (amount("9040"), amount("9175"), None) == (bill.subtotal, bill.total, bill.cash_rounding)
    assert [
        rb.PendingBillLineItem(
            product_key="key:rent",
            amount=amount("8500"),
            net_price=amount("8500.00"),
            vat=EXEMPT,
            accounting_period=period("2026-02-01/2026-02-28"),
        ),
        rb.PendingBillLineItem(
            product_key="key:parking",
            amount=amount("540"),
            net_price=amount("540.00"),
            vat=vat("Exclusive", "0.25"),
            accounting_period=period("2026-02-01/2026-02-28"),
        ),
    ] == list(bill.lines)
    assert [
        (EXEMPT, amount("0.00"), amount("8500.00")),
        (vat("Exclusive", "0.25"), amount("135.00"), amount("540.00")),
    ] == [(each.vat, each.amount, each.base) for each in bill.vat_totals]


def test_a_result_is_read_in_full_form() -> None:
    """With everything that a result knows beyond the interface (A56)."""
    result = read(FULL)
    line = result[0].lines[0]

    assert ("lease-1", period("2026-02-01/2026-02-28")) == (result.lease_id, result.period)
    assert (None, "0123456789abcdef") == (result.policy, result.policy_fingerprint)
    assert (
        rb.Notice("credit_quantity", "A credit.", "a", (("q", "-1"),)),
        rb.Notice("gap_after_opening_period", "A gap."),
    ) == result.notices
    assert ("rent", "part", "Rent, Nørregade 12", "10 % off", Fraction(17, 31)) == (
        line.item_id,
        line.kind,
        line.description,
        line.discount_text,
        line.share,
    )
    assert period("2026-01-01/2026-01-31") == line.regular_period


def test_what_a_line_does_not_say_is_what_most_lines_are() -> None:
    (bill,) = read({"bills": [{**BILL, "pendingBillLineItems": [{**RENT, "quantity": None}]}]})
    (line,) = bill.lines

    assert (Decimal(1), "regular", Fraction(1), None, None, None) == (
        line.quantity,
        line.kind,
        line.share,
        line.item_id,
        line.description,
        line.discount_text,
    )


@rows("full", [False, True])
def test_what_was_written_is_read_and_written_again(full: bool) -> None:
    """Letter by letter, the fingerprint of the policy included (A59)."""
    policy = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")}, rounding="half_even")
    result = rb.pending_bills(rent("8499.99", id="a"), "2026-01-01/2026-06-30", policy=policy)
    text = rb.dumps(result, full=full)
    again = rb.loads(text, rb.BillingResult)

    assert result == again
    assert text == rb.dumps(again, full=full)
    assert (policy.fingerprint if full else None) == again.policy_fingerprint


def test_sums_are_read_and_not_computed_again() -> None:
    (bill,) = read({"bills": [{**BILL, "total": dkk(1.00), "vatTotals": []}]})

    assert (amount("1.00"), ()) == (bill.total, bill.vat_totals)


def test_a_stated_base_and_cash_rounding_are_kept() -> None:
    """The base as written, the rounding as a signed amount beside the total (A52, A56)."""
    total = {**BILL["vatTotals"][1], "base": dkk(541.00)}
    data = {**BILL, "vatTotals": [total], "cashRounding": dkk(-0.25), "payable": dkk(9174.75)}
    (bill,) = read({"bills": [data]})

    assert amount("541.00") == bill.vat_totals[0].base
    assert (amount("-0.25"), amount("9174.75")) == (bill.cash_rounding, bill.payable)


def test_a_vat_total_of_no_line_has_a_base_of_0() -> None:
    (bill,) = read({"bills": [{**BILL, "pendingBillLineItems": []}]})

    assert [amount("0.00"), amount("0.00")] == [each.base for each in bill.vat_totals]


def test_fields_that_we_do_not_know_are_passed_over() -> None:
    """Wherever a newer service writes them (A50)."""
    newer = changed(
        {
            "cursor": {"a": [1]},
            "bills[0].state": "Draft",
            "bills[0].total.formatted": "9.175,00 kr.",
            "bills[0].vatTotals[0].reason": 7,
            f"{LINE}.color": "red",
            f"{LINE}.vat.category": "E",
            f"{LINE}.amount.scale": 2,
            "notices[0].level": 1,
        }
    )

    assert read(FULL) == read(newer)
    assert read(FULL).notices == read(newer).notices


def test_half_open_periods_are_read_where_a_service_writes_them() -> None:
    """February is 2026-02-01/2026-03-01 then (A4)."""
    text = json.dumps(FULL).replace("-02-28", "-03-01")
    result = rb.loads(text, rb.BillingResult, policy=rb.BillingPolicy(period_end="excluded"))

    assert period("2026-02-01/2026-02-28") == result.period
    assert period("2026-02-01/2026-02-28") == result[0].lines[0].accounting_period


def test_a_private_currency_is_read_with_the_policy_that_knows_it() -> None:
    """Two decimals of PTS; without the policy every amount of it is refused (A2)."""
    points = json.loads(json.dumps({"bills": [BILL]}).replace("DKK", "PTS"))
    (bill,) = read(points, rb.BillingPolicy(currencies={"PTS": 2}))
    with pytest.raises(UnknownWordError) as caught:
        read(points)

    assert ("PTS", Decimal("9175.00")) == (bill.currency, bill.total.amount)
    assert {"unknown_currency"} == {each.code for each in caught.value.problems}
    assert 10 == len(caught.value.problems)


@rows("data", [[], "bills", 5, None, [BILL]])
def test_bills_stand_in_an_object(data: object) -> None:
    with pytest.raises(InvalidRecordError) as caught:
        read(data)

    assert [("", "not_an_object")] == [each[:2] for each in refusal(caught.value)]


@rows(
    ("path", "value", "code", "met"),
    [
        ("bills", ..., "missing", "nothing"),
        ("bills", None, "missing", "nothing"),
        ("bills", {}, "not_a_list", "{}"),
        ("bills[1]", 5, "not_an_object", "5"),
        ("period", "2026-02", "not_a_period", "'2026-02'"),
        ("leaseId", 7, "not_a_text", "7"),
        ("notices", {"a": 1}, "not_a_list", "{'a': 1}"),
        ("notices[1]", "gap", "not_an_object", "'gap'"),
        ("bills[0].dueDate", 0, "not_a_date", "0"),
        ("bills[0].subtotal", ..., "missing", "nothing"),
        ("bills[0].total", "9175", "not_an_object", "'9175'"),
        ("bills[0].total.amount", True, "not_a_number", "True"),
        ("bills[0].total.amount", 10**15, "too_many_digits", "1000000000000000"),
        ("bills[0].total.currency", ..., "missing", "nothing"),
        ("bills[0].payable.amount", "1", "not_a_number", "'1'"),
        ("bills[0].vatTotals", ..., "missing", "nothing"),
        ("bills[0].vatTotals[0].base", EURO, "currency_mismatch", "'EUR'"),
        ("bills[0].vatTotals[1].vat.taxRate", 25, "out_of_range", "25"),
        *(
            (f"{LINE}.{name}.currency", "EUR", "currency_mismatch", "'EUR'")
            for name in ("amount", "unitNetPrice", "netPrice")
        ),
    ],
)
def test_a_wrong_field_is_refused_at_its_place(
    path: str, value: object, code: str, met: str
) -> None:
    """Missing, of another shape, finer than its currency, in another one (A1, A2, A6)."""
    ((where, found, quoted, expected),) = refused({path: value})

    assert (path if value is not EURO else f"{path}.currency", code, met) == (where, found, quoted)
    assert expected


@rows(
    ("name", "value", "code", "met"),
    [
        ("productKey", ..., "missing", "nothing"),
        ("quantity", "1", "not_a_number", "'1'"),
        ("vat", "Exempt", "not_an_object", "'Exempt'"),
        ("accountingPeriod", "2026-02-28/2026-02-01", "reversed_period", ""),
        ("accountingPeriod", None, "missing", "nothing"),
        ("itemId", 7, "not_a_text", "7"),
        ("description", True, "not_a_text", "True"),
        ("discountText", [], "not_a_text", "[]"),
        ("regularPeriod", "2026-02", "not_a_period", "'2026-02'"),
        *(("share", share, "not_a_share", repr(share)) for share in ("", "/", "17/", "/31", "1/0")),
        *(("share", share, "not_a_share", repr(share)) for share in ("-1/2", "1/2/3", "½", "1.5")),
        ("share", "1" * 60, "not_a_share", "'1111"),
        ("share", 1, "not_a_text", "1"),
    ],
)
def test_a_wrong_field_of_a_line_is_refused_at_its_place(
    name: str, value: object, code: str, met: str
) -> None:
    """What the interface has and what a result knows beyond it are judged alike (A20, A56)."""
    ((path, found, quoted, expected),) = refused({f"{LINE}.{name}": value})

    assert (f"{LINE}.{name}", code) == (path, found)
    assert met in quoted
    assert expected


@rows("share", ["0", "1", "17/31", "034/062", "9" * 59])
def test_a_share_is_a_ratio_of_whole_numbers(share: str) -> None:
    """Reduced or not (A20)."""
    (bill, _) = read(changed({f"{LINE}.share": share}))

    assert Fraction(share) == bill.lines[0].share


def test_a_net_price_has_whole_minor_units_and_unit_prices_need_not() -> None:
    """100 m² at 85.0001 are 8,500.01, which can be paid; 8,500.001 cannot (A21)."""
    prices = {f"{LINE}.{name}.amount": 85.0001 for name in ("amount", "unitNetPrice")}
    fine = {**prices, f"{LINE}.quantity": 100, f"{LINE}.netPrice.amount": 8500.01}
    (bill, _) = read(changed(fine))
    ((path, code, _, _),) = refused({f"{LINE}.netPrice.amount": 8500.001})

    assert (amount("85.0001"), amount("8500.01")) == (
        bill.lines[0].unit_net_price,
        bill.lines[0].net_price,
    )
    assert (f"{LINE}.netPrice.amount", "too_many_decimals") == (path, code)


def test_a_notice_has_a_code_a_message_and_facts_of_texts() -> None:
    """Facts are named texts; an item and facts may be absent (A56)."""
    found = refused(
        {
            "notices[0]": {"itemId": 7, "facts": {"days": 3, "end": None}},
            "notices[1]": {"code": "", "message": "A gap.", "facts": []},
        }
    )

    assert [
        ("notices[0].facts.days", "not_a_text"),
        ("notices[0].facts.end", "missing"),
        ("notices[0].code", "missing"),
        ("notices[0].message", "missing"),
        ("notices[0].itemId", "not_a_text"),
        ("notices[1].facts", "not_an_object"),
        ("notices[1].code", "empty_text"),
    ] == [each[:2] for each in found]


def test_every_problem_of_all_bills_is_told_at_once_and_in_order() -> None:
    found = refused(
        {
            "bills[0].dueDate": "2026-02-30",
            f"{LINE}.netPrice": ...,
            f"{LINE}.vat": {"taxMode": "VAT", "taxRate": True},
            "bills[0].vatTotals[0]": [],
            "bills[1].pendingBillLineItems[1].amount.currency": "DKR",
            "bills[1].total": {},
            "leaseId": 1,
            "notices": 0,
        }
    )

    assert [
        ("bills[0].dueDate", "not_a_date"),
        ("bills[0].pendingBillLineItems[0].netPrice", "missing"),
        ("bills[0].pendingBillLineItems[0].vat.taxMode", "unknown_tax_mode"),
        ("bills[0].pendingBillLineItems[0].vat.taxRate", "not_a_number"),
        ("bills[0].vatTotals[0]", "not_an_object"),
        ("bills[1].pendingBillLineItems[1].amount.currency", "unknown_currency"),
        ("bills[1].total.currency", "missing"),
        ("bills[1].total.amount", "missing"),
        ("leaseId", "not_a_text"),
        ("notices", "not_a_list"),
    ] == [each[:2] for each in found]
