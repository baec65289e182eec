"""Bills as tables: rows become bills to check and compare; what is written reads back equal."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from rentbilling import BillingPolicy, check_bill, compare_bills, pending_bills
from rentbilling.checks import BillTable, bill_tables
from rentbilling.codec import csv_of
from rentbilling.errors import InvalidInputError, UnsupportedCaseError
from rentbilling.testing import a_lease, a_rent
from rentbilling.testing.strategies import BillingRun, billing_runs
from tests.support.rows import rows

VENDOR = BillTable(
    {
        "number": "Nr",
        "due_date": "Forfald",
        "net_price": "Netto",
        "vat": "Moms",
        "tax_rate": "Sats",
        "period_start": "Fra",
        "period_end": "Til",
        "bill_total": "I alt",
    },
    {"currency": "DKK", "product_key": "key:rent"},
    date="DD-MM-YYYY",
    decimal=",",
    thousands=".",
    delimiter=";",
)
HEAD = "Nr;Forfald;Netto;Moms;Sats;Fra;Til;I alt\r\n"
ROW = "{};01-02-2026;{};{};{};01-02-2026;28-02-2026;{}\r\n"


def vendor(*rows: tuple[object, ...]) -> list[dict[str, Any]]:
    return VENDOR.bills_of_csv(HEAD + "".join(ROW.format(*row) for row in rows))


def codes(bill: dict[str, Any]) -> list[str]:
    return [finding.code for finding in check_bill(bill) if finding.severity == "error"]


def test_lines_of_a_number_are_a_bill() -> None:
    """8,000 and 25 % are 2,000; 500 exempt: 8,500 + 2,000 = 10,500."""
    both = ("17", "8.000,00", "2.000,00", "25 %", "10.500,00"), ("17", 500, 0, "", "10.500,00")
    first, second = vendor(*both, ("18", "500,00", "0,00", "", "500,01"))

    assert (first["dueDate"], len(first["pendingBillLineItems"])) == ("2026-02-01", 2)
    assert first["vatTotals"][0]["vat"] == {"taxMode": "Exclusive", "taxRate": Decimal("0.25")}
    assert first["total"] == {"amount": Decimal("10500.00"), "currency": "DKK"}
    assert codes(first) == []
    # 500 is not 500.01.
    assert codes(second) == ["total"]


@rows(
    ("cells", "vat"),
    [
        # VAT of the bill belongs to its one rate or group; of several it is computed.
        ([{"tax_rate": "0.25", "bill_vat": "25.01"}], ["25.01"]),
        ([{"tax_rate": "0.25"}], ["25.00"]),
        ([{"bill_vat": "3.00"}], ["3.00"]),
        (
            [{"tax_rate": "0.25", "bill_vat": "37"}, {"tax_rate": "0.12", "bill_vat": "37"}],
            ["25.00", "12.00"],
        ),
    ],
)
def test_vat_that_lines_do_not_state(cells: list[dict[str, str]], vat: list[str]) -> None:
    row = {"due_date": "2026-02-01", "currency": "DKK", "net_price": "100"}
    row |= {"period_start": "2026-02-01", "period_end": "2026-02-28"}
    (bill,) = BillTable().bills([{**row, **each} for each in cells])

    assert [str(each["amount"]["amount"]) for each in bill["vatTotals"]] == vat


PLAIN = {
    "due_date": "2026-02-01",
    "currency": "DKK",
    "net_price": "100",
    "lease_id": 7,
    "period_start": "2026-02-01",
    "period_end": "2026-02-28",
}


RATED = {"tax_rate": "0.25", "bill_vat": "138.80", "bill_total": "694.00"}


@rows(
    ("cells", "found"),
    [
        # 433.30 and 121.90 at 25 %: 108.33 + 30.48 = 138.81 by the line, 138.80 for the rate.
        (({"vat": "108.33"}, {"vat": "30.48"}), []),
        # 118.33 is no rounding of 108.325; 138.80 and 694.00 stay the bill's.
        (({"vat": "118.33"}, {"vat": "30.48"}), ["vat_amount", "total"]),
        # 555.20 + 99.00 = 654.20, and not 694.00.
        (
            ({"vat": "108.33", "bill_vat": "99"}, {"vat": "30.48", "bill_vat": "99"}),
            ["vat_amount", "total"],
        ),
        # Of two rates: 108.33 + 8.53 = 116.86, and not 138.80.
        (({"bill_total": None}, {"tax_rate": "0.07", "bill_total": None}), ["total"]),
    ],
)
def test_vat_that_lines_and_bill_state(cells: list[dict[str, str]], found: list[str]) -> None:
    rows = [
        {**PLAIN, **RATED, "net_price": net, "item_id": net, **each}
        for net, each in zip(("433.30", "121.90"), cells, strict=True)
    ]
    (bill,) = BillTable().bills(rows)

    assert codes(bill) == found


NAMES = ",".join(PLAIN)


def test_prices_of_units_and_what_is_payable() -> None:
    more = {"quantity": 2, "amount": "50", "bill_payable": "100.50", "description": None}
    (bill,) = BillTable().bills([{**PLAIN, **more}])

    (line,) = bill["pendingBillLineItems"]
    assert (bill["leaseId"], line["unitNetPrice"]["amount"], line["quantity"]) == ("7", 50, 2)
    assert bill["payable"]["amount"] == Decimal("100.50")
    inside = {"tax_mode": "Inclusive", "tax_rate": "0.25", "amount": "125", "vat": "25"}
    (gross,) = BillTable().bills([{**PLAIN, **inside}])
    assert codes(gross) == []


@rows(
    ("rows", "said"),
    [
        ([{**PLAIN, "net_price": "1,5"}], r"rows\[0\].net_price: is not a number"),
        ([{**PLAIN, "due_date": "soon"}] * 200, r"rows\[0\].due_date"),
        ([{**PLAIN, "net_price": None}], r"rows\[0\].net_price: is required"),
        ([{"due_date": "2026-02-01"}], "currency: is required, and no column"),
        ([{**PLAIN, "quantity": 2}], r"rows\[0\].amount: is required"),
        ([{**PLAIN, "quantity": 2, "tax_mode": "Inclusive", "amount": 1}], "unit_net_price"),
        ([{**PLAIN, "bill_total": 1}, {**PLAIN, "bill_total": 2}], "differs within a bill"),
        ([{**PLAIN, "number": 1}, {**PLAIN, "number": 1, "currency": "EUR"}], "0].currency: diff"),
        ([{**PLAIN, "number": 1}, {**PLAIN, "number": 1, "lease_id": 8}], "lease_id: differs"),
        (
            [{**PLAIN, "number": 1}, {**PLAIN, "number": 1, "due_date": "2026-03-01"}],
            "0].due_date: diff",
        ),
        ([3], r"rows\[0\]: is no row"),
    ],
)
def test_rows_that_are_refused(rows: Iterable[Any], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        BillTable().bills(rows)


@rows(
    ("text", "said"),
    [
        ("", "due_date: is required, and no column"),
        ("a,b\r\n", "due_date: is required, and no column"),
        ("a,a\r\n", "line 1: has a header twice"),
        (f"{NAMES}\r\n1\r\n", "line 2: has another number of fields"),
        (f'{NAMES}\r\n"1,2\r\n', "cannot be read"),
    ],
)
def test_csv_that_is_refused(text: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        BillTable().bills_of_csv(text)


@rows(
    ("toml", "said"),
    [
        ("x =", "is not TOML"),
        ("bill = 3", "bill: is not a table"),
        ("[other]", "other: is not a table"),
        ("[format]\nmonth = 3", "format.month: is not a field"),
        ('[format]\ndecimal = "5"', "decimal: is no decimal point"),
        ('[format]\ndelimiter = ";;"', "delimiter: is no delimiter"),
        ('[bill]\nrent = "Rent"', "rent: is not a field"),
        ('[bill]\nnet_price = "Net"', "due_date: is required"),
    ],
)
def test_mappings_that_are_refused(toml: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        BillTable.from_toml(toml.encode())


def test_a_mapping_of_constants() -> None:
    table = BillTable.from_toml('[constants]\nquantity = "x"\n[bill]\n')
    with pytest.raises(InvalidInputError, match=r"constants\.quantity"):
        table.bills([PLAIN])
    assert BillTable().bills([]) == BillTable().bills_of_csv(NAMES) == []
    with pytest.raises(InvalidInputError, match="column Nr: is no column of the table"):
        VENDOR.bills([PLAIN])


def test_a_table_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bill_tables, "_MOST_ROWS", 3)
    assert len(BillTable().bills([PLAIN] * 3)) == 1
    with pytest.raises(UnsupportedCaseError, match="over 3 rows"):
        BillTable().bills([PLAIN] * 4)


@given(billing_runs())
def test_what_is_written_as_csv_reads_back_equal(run: BillingRun) -> None:
    """A106: bills of one lease; two of one day and currency are one in CSV, as on the bill."""
    result = pending_bills(run.terms, run.period, policy=run.policy, indices=run.indices)
    if run.policy.vat_rounding == "per_rate" and len(result):
        read = BillTable().bills_of_csv(csv_of(result, full=True))
        stated = [bill for bill in read if len({str(v["vat"]) for v in bill["vatTotals"]}) < 2]
        same = [bill for bill, data in zip(result, read, strict=True) if data in stated]
        assert compare_bills(same, stated, policy=run.policy).is_equal


def test_the_bills_of_a_year_read_back_equal() -> None:
    bills = pending_bills(a_lease(a_rent(vat="Exclusive 0.25"), lease_id="a"), "2026")

    read = BillTable().bills_of_csv(csv_of(bills, full=True))

    assert {bill["leaseId"] for bill in read} == {"a"}
    assert compare_bills(bills, read, policy=BillingPolicy()).is_equal
