"""Bills that differ are shown beside each other, and golden files change only when one asks."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rentbilling import (
    BillingPolicy,
    BillingResult,
    InvalidInputError,
    PendingBill,
    dumps,
    loads,
    pending_bills,
)
from rentbilling.testing import (
    a_bill,
    a_lease,
    a_line,
    a_rent,
    an_item,
    assert_bill_consistent,
    assert_bills_equal,
    assert_matches_golden,
    bill_diff,
)
from rentbilling.testing.given_bills import AnyBills
from rentbilling.testing.side_by_side import bill_table, line_table
from tests.support.rows import rows

HEATING = a_line(product_key="key:heating", amount="500.00", vat="Exclusive 0.25")
BILL = a_bill(a_line(), HEATING)
TERMS = a_lease(a_rent(amount="8500.00"), an_item(amount="500.00"))
YEAR = "2026-01-01/2026-12-31"


def shown(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


@rows(
    "other",
    [
        BILL,
        [BILL],
        (BILL,),
        BillingResult([BILL]),
        dumps(BillingResult([BILL])),
        dumps(BILL).encode(),
        json.loads(dumps(BILL)),
        [json.loads(dumps(BILL))],
        json.loads(dumps(BillingResult([BILL]))),
    ],
)
def test_bills_are_taken_in_every_form(other: AnyBills) -> None:
    assert_bills_equal(BILL, other)
    assert_bills_equal(other, BILL)


@rows("other", [8, None])
def test_what_holds_no_bills_is_refused(other: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidInputError, match="a BillingResult, a PendingBill, several, a JSON"):
        assert_bills_equal(BILL, other)


def test_a_text_that_cannot_be_read_is_no_difference() -> None:
    with pytest.raises(InvalidInputError, match="total"):
        assert_bills_equal(BILL, '{"dueDate": "2026-02-01"}')


def test_a_refusal_says_which_side_it_is_about() -> None:
    with pytest.raises(InvalidInputError, match=r"^actual: is not JSON"):
        assert_bills_equal(BILL, "x")
    with pytest.raises(InvalidInputError, match=r"^expected[.]bills\[1\][.]"):
        assert_bills_equal([BILL, {"dueDate": "2026-02-01"}], BILL)
    with pytest.raises(InvalidInputError, match=r"^actual: contains no bills [(]met 7; expected a"):
        assert_bills_equal(BILL, 7)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_what_is_to_be_paid_is_compared() -> None:
    """A computed total of 8,500.30 is paid as 8,500.50, and a service asks for 8,500.25 (A52)."""
    policy = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
    expected = pending_bills(a_rent(amount="8500.30"), "2026-02-01/2026-02-28", policy=policy)
    response = json.loads(dumps(expected))
    del response["bills"][0]["cashRounding"]
    response["bills"][0]["payable"] = {"currency": "DKK", "amount": 8500.25}

    assert "* cash rounding 0.20 -0.05" in shown(bill_diff(expected, response))


def test_the_policy_of_bills_may_be_told() -> None:
    """Three VATs of 0.8325 are 2.49 by the line, 2.50 at once; nobody expected them at once."""
    lines = [
        a_line(product_key=f"key:{name}", amount="3.33", vat="Exclusive 0.25") for name in "abc"
    ]
    by_line = BillingPolicy(vat_rounding="per_line")
    bills = [a_bill(*lines, policy=by_line)], [a_bill(*lines)]

    assert "" == bill_diff(bills[0], [a_bill(*lines, policy=by_line)], policy=by_line)
    assert "1 difference" not in bill_diff(*bills, policy=by_line)
    assert "* VAT Exclusive 25 % 2.49 2.50" in shown(bill_diff(*bills, policy=by_line))


def test_a_name_breaks_no_row() -> None:
    bill = a_bill(a_line(product_key="key:\nrent"), a_line(product_key="賃料"))
    other = a_bill(*bill.lines, total="17000.01")
    table = bill_diff(bill, other).split("\n\n")[1].splitlines()

    assert "  key:\\nrent 2026-02-01/2026-02-28  1 × 8500.00" in table[2]
    # The two wide letters take four columns: "key:\\nrent" has ten.
    assert "  賃料 2026-02-01/2026-02-28        1 × 8500.00" in table[3]


def test_lines_that_differ_by_their_currency_alone_say_so() -> None:
    """8,500.00 in two currencies is not the same."""
    told = line_table([a_line()], [a_line(currency="EUR")])

    assert "1 × 8500.00 = 8500.00 Exempt DKK  1 × 8500.00 = 8500.00 Exempt EUR" in told


def test_a_brief_table_begins_with_the_sentences() -> None:
    found = bill_table([BILL], [a_bill(*BILL.lines, total="9125.01")], brief=True)

    assert (
        """\
1 difference
due 2026-02-01, total: expected 9125.00 DKK, actual 9125.01 DKK, actual is 0.01 higher

                         expected  actual
  due 2026-02-01 in DKK
* total                  9125.00   9125.01"""
        == found
    )


def test_a_bill_that_contradicts_itself_fails_with_its_findings() -> None:
    """8,500.00 and no VAT are not 8,500.01; a repeated line alone fails nothing (A16)."""
    assert_bill_consistent(BILL)
    assert_bill_consistent(a_bill(a_line(), a_line()))
    with pytest.raises(AssertionError) as caught:
        assert_bill_consistent([BILL, a_bill(a_line(), total="8500.01")])

    assert "the bill contradicts itself: 1 error\n\nerror: " in str(caught.value)
    assert "total is not subtotal + VAT totals (met 8500.01; expected 8500.00)" in str(caught.value)


def test_a_tolerance_may_be_allowed() -> None:
    """25 % of 500.00 are 125.00, and 125.01 is off by 0.01."""
    bill = a_bill(HEATING, vat_totals={"Exclusive 0.25": "125.01"})

    assert_bill_consistent(bill, tolerance=Decimal("0.01"))
    with pytest.raises(AssertionError, match=r"met 125[.]01; expected 125[.]00"):
        assert_bill_consistent(bill)


def test_the_message_shows_both_sides() -> None:
    wrong = a_bill(a_line(net_price="8500.01", unit_net_price="8500.00"))
    with pytest.raises(AssertionError) as caught:
        assert_bills_equal(a_bill(), wrong)

    assert (
        """\
the bills differ: 3 differences: 1 cause, 2 consequences

                                  expected                      actual
  due 2026-02-01 in DKK
* key:rent 2026-02-01/2026-02-28  1 × 8500.00 = 8500.00 Exempt  1 × 8500.00 = 8500.01 Exempt
  VAT Exempt                      0.00                          0.00
* subtotal                        8500.00                       8500.01
* total                           8500.00                       8500.01

due 2026-02-01, net price of key:rent 2026-02-01/2026-02-28: expected 8500.00 DKK, """
        """actual 8500.01 DKK, actual is 0.01 higher
  2 consequences: subtotal, total (actual is 0.01 higher)""" == str(caught.value)
    )


def test_bills_that_are_missing_moved_or_not_expected() -> None:
    expected = pending_bills(TERMS, YEAR)
    actual = [*expected[:5], *expected[6:], a_bill(due="2027-01-01")]
    actual[3] = a_bill(*actual[3].lines, due="2026-04-02")
    told = shown(bill_diff(expected, actual))

    assert "3 differences; 10 other bills are equal" == told[0]
    assert "* due date 2026-04-01 2026-04-02" in told
    assert "- due 2026-06-01 in DKK 9125.00 in 2 lines" in told
    assert "+ due 2027-01-01 in DKK 8500.00 in 1 line" in told


def test_one_other_bill_that_is_equal() -> None:
    march = a_bill(due="2026-03-01")

    assert (
        "1 difference; 1 other bill is equal"
        == shown(
            bill_diff(
                [BILL, march], [BILL, a_bill(*march.lines, due="2026-03-01", total="8500.01")]
            )
        )[0]
    )


def test_lines_and_rates_that_only_one_side_has() -> None:
    actual = a_bill(
        a_line(period="2026-02-01/2026-02-27"),
        a_line(product_key="key:water", amount="500.00", vat="Exclusive 0.21"),
    )
    told = shown(bill_diff(BILL, actual))

    assert [
        "* key:rent accounting period 2026-02-01/2026-02-28 2026-02-01/2026-02-27",
        "key:rent 1 × 8500.00 = 8500.00 Exempt 1 × 8500.00 = 8500.00 Exempt",
        "- key:heating 2026-02-01/2026-02-28 1 × 500.00 = 500.00 Exclusive 25 %",
        "+ key:water 2026-02-01/2026-02-28 1 × 500.00 = 500.00 Exclusive 21 %",
        "VAT Exempt 0.00 0.00",
        "- VAT Exclusive 25 % 125.00",
        "+ VAT Exclusive 21 % 105.00",
    ] == told[4:11]


def test_an_inclusive_line_shows_its_price_without_vat() -> None:
    inclusive = a_bill(a_line(amount="1250.00", vat="Inclusive 0.25"))

    assert "1 × 1250.00 (net 1000.00) = 1000.00 Inclusive 25 %" in bill_diff(BILL, inclusive)


def test_cash_rounding_is_compared_where_both_state_it() -> None:
    """A service that states none differs in nothing (A52)."""
    rounded = a_bill(cash_rounding="0.25")

    assert "" == bill_diff(rounded, a_bill())
    assert "* cash rounding 0.25 0.50" in shown(bill_diff(rounded, a_bill(cash_rounding="0.50")))


def test_the_order_of_lines_is_no_difference() -> None:
    assert "" == bill_diff(BILL, a_bill(HEATING, a_line()))


def test_the_cause_is_told_where_it_can_be_proven() -> None:
    """Three lines of 3.33 at 25 % make 2.50 of VAT when their sum is rounded, 2.49 line by line."""
    items = [
        an_item(product_key=f"key:{name}", amount="3.33") for name in ("water", "heating", "power")
    ]
    days = "2026-02-01/2026-02-28"
    expected = pending_bills(items, days)
    actual = pending_bills(items, days, policy=BillingPolicy(vat_rounding="per_line"))

    assert "per line" in bill_diff(expected, actual).replace("per_line", "per line")


def test_lines_alone_are_shown_beside_each_other() -> None:
    lines = [a_line(quantity=2)]
    told = shown(line_table(lines, [a_line(quantity=3), HEATING], ("left", "right")))

    assert "" == line_table([], [])
    assert "" == line_table(lines, lines)
    assert "left right" == told[2]
    assert "quantity of key:rent 2026-02-01/2026-02-28: left 2, right 3" == told[6]


def test_a_golden_file_is_written_only_when_one_asks(tmp_path: Path) -> None:
    file = tmp_path / "golden" / "lease.json"
    with pytest.raises(AssertionError, match=r"no golden file .*run pytest --update-golden"):
        assert_matches_golden(BILL, file)

    assert not file.exists()
    assert_matches_golden(BILL, file, update=True)
    assert_matches_golden(BILL, file)
    assert_matches_golden([BILL], str(file))


def test_a_golden_file_has_one_line_item_on_a_line(tmp_path: Path) -> None:
    file = tmp_path / "bill.json"
    assert_matches_golden(a_bill(), file, update=True)
    text = file.read_text(encoding="utf-8")

    assert (
        """\
{
  "bills": [
    {
      "dueDate": "2026-02-01",
      "pendingBillLineItems": [
        {"productKey": "key:rent","""
        in text
    )
    assert '      "total": {"currency": "DKK", "amount": 8500.00},\n' in text
    assert [a_bill()] == list(loads(text, BillingResult))
    assert [a_bill()] == [loads(dumps(bill), PendingBill) for bill in loads(text, BillingResult)]


def test_another_bill_is_shown_and_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "bill.json"
    assert_matches_golden(a_bill(), file, update=True)
    before = file.read_text(encoding="utf-8")
    other = a_bill(a_line(), total="8500.01")
    with pytest.raises(AssertionError, match=r"not those of .*: 1 difference") as caught:
        assert_matches_golden(other, file)

    assert str(caught.value).endswith(
        "run pytest --update-golden, or pass update=True, to write the file anew."
    )
    assert before == file.read_text(encoding="utf-8")
    assert_matches_golden(other, file, update=True)
    assert_matches_golden(other, file)


def test_a_golden_file_that_matches_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "bill.json"
    file.write_text(dumps(a_bill()), encoding="utf-8")
    assert_matches_golden(a_bill(), file, update=True)

    assert dumps(a_bill()) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("damaged", [b"{", b"\xff", b'{"bills": [{}]}', b'"rent"'])
def test_a_damaged_golden_file_is_named_and_can_be_written_anew(
    tmp_path: Path, damaged: bytes
) -> None:
    file = tmp_path / "bill.json"
    file.write_bytes(damaged)
    with pytest.raises(
        AssertionError, match=r"golden file .*/bill.json cannot be read; run pytest"
    ):
        assert_matches_golden(a_bill(), file)
    assert_matches_golden(a_bill(), file, update=True)
    assert_matches_golden(a_bill(), file)


def test_a_golden_file_of_no_bills(tmp_path: Path) -> None:
    file = tmp_path / "none.json"
    assert_matches_golden([], file, update=True)

    assert '{\n  "bills": []\n}\n' == file.read_text(encoding="utf-8")


def test_a_golden_file_keeps_the_policy_of_a_result(tmp_path: Path) -> None:
    """Half-open periods are written and read half-open, as the result's policy says (A4)."""
    file = tmp_path / "half_open.json"
    result = pending_bills(
        a_rent(), "2026-02-01/2026-03-01", policy=BillingPolicy(period_end="excluded")
    )
    assert_matches_golden(result, file, update=True)
    assert_matches_golden(result, file)

    assert '"2026-02-01/2026-03-01"' in file.read_text(encoding="utf-8")


def test_outside_of_pytest_a_path_begins_at_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rentbilling.testing.assertions.running_test", lambda: None)
    monkeypatch.chdir(tmp_path)
    assert_matches_golden(a_bill(), "golden.json", update=True)

    assert (tmp_path / "golden.json").exists()
    assert_matches_golden(a_bill(), "golden.json")
