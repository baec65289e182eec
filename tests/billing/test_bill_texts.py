"""Bills as JSON: what is written, letter by letter, and what is read, passed over or refused.

The sample is one bill of a rent of 540.00 that is a credit: a tenth off, half of the month, 25 % of
VAT; and of a fee of 100.00. −243.00 + 100.00 = −143.00, less 60.75 of VAT −203.75, in steps of half
a krone −204.00.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from jsonschema import Draft202012Validator

import rentbilling as rb
from rentbilling.billing import Payer
from rentbilling.errors import UnknownWordError
from rentbilling.interface import schema_of
from tests.support.refusals import faults, refusal_text, refused
from tests.support.rents import EXEMPT, amount, day, fee, period, rent, vat
from tests.support.rows import rows

CASH = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
ITEM = rent(
    "540.00",
    id="rent",
    description='Rent "7"',
    vat=vat("Exclusive", "0.25"),
    quantity=-1,
    discount=rb.Discount(percentage=Decimal("0.10"), description="10 % off"),
    ended_on=day("2026-02-14"),
)
RESULT = rb.pending_bills(
    rb.LeaseTerms.of(ITEM, fee(), lease_id="lease-1"), "2026-02-01/2026-02-28", policy=CASH
)


def dkk(figure: str) -> str:
    return f'{{"currency": "DKK", "amount": {figure}}}'


def text_of(full: str = "{}", more: str = "") -> str:
    """Return the bill in the interface's form, with what the full one has where `{}` stands."""
    known = iter(full.split("{}"))
    return (
        '{"bills": [{"dueDate": "2026-02-01", "pendingBillLineItems": [{"productKey": "key:rent", '
        f'"amount": {dkk("243.00")}, "quantity": -1, "unitNetPrice": {dkk("243.00")}, '
        f'"netPrice": {dkk("-243.00")}, "vat": {{"taxMode": "Exclusive", "taxRate": 0.25}}, '
        f'"accountingPeriod": "2026-02-01/2026-02-14"{next(known, "")}}}, '
        f'{{"productKey": "key:fee", "amount": {dkk("100.00")}, "quantity": 1, '
        f'"unitNetPrice": {dkk("100.00")}, "netPrice": {dkk("100.00")}, '
        '"vat": {"taxMode": "Exempt"}, "accountingPeriod": "2026-02-01/2026-02-01"'
        f'{next(known, "")}}}], "subtotal": {dkk("-143.00")}, "total": {dkk("-203.75")}, '
        '"vatTotals": [{"vat": {"taxMode": "Exclusive", "taxRate": 0.25}, '
        f'"amount": {dkk("-60.75")}{next(known, "")}}}, {{"vat": {{"taxMode": "Exempt"}}, '
        f'"amount": {dkk("0.00")}{next(known, "")}}}], "cashRounding": {dkk("-0.25")}, '
        f'"payable": {dkk("-204.00")}}}]{more}}}'
    )


PLAIN = text_of()
FULL = text_of(
    ', "itemId": "rent", "kind": "part", "description": "Rent \\"7\\"", '
    '"discountText": "10 % off", "discounts": [{"description": "10 % off", "percentage": 0.10, '
    f'"takenOff": {dkk("-27.00")}}}], "share": "1/2", "counted": "14 of 28 days", '
    '"regularPeriod": "2026-02-01/2026-02-28"'
    '{}, "itemId": "one-time-1", "kind": "one_time", "share": "1"'
    f'{{}}, "base": {dkk("-243.00")}{{}}, "base": {dkk("100.00")}',
    ', "leaseId": "lease-1", "period": "2026-02-01/2026-02-28", '
    f'"policyFingerprint": "{CASH.fingerprint}", "notices": [{{"code": "credit_quantity", '
    '"message": "a negative quantity makes a credit", "itemId": "rent", '
    '"facts": {"quantity": "-1"}}]',
)
LINE, DISCOUNT = "bills[0].pendingBillLineItems[0]", "bills[0].pendingBillLineItems[0].discounts"


def read(data: object, policy: rb.BillingPolicy | None = None) -> rb.BillingResult:
    return rb.loads(json.dumps(data), rb.BillingResult, policy=policy)


def changed(changes: Mapping[str, Any], text: str = FULL) -> Any:  # noqa: ANN401
    """Return the sample with some places changed; an ellipsis takes a place away."""
    data = json.loads(text)
    for path, value in changes.items():
        *way, last = (int(step) if step.isdigit() else step for step in re.findall(r"\w+", path))
        there: Any = data
        for step in way:
            there = there[step]
        if value is ...:
            there.pop(last, None)
        else:
            there[last] = value
    return data


def is_valid(data: Any, *, full: bool) -> bool:  # noqa: ANN401 - any JSON
    schema = schema_of("BillingResultFull" if full else "BillingResult")
    return not [*Draft202012Validator(schema).iter_errors(data)]


def test_a_bill_is_written_letter_by_letter_and_read_again() -> None:
    """The interface's fields, and in full what a result knows (A56, A59)."""
    assert (PLAIN, FULL) == (rb.dumps(RESULT), rb.dumps(RESULT, full=True))
    for full, text in ((False, PLAIN), (True, FULL)):
        again = rb.loads(text, rb.BillingResult)
        assert (RESULT, text) == (again, rb.dumps(again, full=full))
        assert (None, CASH.fingerprint if full else None) == (
            again.policy,
            again.policy_fingerprint,
        )
        # Each form is valid under its own schema alone.
        assert (not full, full) == tuple(
            is_valid(json.loads(text), full=each) for each in (False, True)
        )
    line, result = read(json.loads(FULL))[0].lines[0], read(json.loads(FULL))
    assert [getattr(RESULT[0].lines[0], each) for each in ("kind", "share", "discounts")] == [
        getattr(line, each) for each in ("kind", "share", "discounts")
    ]
    assert (RESULT.notices, "lease-1", RESULT.period) == (
        result.notices,
        result.lease_id,
        result.period,
    )


@rows(
    ("result", "full", "text"),
    [
        (rb.BillingResult(()), False, '{"bills": []}'),
        (rb.BillingResult(()), True, '{"bills": [], "notices": []}'),
        (
            rb.BillingResult((), [rb.Notice("b", "Look.")]),
            True,
            '{"bills": [], "notices": [{"code": "b", "message": "Look.", "facts": {}}]}',
        ),
    ],
)
def test_what_a_result_does_not_know_is_not_written(
    result: rb.BillingResult, full: bool, text: str
) -> None:
    """Notices are a list in any case (A6)."""
    assert text == rb.dumps(result, full=full)


@rows(
    ("price", "written"),
    [
        ("8500 JPY", "8500"),
        ("-7 JPY", "-7"),
        ("8500 KWD", "8500.000"),
        ("0.05 EUR", "0.05"),
        ("-8500.05 EUR", "-8500.05"),
        ("0 EUR", "0.00"),
    ],
)
def test_sums_have_the_decimals_of_their_currency(price: str, written: str) -> None:
    """None for JPY, three for KWD (A2)."""
    text = rb.dumps(rb.pending_bills(fee(price), "2026-02"))

    assert f'"total": {{"currency": "{price[-3:]}", "amount": {written}}}' in text


@rows(
    ("tax", "written"),
    [
        (rb.Vat("reversecharge"), '{"taxMode": "ReverseCharge"}'),
        (vat("Inclusive", "0.00001"), '{"taxMode": "Inclusive", "taxRate": 0.00001}'),
        (vat("Exempt", "0"), '{"taxMode": "Exempt", "taxRate": 0}'),
    ],
)
def test_a_rate_is_written_in_plain_digits_or_not_at_all(tax: rb.Vat, written: str) -> None:
    assert f'"vat": {written}, "acc' in rb.dumps(rb.pending_bills(fee(vat=tax), "2026-02"))


def test_half_open_periods_name_the_day_after_the_last() -> None:
    """Of lines, of their regular periods, and of the asked days; the last of all has none (A4)."""
    half_open = CASH.evolve(period_end="excluded")
    text = rb.dumps(RESULT, full=True, policy=half_open)
    endless = rb.pending_bills(fee(days="2026-02-01/9999-12-31"), "2026-02")

    for name, days in (
        ("accountingPeriod", "2026-02-01/2026-02-15"),
        ("regularPeriod", "2026-02-01/2026-03-01"),
        ("period", "2026-02-01/2026-03-01"),
    ):
        assert f'"{name}": "{days}"' in text
    again = rb.loads(text, rb.BillingResult, policy=half_open)
    assert (RESULT, RESULT.period) == (again, again.period)
    assert '"2026-02-01/9999-12-31"' in rb.dumps(endless)
    assert "UnsupportedCaseError: unsupported" == refusal_text(
        lambda: rb.dumps(endless, policy=half_open)
    )


def test_a_private_currency_is_read_with_the_policy_that_knows_it() -> None:
    """Two decimals of PTS; without the policy every amount of it is refused (A2)."""
    points = PLAIN.replace("DKK", "PTS")
    (bill,) = rb.loads(points, rb.BillingResult, policy=rb.BillingPolicy(currencies={"PTS": 2}))

    assert ("PTS", Decimal("-203.75")) == (bill.currency, bill.total.amount)
    error = refused(lambda: rb.loads(points, rb.BillingResult), UnknownWordError)
    assert [(12, "unknown_currency")] == [
        (len(error.problems), code) for code in {each.code for each in error.problems}
    ]


def test_what_a_line_does_not_say_is_what_most_lines_are() -> None:
    """A base of VAT is summed from the lines, and sums are not computed again (A30, A56)."""
    changes = {"bills[0].vatTotals[1].vat.taxMode": "ReverseCharge", f"{LINE}.quantity": None}
    (bill,) = read(changed({**changes, "bills[0].total.amount": 1}, PLAIN))
    line, once = bill.lines

    assert ["-243.00 DKK", "0.00 DKK"] == [str(each.base) for each in bill.vat_totals]
    assert (amount("1.00"), Decimal(1), "regular", Fraction(1), None, ()) == (
        bill.total,
        line.quantity,
        line.kind,
        line.share,
        line.item_id,
        line.discounts,
    )
    assert (EXEMPT, period("2026-02-01/2026-02-01")) == (once.vat, once.accounting_period)
    stated = read(changed({"bills[0].vatTotals[0].base.amount": 541}))[0]
    assert (amount("541"), amount("-0.25")) == (stated.vat_totals[0].base, stated.cash_rounding)


def test_fields_that_we_do_not_know_are_passed_over_and_are_in_no_schema() -> None:
    """Wherever a newer service writes them (A50)."""
    newer = {
        "cursor": {"a": [1]},
        "bills[0].state": "Draft",
        "bills[0].total.formatted": "9.175,00 kr.",
        "bills[0].vatTotals[0].reason": 7,
        f"{LINE}.color": "red",
        f"{LINE}.vat.category": "E",
        f"{LINE}.amount.scale": 2,
        "notices[0].level": 1,
    }

    assert (RESULT, RESULT.notices) == (read(changed(newer)), read(changed(newer)).notices)
    for path, value in newer.items():
        assert not is_valid(changed({path: value}), full=True)


@rows("share", ["0", "1", "17/31", "034/062", "9" * 59])
def test_a_share_is_a_ratio_of_whole_numbers(share: str) -> None:
    """Reduced or not (A20)."""
    assert Fraction(share) == read(changed({f"{LINE}.share": share}))[0].lines[0].share


def test_unit_prices_may_be_finer_than_the_currency() -> None:
    """100 m² at 85.0001 are 8,500.01, which can be paid (A21)."""
    prices = {f"{LINE}.{name}.amount": 85.0001 for name in ("amount", "unitNetPrice")}
    (bill,) = read(changed({**prices, f"{LINE}.quantity": 100, f"{LINE}.netPrice.amount": 8500.01}))

    assert ("85.0001 DKK", "8500.01 DKK") == (
        str(bill.lines[0].unit_net_price),
        str(bill.lines[0].net_price),
    )


# Where, what, the code of the refusal, and what it quotes where that is not the value.
WRONG: list[tuple[str, object, str, str | None]] = [
    ("bills", ..., "missing", "nothing"),
    ("bills", {}, "not_a_list", None),
    ("bills[0]", 5, "not_an_object", None),
    ("period", "2026-02", "not_a_period", None),
    ("leaseId", 7, "not_a_text", None),
    ("policyFingerprint", 7, "not_a_text", None),
    ("notices", {"a": 1}, "not_a_list", None),
    ("notices[0]", "gap", "not_an_object", None),
    ("notices[0].code", ..., "missing", "nothing"),
    ("notices[0].code", "", "empty_text", None),
    ("notices[0].message", None, "missing", "nothing"),
    ("notices[0].itemId", 7, "not_a_text", None),
    ("notices[0].facts", [], "not_an_object", None),
    ("notices[0].facts.quantity", -1, "not_a_text", None),
    ("bills[0].dueDate", 0, "not_a_date", None),
    ("bills[0].dueDate", "1 February 2026", "not_a_date", None),
    ("bills[0].dueDate", ..., "missing", "nothing"),
    ("bills[0].pendingBillLineItems", ..., "missing", "nothing"),
    ("bills[0].subtotal", ..., "missing", "nothing"),
    ("bills[0].total", "9175", "not_an_object", None),
    ("bills[0].total.amount", True, "not_a_number", None),
    ("bills[0].total.amount", 10**15, "too_many_digits", None),
    *((f"{path}.currency", "EUR", "currency_mismatch", None)
      for path in ("bills[0].subtotal", "bills[0].vatTotals[0].base", f"{LINE}.amount",
                   f"{LINE}.unitNetPrice", f"{LINE}.netPrice", f"{DISCOUNT}[0].takenOff")),
    ("bills[0].payable.amount", "1", "not_a_number", None),
    ("bills[0].vatTotals", ..., "missing", "nothing"),
    ("bills[0].vatTotals[0].amount", ..., "missing", "nothing"),
    ("bills[0].vatTotals[0].vat", "Exempt", "not_an_object", None),
    ("bills[0].vatTotals[0].vat.taxRate", 25, "out_of_range", None),
    *((f"{LINE}.{name}", ..., "missing", "nothing")
      for name in ("productKey", "amount", "unitNetPrice", "netPrice", "vat", "accountingPeriod")),
    (f"{LINE}.netPrice.amount", 8500.001, "too_many_decimals", None),
    (f"{LINE}.quantity", "1", "not_a_number", None),
    (f"{LINE}.quantity", 0, "zero_quantity", None),
    (f"{LINE}.accountingPeriod", "2026-02", "not_a_period", None),
    (f"{LINE}.accountingPeriod", "2026-02-28/2026-02-01", "reversed_period", None),
    (f"{LINE}.itemId", 7, "not_a_text", None),
    (f"{LINE}.description", True, "not_a_text", None),
    (f"{LINE}.discountText", [], "not_a_text", None),
    (f"{LINE}.counted", 7, "not_a_text", None),
    (f"{LINE}.kind", "refund", "unknown_word", None),
    (f"{LINE}.regularPeriod", "2026-02-01", "not_a_period", None),
    *((f"{LINE}.share", share, "not_a_share", None)
      for share in ("", "/", "17/", "/31", "1/0", "-1/2", "1/2/3", "½", "1.5")),
    (f"{LINE}.share", "1" * 60, "not_a_share", "'1111"),
    (f"{LINE}.share", 1, "not_a_text", None),
    (DISCOUNT, 7, "not_a_list", None),
    (f"{DISCOUNT}[0]", 7, "not_an_object", None),
    (f"{DISCOUNT}[0].takenOff", None, "missing", "nothing"),
    (f"{DISCOUNT}[0].takenOff.amount", 0.001, "too_many_decimals", None),
]  # fmt: skip
# What JSON schema cannot say.
ONLY_READ = {"too_many_digits", "too_many_decimals", "zero_quantity", "reversed_period"}
ONLY_READ |= {"empty_text", "currency_mismatch"}


@rows(("path", "value", "code", "met"), WRONG)
def test_a_wrong_field_is_refused_at_its_place(
    path: str, value: object, code: str, met: str | None
) -> None:
    """By the reader, with the value, and by the schemas of both forms (A1, A6, A20, A21, A56)."""
    data = changed({path: value})
    (problem,) = refused(lambda: read(data)).problems

    assert (path, code) == (problem.path, problem.code)
    assert (repr(value) if met is None else met) in problem.met or code == "reversed_period"
    assert problem.expected
    unseen = code in ONLY_READ or value == "1" * 60
    assert unseen == is_valid(data, full=True)
    if not re.search("notices|discounts|share|base", path):
        assert unseen == is_valid(changed({path: value}, PLAIN), full=False)


@rows(
    ("path", "value", "valid"),
    [
        # Kind, share and base in each line and total, notices in any case (A56).
        *((f"{LINE}.{name}", ..., False) for name in ("kind", "share")),
        ("bills[0].vatTotals[0].base", ..., False),
        ("notices", ..., False),
        ("notices[0].facts", ..., False),
        ("policyFingerprint", None, False),
        # Cash rounding and what is payable come together or not at all (A52).
        ("bills[0].payable", ..., False),
        ("bills[0].cashRounding", ..., False),
        # A part names its payer, and then what it corrects (A68).
        ("bills[0].payer", "Ann", True),
        ("bills[0].payer", "", False),
        ("bills[0].corrections", {"vatTotals[0].amount": json.loads(dkk("1"))}, False),
        # Nobody gave it, or the line is not of a kind that has it (A6).
        *((name, ..., True) for name in ("leaseId", "period", "policyFingerprint")),
        *((f"{LINE}.{name}", ..., True) for name in ("itemId", "description", "discountText")),
        *((f"{LINE}.{name}", ..., True) for name in ("discounts", "counted", "regularPeriod")),
        ("notices[0].itemId", ..., True),
        ("notices", [], True),
        (f"{LINE}.share", "0", True),
    ],
)
def test_the_full_form_has_its_own_schema(path: str, value: object, valid: bool) -> None:
    assert valid == is_valid(changed({path: value}), full=True)


def test_a_payer_s_part_has_corrections_of_figures_that_are_there() -> None:
    """They are read in minor units, and those of nothing are refused (A68)."""
    off: dict[str, Any] = {"vatTotals[0].amount": json.loads(dkk("0.01"))}
    wrong: dict[str, Any] = {"vatTotals[7].amount": {}}
    part = changed({"bills[0].payer": "Ann", "bills[0].corrections": off})
    payer = read(part)[0].payer

    assert is_valid(part, full=True)
    assert part == json.loads(rb.dumps(read(part), full=True))
    assert payer == Payer("Ann", {"vatTotals[0].amount": 1})
    assert [("bills[0].corrections.vatTotals[7].amount", "not_there")] == faults(
        lambda: read(changed({"bills[0].payer": "Ann", "bills[0].corrections": wrong}))
    )
    assert [("bills[0].payer", "missing")] == faults(
        lambda: read(changed({"bills[0].corrections": off}))
    )


@rows("data", [[], "bills", 5, None])
def test_bills_are_in_an_object(data: object) -> None:
    assert [("", "not_an_object")] == faults(lambda: read(data))


def test_every_problem_of_all_bills_is_given_at_once_and_in_order() -> None:
    changes = {
        "bills[0].dueDate": "2026-02-30",
        f"{LINE}.netPrice": ...,
        f"{LINE}.vat": {"taxMode": "VAT", "taxRate": True},
        "bills[0].vatTotals[0]": [],
        "bills[0].total": {},
        "leaseId": 1,
        "notices[0]": {"itemId": 7, "facts": {"days": 3}},
    }

    assert [
        ("bills[0].dueDate", "not_a_date"),
        (f"{LINE}.netPrice", "missing"),
        (f"{LINE}.vat.taxMode", "unknown_tax_mode"),
        (f"{LINE}.vat.taxRate", "not_a_number"),
        ("bills[0].total.currency", "missing"),
        ("bills[0].total.amount", "missing"),
        ("bills[0].vatTotals[0]", "not_an_object"),
        ("leaseId", "not_a_text"),
        ("notices[0].facts.days", "not_a_text"),
        ("notices[0].code", "missing"),
        ("notices[0].message", "missing"),
        ("notices[0].itemId", "not_a_text"),
    ] == faults(lambda: read(changed(changes)))
