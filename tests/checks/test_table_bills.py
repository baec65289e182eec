"""Bills as tables: rows become bills to check and compare; what is written reads back equal."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from rentbilling import BillingPolicy, check_bill, compare_bills, pending_bills
from rentbilling.checks import BillTable
from rentbilling.checks.tables import table_bills
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


QUARTER = {"tax_rate": "0.25", "bill_vat": "32.00"}


@rows(
    ("cells", "vat"),
    [
        # VAT of the bill belongs to its one rate or group; of several it is computed.
        ([{"tax_rate": "0.25", "bill_vat": "25.01"}], ["25.01"]),
        ([{"tax_rate": "0.25"}], ["25.00"]),
        ([{"bill_vat": "3.00"}], ["3.00"]),
        # 100.02 with 25 % inside: 100.02 × 0.2 = 20.004 and 80.02, of which 25 % are 20.005.
        (
            [
                {"tax_mode": "Inclusive", "amount": "100.02", "net_price": "80.02", **QUARTER},
                {"tax_rate": "0.12", "bill_vat": "32.00"},
            ],
            ["20.00", "12.00"],
        ),
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


_BOTH = "tax_sum", "total"
RATED = {"tax_rate": "0.25", "bill_vat": "138.80", "bill_total": "694.00"}


@rows(
    ("cells", "found"),
    [
        # 433.30 and 121.90 at 25 %: 108.33 + 30.48 = 138.81 by the line, 138.80 for the rate.
        (({"vat": "108.33"}, {"vat": "30.48"}), []),
        # 118.33 is no rounding of 108.325; 138.80 and 694.00 stay the bill's.
        (({"vat": "118.33"}, {"vat": "30.48"}), ["vat_amount", "tax_sum"]),
        # 108.34 is a cent above what rounding the line gives.
        (({"vat": "108.34"}, {"vat": "30.48"}), ["vat_amount", "tax_sum"]),
        # 555.20 + 99.00 = 654.20, and not 694.00.
        (
            ({"vat": "108.33", "bill_vat": "99"}, {"vat": "30.48", "bill_vat": "99"}),
            ["vat_amount", "total"],
        ),
        # Of two rates: 108.33 + 8.53 = 116.86, and not 138.80.
        (({"bill_total": None}, {"tax_rate": "0.07", "bill_total": None}), ["tax_sum"]),
        # Each rounded by itself in the lines, once for two lines of a rate in the bill.
        (
            (
                {"vat": "108.33", "bill_vat": "147.33", "bill_total": "824.43"},
                {"vat": "30.48", "bill_vat": "147.33", "bill_total": "824.43"},
                {"vat": "8.53", "bill_vat": "147.33", "bill_total": "824.43", "tax_rate": "0.07"},
            ),
            [],
        ),
        # The total is right by the rates, 555.20 + 116.86 = 672.06, and not by the VAT stated.
        (({"bill_total": "672.06"}, {"tax_rate": "0.07", "bill_total": "672.06"}), [*_BOTH]),
    ],
)
def test_vat_that_lines_and_bill_state(cells: list[dict[str, str]], found: list[str]) -> None:
    rows = [
        {**PLAIN, **RATED, "net_price": net, "item_id": net, **each}
        for net, each in zip(("433.30", "121.90", "121.90"), cells, strict=False)
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
        (
            [dict([*PLAIN.items(), ("discout", 5), ("share", "1/2"), (None, 1)])],
            "column discout: is",
        ),
        ([{**PLAIN, "currency": "PTS"}], r"rows\[0\].currency: is not an ISO 4217"),
        ([{**PLAIN, "lease_id": [1]}], r"rows\[0\].lease_id: is not a text"),
        # 17 digits, of which those of the currency are not certain.
        ([{**PLAIN, "net_price": 100.12345678901234}], r"rows\[0\].net_price: has 17 signif"),
        ([{**PLAIN, "net_price": "-"}] * 1001, r"rows\[99\].net_price: is not a number"),
    ],
)
def test_rows_that_are_refused(rows: Sequence[Any], said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        BillTable().bills(rows)


@rows(
    ("text", "said"),
    [
        ("", "due_date: is required, and no column"),
        ("a,b\r\n", "no column with the name of a field .met .a, b"),
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


BROKEN = """Nr;Forfald;Netto;Moms;Sats;Fra;Til;I alt
17;01-02-2026;8.000,00;2.000,00;25 %;01-02-2026;28-02-2026;10.000,01
18;01-02-2026;8.000,00;2.000,00;25 %;01-02-2026;28-02-2026;10.000,00
18;01-02-2026;5x0,00;;;01-02-2026;28-02-2026;10.000,00
19;soon;8.000,00;2.000,00;25 %;01-02-2026;28-02-2026;10.000,00
20;01-02-2026;8.000,00;2.000,00;25 %;01-02-2026;28-02-2026;10.000,00
"""


def test_unreadable_rows_leave_the_other_bills() -> None:
    """18 has a line that cannot be read, so the bill as a whole cannot; 17 is a cent too high."""
    found = VENDOR.read_csv(BROKEN)

    assert [(bill["number"], codes(bill)) for bill in found.bills] == [
        ("17", ["total"]),
        ("20", []),
    ]
    assert [(each.number, [p.path for p in each.problems]) for each in found.unreadable] == [
        ("18", ["line 4.Netto"]),
        ("19", ["line 5.Forfald"]),
    ]
    (finding,) = found.unreadable[0].findings().errors
    assert (finding.path, finding.rule) == ("line 4.Netto", "A106")


@pytest.mark.parametrize(
    ("rows", "readable"),
    [
        # The second row may be of the first bill, and not of the third, which is of another lease.
        (
            [PLAIN, {**PLAIN, "due_date": "x"}, {**PLAIN, "lease_id": 8}, {**PLAIN, "lease_id": 9}],
            "89",
        ),
        # It is of no lease, and of no bill with a number.
        ([PLAIN, {**PLAIN, "due_date": None, "lease_id": None}, {**PLAIN, "number": 5}], "75"),
        # Rows of a bill do not follow each other: it may be of any bill of its lease.
        (
            [
                *({**PLAIN, "lease_id": each} for each in (7, 8, 7, 9)),
                {**PLAIN, "lease_id": 8, "due_date": "x"},
            ],
            "79",
        ),
    ],
)
def test_rows_of_an_unknown_bill_make_those_around_them_unreadable(
    rows: list[dict[str, Any]], readable: str
) -> None:
    """A117: a bill is never checked without one of its rows."""
    found = BillTable().read(rows)

    assert [bill.get("number") or bill["leaseId"] for bill in found.bills] == [*readable]
    assert {p.code for each in found.unreadable for p in each.problems} <= {
        *("may_be_incomplete", "not_a_date", "missing")
    }


KUWAIT = {"currency": "KWD", "net_price": "1.400"}


@rows(
    ("fields", "form", "found"),
    [
        # Three decimals, where kroner have two: 1,400 or 1.40.
        ([{"net_price": "1.400"}], {}, "ambiguous_number"),
        ([{"net_price": "-1,400"}, {"net_price": "850"}], {"decimal": ","}, "ambiguous_number"),
        # A mark between thousands, another amount, more digits or the currency decide.
        ([{"net_price": "1.400"}], {"thousands": ","}, "1.400"),
        ([{"net_price": "1.400"}], {"thousands": ".", "decimal": ","}, "1400"),
        ([{"net_price": "1.400", "bill_total": "1.40"}], {}, "1.400"),
        ([{"net_price": "8500.125"}], {}, "8500.125"),
        ([{"net_price": "0.400"}], {}, "0.400"),
        ([KUWAIT], {}, "1.400"),
        # Not 100.00 twice: the second row has the totals, or is a line of the bill above.
        ([{"number": "17"}, {"number": "Total"}], {}, "total_row"),
        ([{"number": "17"}, {"lease_id": "I alt:"}], {}, "total_row"),
        ([{"number": "17"}, {}], {}, "missing"),
        ([{"description": "Rent"}, {"description": "Total"}], {}, "total_row"),
        ([{"description": "2 suites"}], {}, "100.00"),
        ([{}, {}], {}, "100.00"),
    ],
)
def test_thousands_and_totals_are_never_guessed(
    fields: list[dict[str, str]], form: dict[str, Any], found: str
) -> None:
    plain = {name: cell for name, cell in PLAIN.items() if name != "lease_id"}
    given = [{**plain, "net_price": "100.00", **each} for each in fields]
    found_in = BillTable({name: name for each in given for name in each}, **form).read(given)

    said = [problem.code for each in found_in.unreadable for problem in each.problems]
    nets = [str(bill["pendingBillLineItems"][0]["netPrice"]["amount"]) for bill in found_in.bills]
    assert found in (said or nets)


def test_amounts_may_have_the_sign_of_their_currency() -> None:
    table = BillTable.from_toml('[format]\ncurrency_sign = "$"\n')
    (bill,) = table.bills([{**PLAIN, "net_price": "$9.50"}])

    assert Decimal("9.50") == bill["total"]["amount"]


def test_a_line_with_other_fields_may_be_of_the_bills_around_it() -> None:
    lines = BROKEN.splitlines()
    found = VENDOR.read_csv("\n".join([*lines[:3], "18;1,5", lines[5]]))

    assert [bill["number"] for bill in found.bills] == ["17"]
    assert [[p.code for p in each.problems] for each in found.unreadable] == [
        *(["wrong_fields"], ["may_be_incomplete"], ["may_be_incomplete"])
    ]
    # A text may have any break that is no line break of CSV.
    (bill,) = VENDOR.read_csv("\n".join([lines[0], lines[1].replace("17", "1\u20287")])).bills
    assert bill["number"] == "1\u20287"


def test_binary_numbers_of_a_spreadsheet() -> None:
    """A116: 0.1 + 0.2 is 0.30000000000000004, which a spreadsheet shows as 0.3."""
    (bill,) = BillTable().bills([{**PLAIN, "net_price": 0.1 + 0.2, "quantity": 1.0}])
    assert bill["subtotal"]["amount"] == Decimal("0.3")
    policy = BillingPolicy(currencies={"PTS": 1})
    points = {**PLAIN, "currency": "PTS", "net_price": 0.1 + 0.2, "tax_rate": "0.25"}
    (bill,) = BillTable(constants={"currency": "PTS"}).bills([points], policy=policy)
    # 0.3 × 25 % = 0.075, so 0.1.
    assert bill["vatTotals"][0]["amount"]["amount"] == Decimal("0.1")
    assert check_bill(bill, policy=policy).is_consistent


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_are_tables(library: str) -> None:
    loaded = pytest.importorskip(library, reason=f"{library} is not installed")
    rows = [PLAIN, {**PLAIN, "lease_id": 8, "net_price": "0.30"}]
    made = loaded.Table.from_pylist if library == "pyarrow" else loaded.DataFrame

    assert BillTable().bills(made(rows)) == BillTable().bills(rows)


def test_a_table_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_bills, "_MOST_ROWS", 3)
    assert len(BillTable().bills([PLAIN] * 3)) == 1
    with pytest.raises(UnsupportedCaseError, match="over 3 rows"):
        BillTable().bills([PLAIN] * 4)
    with pytest.raises(UnsupportedCaseError, match="over 3 rows"):
        BillTable().bills_of_csv(f"{NAMES}\n" + f"{','.join('1' * len(PLAIN))}\n" * 4)


@given(billing_runs())
def test_what_is_written_as_csv_reads_back_equal_and_right(run: BillingRun) -> None:
    """A106: of several rates too, with prices that have VAT inside, and under every policy."""
    result = pending_bills(run.terms, run.period, policy=run.policy, indices=run.indices)
    if len(result):
        read = BillTable().bills_of_csv(csv_of(result, full=True), policy=run.policy)
        assert compare_bills(result, read).is_equal
        assert check_bill(read, policy=run.policy).is_consistent
        lines = [line for bill in read for line in bill["pendingBillLineItems"]]
        said = [line.description for bill in result for line in bill.lines]
        assert said == [line.get("description") for line in lines]


CASH = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})


@rows(
    ("policy", "cells", "found"),
    [
        # 100.10 is payable as 100.00, whether a row says so or not, and not as 100.10.
        (CASH, {}, ""),
        (CASH, {"bill_payable": "100.00"}, ""),
        (CASH, {"bill_payable": "100.10"}, "cash_rounding"),
        # Without a step it is payable as it is.
        (BillingPolicy(), {"bill_payable": "100.00"}, "payable"),
    ],
)
def test_what_is_payable_in_cash(policy: BillingPolicy, cells: dict[str, str], found: str) -> None:
    (bill,) = BillTable().bills([{**PLAIN, "net_price": "100.10", **cells}], policy=policy)

    assert found.split() == [each.code for each in check_bill(bill, policy=policy)]


@rows(
    ("cells", "found"),
    [
        # 100 at 25 % and 100.02 with 12 % inside: 25.00 + 10.72 = 35.72, and 89.30 without it.
        ({}, ""),
        ({"bill_vat": "35.71"}, "tax_sum"),
        # 189.30 + 35.72 = 225.02.
        ({"bill_vat": "35.72", "bill_total": "225.01"}, "total"),
        # 25.01 + 10.72 = 35.73 by the lines; the sum that the bill states is right.
        ({"vat": "25.01"}, "vat_amount"),
    ],
)
def test_a_wrong_vat_of_a_bill_of_several_rates_differs(cells: dict[str, str], found: str) -> None:
    right = {"bill_vat": "35.72", "bill_total": "225.02", "vat": "25.00", "tax_rate": "0.25"}
    inside = {"tax_mode": "Inclusive", "tax_rate": "0.12", "vat": "10.72"}
    of_bill = {name: value for name, value in cells.items() if name != "vat"}
    lines: list[dict[str, Any]] = [
        {**PLAIN, **right, "item_id": "a", **cells},
        {**PLAIN, **right, **inside, "item_id": "b", "amount": "100.02", "net_price": "89.30"},
    ]
    expected = BillTable().bills([{**lines[0], **right}, lines[1]])
    actual = BillTable().bills([lines[0], {**lines[1], **of_bill}])

    assert found.split() == [each.code for each in compare_bills(expected, actual, diagnose=True)]


def test_the_bills_of_a_year_read_back_equal() -> None:
    bills = pending_bills(a_lease(a_rent(vat="Exclusive 0.25"), lease_id="a"), "2026")

    read = BillTable().bills_of_csv(csv_of(bills, full=True))

    assert {bill["leaseId"] for bill in read} == {"a"}
    assert compare_bills(bills, read, policy=BillingPolicy()).is_equal


# 4,250.00 and 615.35 at 19 % are 807.50 and 116.92 (116.9165): 924.42 together.
@rows(
    ("cells", "said"),
    [
        ([("4250,00", "924,42"), ("615,35", "924,42")], "924.42 on each of 2 rows"),
        # Cut by the vendor, as his total is: 4,865.35 + 924.41.
        ([("4250,00", "924,41", "5789,76"), ("615,35", "924,41", "5789,76")], "924.41 on each"),
        ([("4250,00", "807,50"), ("615,35", "116,92")], ""),
        ([("4250,00", "807,50"), ("4250,00", "807,50")], ""),
        # Wrong, and of no whole bill.
        ([("4250,00", "1,00"), ("615,35", "1,00")], ""),
        ([("4250,00", "0,00"), ("615,35", "0,00")], ""),
        ([("4250,00", "807,50")], ""),
    ],
)
def test_the_vat_of_a_bill_on_each_row_is_refused(cells: list[tuple[str, ...]], said: str) -> None:
    given = [("7", net, vat, "19 %", *(total or [""])) for net, vat, *total in cells]
    if not said:
        assert "7" == vendor(*given)[0]["number"]
        return
    with pytest.raises(InvalidInputError, match=f"line 2.vat: is the VAT of the whole.*{said}"):
        vendor(*given)


@rows(
    ("text", "said"),
    [
        ("Nr,Forfald\n", "the delimiter seems to be ','"),
        ("Nr\tForfald\n", "the delimiter seems to be"),
        ("Nr|Forfald\n", "the delimiter seems to be '|'"),
        ("Nr\n", "column Forfald: is no column"),
        ("a,b;c\n", "column Forfald: is no column"),
    ],
)
def test_another_delimiter_is_named_once(text: str, said: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        VENDOR.bills_of_csv(text)

    assert said in str(caught.value)
    assert ("seems" in said) == (len(caught.value.problems) == 1)
