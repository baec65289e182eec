"""Optional parts of a row of a flat table: which of its columns say that they are there.

Each row is billed as columns and one by one, with the same bills.
"""

from decimal import Decimal
from typing import Any

from rentbilling.portfolio import TableMapping, bill_portfolio
from tests.support.rows import rows

RENT, HEATING, FEE = "recurring_bill_items[0]", "recurring_bill_items[1]", "one_time_bill_items[0]"
ROW = {"Lease": "a", "Rent": 8500, "From": "2020-01-01", "Currency": "DKK"}
MARCH = "2026-03"
Bills = tuple[list[Decimal], list[tuple[str, str]]]


def billed(mapping: TableMapping, row: dict[str, Any]) -> Bills:
    """Return the totals of March of a row, and its problems by place and code."""
    names = dict.fromkeys(mapping.headers)
    leases = mapping.leases([{**names, **ROW, **row}])
    run = bill_portfolio(leases, MARCH)
    tables = run.to_tables()
    problems = [(each["path"], each["code"]) for each in tables["problems"].to_pylist()]
    if not problems:
        one_by_one = bill_portfolio([*leases], MARCH).to_tables()
        assert 0 == run.summary.scalar_leases
        assert one_by_one["bills"] == tables["bills"]
    return [each["total"] for each in tables["bills"].to_pylist()], problems


WIDE = TableMapping(
    {
        "id": "Lease",
        f"{FEE}.amount.amount": "Fee",
        f"{FEE}.amount.currency": "Currency",
        **dict.fromkeys((f"{FEE}.due_date", f"{FEE}.accounting_period.start"), "Fee on"),
        f"{FEE}.accounting_period.end": "Fee on",
        "balances[0].amount.amount": "Deposit",
        "balances[0].amount.currency": "Currency",
    },
    {
        f"{RENT}.amount": "Rent",
        f"{HEATING}.amount": "Heating",
        **{
            f"{item}.{name}": header
            for item in (RENT, HEATING)
            for name, header in (
                *(("moved_in", "From"), ("currency", "Currency")),
                *(("tax_rate", "VAT"), ("ended_on", "To")),
            )
        },
    },
    {
        f"{RENT}.product_key": "key:rent",
        f"{HEATING}.product_key": "key:heating",
        f"{FEE}.product_key": "key:fee",
        f"{FEE}.vat.tax_mode": "Exempt",
        f"{RENT}.tax_mode": "Exclusive",
        f"{HEATING}.tax_mode": "Exclusive",
        "balances[0].balance_charge_type": "Deposit",
    },
)


@rows(
    "row, totals",
    [
        ({}, ["8500.00"]),
        ({"Heating": 500}, ["9000.00"]),
        # 25 % on top of both.
        ({"Heating": 500, "VAT": "25%"}, ["11250.00"]),
        # The end and the VAT of the lease make no heating: 8500 × 20/31 = 5483.870…, with VAT
        # 1370.97.
        ({"VAT": "25%", "To": "2026-03-20"}, ["6854.84"]),
        ({"Deposit": 25500}, ["8500.00"]),
        ({"Fee": 100, "Fee on": "2026-03-01"}, ["8600.00"]),
    ],
)
def test_a_column_of_several_parts_makes_none(row: dict[str, Any], totals: list[str]) -> None:
    assert ([Decimal(each) for each in totals], []) == billed(WIDE, row)


@rows(
    "row, place",
    [
        ({"Fee on": "2026-03-01"}, "row 0, Fee"),
        ({"Fee": 100}, "row 0, Fee on"),
    ],
)
def test_a_part_that_lacks_something_is_refused(row: dict[str, Any], place: str) -> None:
    found, problems = billed(WIDE, row)

    assert [] == found
    assert (place, "missing") in problems


def test_a_part_of_shared_columns_alone_is_there_by_each_of_them() -> None:
    """One percentage is the discount of both items: 9,000 less 10 %."""
    item = {name: header for name, header in WIDE.item.items() if header != "VAT"}
    item |= {f"{each}.discount.percentage": "Off" for each in (RENT, HEATING)}
    constants = {name: each for name, each in WIDE.constants.items() if "product_key" in name}
    del constants[f"{FEE}.product_key"]
    mapping = TableMapping({"id": "Lease"}, item, constants)

    assert ([Decimal(8100)], []) == billed(mapping, {"Heating": 500, "Off": "10%"})
    assert ([Decimal(9000)], []) == billed(mapping, {"Heating": 500})


def test_a_part_with_a_constant_amount_is_there_by_all_of_its_columns() -> None:
    """A fee of 250 on the day of moving in, with or without a text."""
    lease = {
        "id": "Lease",
        f"{FEE}.description": "Text",
        **{f"{FEE}.{name}": "From" for name in ("due_date", "accounting_period.start")},
        f"{FEE}.accounting_period.end": "From",
    }
    constants = {
        "lease.currency": "DKK",
        f"{FEE}.product_key": "key:fee",
        f"{FEE}.vat.tax_mode": "Exempt",
        f"{FEE}.amount.amount": 250,
    }
    mapping = TableMapping(lease, {"amount": "Rent", "moved_in": "From"}, constants)

    for text in (None, "Fee"):
        row = {"From": "2026-03-01", "Text": text}
        assert ([Decimal(8750)], []) == billed(mapping, row)


def test_a_part_with_a_constant_amount_is_there_by_its_quantity() -> None:
    """No parking space is none, also where the lease ends."""
    item = {
        name: header
        for name, header in WIDE.item.items()
        if header in ("Rent", "From", "To") and name != f"{HEATING}.amount"
    }
    item |= {f"{HEATING}.quantity": "Spaces"}
    constants = {
        "lease.currency": "DKK",
        f"{RENT}.product_key": "key:rent",
        f"{HEATING}.product_key": "key:parking",
        f"{HEATING}.amount": 500,
    }
    mapping = TableMapping({"id": "Lease"}, item, constants)

    assert ([Decimal(8500)], []) == billed(mapping, {"To": "2026-03-31"})
    assert ([Decimal(9500)], []) == billed(mapping, {"To": "2026-03-31", "Spaces": 2})


PLAN = "rent_adjustment_plans[0]"
RULE = f"{PLAN}.rent_adjustment_rules[0]"
STEP = f"{RULE}.increments[0]"


@rows(
    ("columns", "row", "constants", "plans"),
    [
        ({f"{RULE}.index_month": "Month"}, {"Month": 11}, {}, ["rule"]),
        ({f"{RULE}.index_month": "Month"}, {}, {}, []),
        # A plan of constants alone, and one with a column of its own, are as the row says.
        ({}, {}, {f"{RULE}.index_month": 11}, ["rule"]),
        ({f"{PLAN}.ended_on": "End"}, {"End": "2020-01-01"}, {f"{RULE}.index_month": 11}, ["rule"]),
        ({f"{PLAN}.ended_on": "End", f"{RULE}.index_month": "Month"}, {"End": "2020-01-01"}, {},
         ["none"]),
        # A rule is made by its increments.
        ({f"{STEP}.percentage": "Rise"}, {"Rise": "0.02"}, {f"{STEP}.year": 2027}, ["rule"]),
        ({f"{STEP}.percentage": "Rise"}, {}, {f"{STEP}.year": 2027}, []),
    ],
)  # fmt: skip
def test_a_plan_is_there_by_the_columns_of_its_rule(
    columns: dict[str, str], row: dict[str, Any], constants: dict[str, Any], plans: list[str]
) -> None:
    """Otherwise it would adjust nothing, and take the lease off the columns."""
    kind = "Increment" if STEP in str(columns) else "Index"
    fixed: dict[str, Any] = {f"{PLAN}.adjustee_ref": "recurring-1", f"{RULE}.adjustment_type": kind}
    fixed |= {f"{RULE}.adjustment_month": 1, f"{RULE}.first_year": "2027", **constants}
    mapping = TableMapping(
        {"id": "Lease", **columns},
        {"amount": "Rent", "moved_in": "From"},
        {"currency": "DKK", **{f"lease.{name}": value for name, value in fixed.items()}},
    )
    (lease,) = mapping.leases([{**dict.fromkeys(mapping.headers), **ROW, **row}])
    found = [
        "rule" if each.rent_adjustment_rules else "none" for each in lease.rent_adjustment_plans
    ]

    assert plans == found
    assert ([Decimal(8500)], []) == billed(mapping, row)


def test_a_currency_alone_makes_no_part() -> None:
    """A spreadsheet may fill it down."""
    currency = {"discount.amount.amount": "Off", "discount.amount.currency": "Off in"}
    mapping = TableMapping(
        {"id": "Lease"},
        {"amount": "Rent", "currency": "Currency", "moved_in": "From", **currency},
    )

    assert ([Decimal(8500)], []) == billed(mapping, {"Off in": "DKK"})
    assert ([Decimal(8400)], []) == billed(mapping, {"Off in": "DKK", "Off": 100})


def test_amounts_of_every_list_have_the_currency_of_the_lease() -> None:
    lease = {name: header for name, header in WIDE.lease.items() if header != "Currency"}
    item = {name: header for name, header in WIDE.item.items() if header != "Currency"}
    mapping = TableMapping({**lease, "currency": "Currency"}, item, WIDE.constants)
    row = {"Deposit": 25500, "Fee": 100, "Fee on": "2026-03-01"}

    assert ([Decimal(8600)], []) == billed(mapping, row)


@rows(
    "mode, rate, outcome",
    [
        ("Exclusive", "25%", ([Decimal(10625)], [])),
        ("Inclusive", "25%", ([Decimal(8500)], [])),
        ("Exclusive", "0", ([Decimal(8500)], [])),
        ("Exclusive", None, ([Decimal(8500)], [])),
        ("Exclusive", " ", ([Decimal(8500)], [])),
        ("Exclusive", "none", ([], [("row 0, VAT", "not_a_number")])),
    ],
)
def test_a_row_without_a_rate_is_exempt(mode: str, rate: str | None, outcome: Bills) -> None:
    """The constant tax mode is that of rows with a rate (A143)."""
    item = {"amount": "Rent", "moved_in": "From", "tax_rate": "VAT"}
    constants = {"currency": "DKK", "tax_mode": mode}

    assert outcome == billed(TableMapping({"id": "Lease"}, item, constants), {"VAT": rate})


def test_a_row_that_says_its_tax_mode_needs_its_rate() -> None:
    item = {"amount": "Rent", "moved_in": "From", "tax_rate": "VAT", "tax_mode": "Mode"}
    mapping = TableMapping({"id": "Lease"}, item, {"currency": "DKK"})

    assert ([], [("row 0, VAT", "missing_rate")]) == billed(mapping, {"Mode": "Exclusive"})
