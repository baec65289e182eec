"""Mappings of flat tables: every field has a column, a constant or a documented default."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from rentbilling import Amount, BillingPolicy, Discount, LeaseTerms, Vat
from rentbilling.errors import InvalidInputError, InvalidRecordError
from rentbilling.portfolio import TableMapping, bill_portfolio
from tests.support.rows import rows

LEASE = {"id": "Lease"}
ITEM = {"amount": "Rent", "moved_in": "From"}
CONSTANTS = {"currency": "DKK"}
ROW = {"Lease": "a", "Rent": 8500, "From": "2026-01-15"}
MARCH = "2026-03-01/2026-03-31"
PRICE = "amount_records[0].value.amount"
PRICE_FROM = "amount_records[0].start"


def one(item: dict[str, str], row: dict[str, Any], **constants: Any) -> LeaseTerms:  # noqa: ANN401
    """Return the lease of a row."""
    mapping = TableMapping(LEASE, {**ITEM, **item}, {**CONSTANTS, **constants})
    (lease,) = mapping.leases([{**ROW, **row}])
    return lease


def test_defaults_are_a_monthly_rent_without_vat() -> None:
    """8500 × 17/31 = 4661.290… for 15 to 31 January (A14, A20)."""
    (item,) = one({}, {}).recurring_bill_items
    opening = item.first_billing_period_bill_item

    assert ("key:rent", Amount(8500, "DKK"), Vat("Exempt"), "2026-01-15") == (
        *(item.product_key, item.amount, item.vat, str(item.started_on)),
    )
    assert ("Month", 1, 1, 1) == (
        *(item.billing_cycle.time_unit, item.billing_cycle.period_length),
        *(item.billing_cycle.start, item.due_date_rule.day_of_period),
    )
    assert (Amount("4661.29", "DKK"), "2026-01-15", "2026-01-15/2026-01-31") == (
        *(opening.amount, str(opening.due_date), str(opening.accounting_period)),
    )


def test_a_constant_takes_the_place_of_a_default() -> None:
    """A quarter from 15 January, 76 of its 90 days by months: 8500 × (17/31 + 2)/3 = 7220.43."""
    constants = {
        "product_key": "key:office",
        "tax_mode": "Exclusive",
        "tax_rate": "25%",
        "due_day": -1,
        "billing_cycle.period_length": 3,
    }
    (item,) = one({}, {}, **constants).recurring_bill_items

    assert ("key:office", Vat("Exclusive", "0.25"), -1) == (
        *(item.product_key, item.vat, item.due_date_rule.day_of_period),
    )
    assert Amount("7220.43", "DKK") == item.first_billing_period_bill_item.amount


def test_the_opening_period_has_quantity_and_discount() -> None:
    """8500 less 10 % is 7650, × 17/31 = 4195.16 a unit; two units are 8390.32 (A14, A21, A24)."""
    item = {"discount.percentage": "Off", "quantity": "Units"}
    (found,) = one(item, {"Off": "10%", "Units": 2}).recurring_bill_items

    assert Discount(percentage=Decimal("0.1")) == found.discount
    assert Amount("4195.16", "DKK") == found.first_billing_period_bill_item.amount


@rows(
    "more, cells, price, total",
    [
        ({}, {"End": "2026-01-18"}, "1096.77", "1096.77"),
        ({"quantity": "Units"}, {"End": "2026-01-18", "Units": 2}, "1096.774", "2193.55"),
        ({}, {"End": "2026-02-18"}, "4661.29", "4661.29"),
    ],
)
def test_the_opening_period_ends_with_its_item(
    more: dict[str, str], cells: dict[str, Any], price: str, total: str
) -> None:
    """8500 × 4/31 = 1096.774…, for two units 2193.55; as columns and one by one (A14, A21)."""
    more = {**more, "ended_on": "End"}
    (item,) = one(more, cells).recurring_bill_items
    leases = TableMapping(LEASE, {**ITEM, **more}, CONSTANTS).leases([{**ROW, **cells}])
    run = bill_portfolio(leases, "2026-01")

    assert Amount(price, "DKK") == item.first_billing_period_bill_item.amount
    assert Decimal(total) == run.to_pandas()["total"].sum()
    assert (0, 0) == (run.summary.scalar_leases, run.summary.notices)


@rows(
    "start, months, later, total",
    [
        # 9,300 from 25 January: (10 × 8,500 + 7 × 9,300) / 31.
        ("2026-01-25", 1, 9300, "4841.94"),
        ("2026-02-01", 1, 9300, "4661.29"),
        ("2025-02-01", 1, 9300, "5100.00"),
        # Of a quarter: 8,500 × 17/31/3 and 9,300 × 2/3.
        ("2026-02-01", 3, 9300, "7753.76"),
        ("", 1, "", "4661.29"),
    ],
)
def test_a_later_price_counts_in_the_opening_period(
    start: str, months: int, later: object, total: str
) -> None:
    """From its day on (A14, A19); as columns and one by one."""
    mapping = TableMapping(
        LEASE,
        {**ITEM, PRICE: "Later", PRICE_FROM: "Later from"},
        {**CONSTANTS, "billing_cycle.period_length": months},
    )
    leases = mapping.leases([{**ROW, "Later": later, "Later from": start}])
    run = bill_portfolio(leases, "2026-01")
    (lease,) = leases

    assert Decimal(total) == run.to_pandas()["total"].sum()
    assert 0 == run.summary.scalar_leases
    assert (
        Amount(total, "DKK") == lease.recurring_bill_items[0].first_billing_period_bill_item.amount
    )


@rows("days, end", [(["2026-01-20", "2026-01-18"], 18), (["2026-01-18", "2026-01-20"], 18)])
def test_the_opening_period_ends_with_its_contract_if_that_is_first(
    days: list[str], end: int
) -> None:
    mapping = TableMapping(
        {**LEASE, "contract_end": "Contract"}, {**ITEM, "ended_on": "End"}, CONSTANTS
    )
    cells = dict(zip(("Contract", "End"), days, strict=True))
    leases = mapping.leases([{**ROW, **cells}])
    (lease,), run = [*leases], bill_portfolio(leases, "2026-01")
    period = lease.recurring_bill_items[0].first_billing_period_bill_item.accounting_period

    assert date(2026, 1, end) == period.end
    assert Decimal("1096.77") == run.to_pandas()["total"].sum()


def test_a_table_may_have_several_discounts() -> None:
    """A place without a value is none; half of the 17 days of 8,500 are 2,330.65 (A14, A61)."""
    item = {
        "discounts[0].percentage": "Off",
        "discounts[0].start_date": "Off from",
        "discounts[1].amount.amount": "Less",
    }
    found = one(item, {"Off": "50%", "Off from": "2026-01-15", "Less": ""}).recurring_bill_items[0]

    assert (Discount(percentage=Decimal("0.5"), start_date="2026-01-15"),) == found.discounts
    assert Amount("2330.65", "DKK") == found.first_billing_period_bill_item.amount


def test_the_opening_period_follows_the_policy_of_the_run() -> None:
    """A started month costs a whole one."""
    leases = TableMapping(LEASE, ITEM, CONSTANTS).leases([ROW])
    run = bill_portfolio(leases, "2026-01", policy=BillingPolicy(part_period="full"))

    assert [Decimal(8500)] == run.to_table().column("total").to_pylist()


def test_one_column_fills_several_fields() -> None:
    given = TableMapping(
        {"id": "Lease", "currency": "Valuta"}, {**ITEM, "currency": "Valuta"}
    ).leases([{**ROW, "Valuta": "EUR"}])
    (lease,) = given

    assert ("EUR", "EUR") == (lease.currency, lease.recurring_bill_items[0].amount.currency)


@pytest.mark.parametrize(
    "constants", [{}, {"amount_records[0].value.currency": "DKK"}], ids=["none", "own"]
)
def test_an_optional_part_is_there_where_a_column_says_so(constants: dict[str, str]) -> None:
    """A constant inside a later price makes none in a row without one."""
    item = {PRICE: "Later", PRICE_FROM: "Later from"}
    without = one(item, {"Later": None, "Later from": ""}, **constants)
    later = one(item, {"Later": "8600", "Later from": "2026-07-01"}, **constants)

    assert () == without.recurring_bill_items[0].amount_records
    assert [Amount(8600, "DKK")] == [
        each.value for each in later.recurring_bill_items[0].amount_records
    ]


def test_a_part_of_constants_alone_is_in_every_row() -> None:
    discount = {"discount.amount.amount": "500", "discount.end_date": "2026-06-30"}

    assert Amount(500, "DKK") == one({}, {}, **discount).recurring_bill_items[0].discount.amount  # type: ignore[union-attr]


def test_amounts_without_a_currency_have_that_of_the_lease() -> None:
    mapping = TableMapping({"id": "Lease", "currency": "Valuta"}, ITEM)
    (lease,) = mapping.leases([{**ROW, "Valuta": "SEK"}])

    assert Amount(8500, "SEK") == lease.recurring_bill_items[0].amount


ROWS: list[tuple[dict[str, Any], list[tuple[str, ...]]]] = [
    ({"Rent": "much"}, [("row 1, Rent", "not_a_number", "'much'")]),
    ({"Rent": None}, [("row 1, Rent", "missing", "nothing")]),
    ({"From": None}, [("row 1, From", "missing", "nothing")]),
    ({"From": "soon"}, [("row 1, From", "not_a_date", "'soon'")]),
    ({"Valuta": None}, [("row 1, Valuta", "missing", "nothing")]),
    ({"Valuta": "Kr"}, [("row 1, Valuta", "unknown_currency", "'Kr'")]),
    ({"Units": 0}, [("row 1, Units", "zero_quantity", "0")]),
    ({"Off": 10}, [("row 1, Off", "out_of_range", "10")]),
    ({"End": "2026-01-01"}, []),
    (
        {"Rent": "much", "From": 5},
        [("row 1, Rent", "not_a_number", "'much'"), ("row 1, From", "not_a_date", "5")],
    ),
    # The opening period is the day's, so that what is wrong with it is not said as well.
    ({"From": "9999-12-31", "Rent": 1}, []),
]


@pytest.mark.parametrize(("row", "problems"), ROWS, ids=repr)
def test_a_bad_row_is_refused_with_row_column_and_value(
    row: dict[str, Any], problems: list[tuple[str, ...]]
) -> None:
    """And the good ones are billed."""
    item = {"currency": "Valuta", "quantity": "Units", "discount.percentage": "Off"}
    mapping = TableMapping({**LEASE, "contract_end": "End"}, {**ITEM, **item})
    rows = [{**ROW, "Valuta": "DKK", **cells} for cells in ({}, {"Lease": "b", **row})]
    rows[0] |= {"Units": None, "Off": None, "End": None}
    run = bill_portfolio(mapping.leases(rows), MARCH)
    tables = run.to_tables()

    assert "a" == tables["bills"].column("lease_id").to_pylist()[0]
    assert problems == [
        (each["path"], each["code"], each["met"]) for each in tables["problems"].to_pylist()
    ]


def test_the_row_of_a_second_item_is_named() -> None:
    mapping = TableMapping(LEASE, {**ITEM, "ended_on": "End"}, CONSTANTS)
    rows = [ROW, {**ROW, "End": "never"}, {**ROW, "Lease": "b"}]
    problems = bill_portfolio(mapping.leases(rows), MARCH).to_tables()["problems"].to_pylist()

    assert [(0, "a", "row 1, End")] == [
        (each["row"], each["lease_id"], each["path"]) for each in problems
    ]


def test_a_wrong_constant_is_named() -> None:
    with pytest.raises(InvalidInputError, match=r"^row 0, constants\.tax_mode: "):
        one({}, {}, tax_mode="Exemp")


def test_a_start_of_its_own_is_checked_with_the_day_of_moving_in() -> None:
    with pytest.raises(InvalidInputError) as refused:
        one({"started_on": "Billed from"}, {"Billed from": "2026-02-01"})

    assert [("row 0, Billed from", "started_after_opening_due_date")] == [
        each[:2] for each in refused.value.problems
    ]


@pytest.mark.parametrize("more", [{}, {"discount.percentage": "Off"}])
def test_an_end_before_moving_in_is_a_problem_of_its_lease(more: dict[str, str]) -> None:
    """In a table by columns and by rows; the end of the contract has a notice instead (A158)."""
    item = {**ITEM, "ended_on": "Out", **more}
    mapping = TableMapping({**LEASE, "contract_end": "To"}, item, CONSTANTS)
    table = pa.table(
        {
            "Lease": ["a", "b", "c"],
            "Rent": [8500] * 3,
            "From": [date(2026, 1, 15)] * 3,
            "Out": pa.array([date(2025, 12, 31), None, date(2026, 1, 15)]),
            "To": pa.array([None, date(2025, 12, 31), None]),
            "Off": [Decimal("0.10")] * 3,
        }
    ).select(["Lease", "Rent", "From", "Out", "To", *more.values()])
    for source in (table, table.to_pylist()):
        run = bill_portfolio(mapping.leases(source), "2026-01")
        found = run.to_tables()

        assert [("row 0, Out", "reversed_period", "2025-12-31", "2026-01-15 or later")] == [
            tuple(each[name] for name in ("path", "code", "met", "expected"))
            for each in found["problems"].to_pylist()
        ]
        assert ["ends_before_it_begins"] == found["notices"]["code"].to_pylist()
        assert (1, 1, 1) == (run.summary.billed, run.summary.nothing_due, run.summary.ends_reversed)


def test_what_is_wrong_with_a_lease_is_named_by_its_first_row() -> None:
    """Where its items have places, every row is a lease."""
    period = "one_time_bill_items[0].accounting_period"
    fee = {f"one_time_bill_items[0].{name}": name for name in ("product_key", "amount.amount")}
    mapping = TableMapping(
        {**fee, f"{period}.start": "First", f"{period}.end": "Last", "contract_end": "End"},
        constants={"one_time_bill_items[0].vat.tax_mode": "Exempt", "lease.contract_start": "2026"},
    )
    row = {"product_key": "key:fee", "amount.amount": 5, "First": "2026-02-01", "End": None}
    with pytest.raises(InvalidInputError) as refused:
        list(mapping.leases([{**row, "Last": "2026-01-01"}]))

    assert [("row 0, constants.lease.contract_start", "not_a_date")] == [
        each[:2] for each in refused.value.problems
    ]
    mapping = replace(
        mapping, constants={**mapping.constants, "lease.contract_start": "2026-01-01"}
    )
    with pytest.raises(InvalidInputError) as refused:
        list(mapping.leases([{**row, "Last": "2026-01-01"}]))
    assert [
        ("row 0, one_time_bill_items[0].amount.currency", "missing"),
        ("row 0, one_time_bill_items[0].due_date", "missing"),
        ("row 0, First", "reversed_period"),
    ] == [each[:2] for each in refused.value.problems]


def test_a_part_without_its_value_says_what_a_cell_would_have() -> None:
    item = {"due_day": "Due", **ITEM}
    leases = TableMapping(LEASE, item, CONSTANTS).leases([{**ROW, "Due": None}])
    (problem,) = bill_portfolio(leases, MARCH).to_tables()["problems"].to_pylist()

    assert ("row 0, Due", "a whole number such as 1") == (problem["path"], problem["expected"])


def test_an_opening_period_beyond_the_calendar_is_a_problem_of_its_lease() -> None:
    constants = {**CONSTANTS, "billing_cycle.time_unit": "Day", "billing_cycle.period_length": 30}
    leases = TableMapping(LEASE, ITEM, constants).leases([{**ROW, "From": "9999-12-31"}])
    problems = bill_portfolio(leases, MARCH).to_tables()["problems"].to_pylist()

    assert ["unsupported"] == [each["code"] for each in problems]


def test_a_field_without_its_place_is_named_with_one() -> None:
    """Short names are for rows that are items; in rows with several, each field has a place."""
    item = {"recurring_bill_items[0].amount": "Rent", "moved_in": "From"}
    with pytest.raises(InvalidRecordError) as refused:
        TableMapping({}, item, {"currency": "DKK"})

    assert [
        ("item.moved_in", "its place, such as recurring_bill_items[0].moved_in"),
        (
            "constants.currency",
            (
                "its place, such as recurring_bill_items[0].amount.currency,"
                " or lease.currency for all items"
            ),
        ),
    ] == [(each.path, each.expected) for each in refused.value.problems]


NAMED = {"id": "Lease"}
REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    ({"lease": {"rent": "Rent"}}, "lease.rent", "unknown_field", "'rent'"),
    *(
        ({"item": {**ITEM, path: "Value"}}, f"item.{path}", code, repr(full or path))
        for path, code, full in (
            ("rent", "unknown_field", ""),
            ("vat", "unknown_field", ""),
            ("amount.amount.more", "unknown_field", ""),
            ("quantity[0]", "unknown_field", ""),
            ("Lease Id", "unknown_field", ""),
            ("recurring_bill_items[0].quantity", "contradiction", ""),
            ("recurring_bill_items[0].moved_in", "contradiction", ""),
            ("amount.amount", "contradiction", "recurring_bill_items.amount.amount"),
        )
    ),
    (
        {"item": {"recurring_bill_items[0].amount.amount": "Rent"}},
        *("constants.currency", "contradiction", ""),
    ),
    ({"constants": {**CONSTANTS, "rent": 5}}, "constants.rent", "unknown_field", ""),
    ({"item": {}, "constants": {}}, "mapping", "missing", "lease_id"),
    ({"constants": {}}, "item.currency", "missing", "nothing"),
    ({"item": {"moved_in": "From"}}, "item.amount", "missing", "nothing"),
    ({"item": {"amount": "Rent"}}, "item.moved_in", "missing", "nothing"),
    ({"item": {**ITEM, "tax_rate": "VAT"}}, "item.tax_mode", "missing", "nothing"),
    (
        {"item": {**ITEM, "first_billing_period_bill_item.due_date": "Due"}},
        *("item.moved_in", "contradiction", "both"),
    ),
    ({"lease": ["Lease"]}, "lease", "not_an_object", "['Lease']"),
    ({"item": {**ITEM, "quantity": 5}}, "item.quantity", "not_a_text", "5"),
    *(({"delimiter": mark}, "delimiter", "wrong_value", repr(mark)) for mark in (";;", "", "\n")),
    *(({"delimiter": mark}, "delimiter", "wrong_value", repr(mark)) for mark in ('"', 5)),
    ({"decimal": ""}, "decimal", "wrong_value", "''"),
    ({"date": "d-m-y"}, "date", "wrong_value", "'d-m-y'"),
    ({"encoding": "utf-99"}, "encoding", "wrong_value", "'utf-99'"),
]


@pytest.mark.parametrize(("choices", "path", "code", "met"), REFUSED, ids=repr)
def test_a_mapping_that_could_bill_no_row_is_refused(
    choices: dict[str, Any], path: str, code: str, met: str
) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        TableMapping(**{"lease": LEASE, "item": ITEM, "constants": CONSTANTS, **choices})

    (problem,) = refused.value.problems
    assert (path, code) == (problem.path, problem.code)
    assert met in {problem.met, ""}


TOML = """
[lease]
id = "Lejemål"

[item]
amount = "Husleje"
moved_in = "Indflytning"

[constants]
currency = "DKK"
"billing_cycle.period_length" = 3
started_on = 2026-01-15

[format]
date = "DD-MM-YYYY"
decimal = ","
thousands = "."
delimiter = ";"
encoding = "latin-1"
"""


def test_a_mapping_is_written_as_toml() -> None:
    assert TableMapping(
        {"id": "Lejemål"},
        {"amount": "Husleje", "moved_in": "Indflytning"},
        {
            "currency": "DKK",
            "billing_cycle.period_length": 3,
            "started_on": date(2026, 1, 15),
        },
        date="DD-MM-YYYY",
        decimal=",",
        thousands=".",
        delimiter=";",
        encoding="latin-1",
    ) == TableMapping.from_toml(TOML)


@pytest.mark.parametrize(
    ("text", "path", "said"),
    [
        ("[item", "", "is not TOML"),
        (TOML + "\n[plan]\n", "plan", "is not a part of a mapping"),
        (TOML + 'mark = ";"\n', "format.mark", "is not a part of a mapping"),
        ('format = ";"\n', "format", "is not a mapping"),
        ("[lease]\n", "mapping", "is required"),
    ],
    ids=["torn", "section", "format", "no format", "nothing"],
)
def test_a_text_that_is_no_mapping_is_refused(text: str, path: str, said: str) -> None:
    with pytest.raises(InvalidRecordError) as refused:
        TableMapping.from_toml(text)

    (problem,) = refused.value.problems
    assert path == problem.path
    assert problem.message.startswith(said)


def test_a_rate_above_one_is_refused_beside_a_record_of_another() -> None:
    """The record of the day would hide it from the columns."""
    stated = {"tax_mode": "Exclusive", "tax_rate": "25"}
    record = {"id": "v", "start": "2026-01-01", "value.tax_mode": "Exclusive"}
    stated |= {f"vat_records[0].{name}": cell for name, cell in record.items()}
    stated["vat_records[0].value.tax_rate"] = "0.25"
    columns = {"amount": "a", "moved_in": "s", **{each: each for each in stated}}
    mapping = TableMapping({"id": "id"}, columns, {"currency": "DKK"})
    row = {"id": "1", "a": "8500", "s": "2026-01-01", **stated}

    run = bill_portfolio(mapping.leases([row]), "2026-03")
    assert [each["code"] for each in run.to_tables()["problems"].to_pylist()] == ["out_of_range"]


def test_a_byte_order_mark_within_a_file_is_part_of_its_cell(tmp_path: Path) -> None:
    mapping = TableMapping({"id": "id"}, {"amount": "a", "moved_in": "s"}, {"currency": "DKK"})
    rows = ["\ufeff1,8500,2026-01-01\n", "2,8500,2026-01-01\n"]
    for lines in (rows, rows[::-1]):
        (tmp_path / "leases.csv").write_text("id,a,s\n" + "".join(lines), encoding="utf-8")
        found = {each.lease_id for each in mapping.leases(str(tmp_path / "leases.csv"))}
        assert found == {"\ufeff1", "2"}
