"""Leases from CSV: a mapping from columns to fields, and nothing guessed."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rentbilling import LeaseTerms, Period, Vat
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import CsvLeases, bill_portfolio
from rentbilling.portfolio.problems import UnreadLease

ITEM = "recurring_bill_items"
OPENING = f"{ITEM}.first_billing_period_bill_item"
COLUMNS = {
    "Lease": "lease_id",
    "Product": f"{ITEM}.product_key",
    "Rent": f"{ITEM}.amount.amount",
    "From": f"{ITEM}.started_on",
    "Due": f"{OPENING}.due_date",
    "First day": f"{OPENING}.accounting_period.start",
    "Last day": f"{OPENING}.accounting_period.end",
    "First rent": f"{OPENING}.amount.amount",
}
CONSTANTS = {
    f"{ITEM}.amount.currency": "DKK",
    f"{OPENING}.amount.currency": "DKK",
    f"{ITEM}.vat.tax_mode": "Exempt",
    f"{ITEM}.billing_cycle.time_unit": "Month",
    f"{ITEM}.billing_cycle.period_length": "1",
    f"{ITEM}.billing_cycle.start": "1",
    f"{ITEM}.due_date_rule.day_of_period": "1",
}
HEADER = "Lease,Product,Rent,From,Due,First day,Last day,First rent,Remark\n"


def line(lease: str, rent: str = "8500.00", product: str = "key:rent") -> str:
    """Return a line of a lease that began in January 2026."""
    return f"{lease},{product},{rent},2026-01-15,2026-01-15,2026-01-15,2026-01-31,4661.29,x\n"


def file(path: Path, *lines: str, header: str = HEADER) -> Path:
    """Return the path of a CSV file."""
    there = path / "leases.csv"
    there.write_text(header + "".join(lines), encoding="utf-8")
    return there


def leases(there: Path, **choices: Any) -> list[Any]:  # noqa: ANN401 - as CsvLeases takes them
    """Return the leases of a file."""
    given = CsvLeases(there, **{"columns": COLUMNS, "constants": CONSTANTS, **choices})
    found = [each for batch in given.batches(2) for each in batch]
    return [
        each if isinstance(each, UnreadLease) else LeaseTerms.model_validate(each) for each in found
    ]


def test_lines_of_one_lease_are_its_items(tmp_path: Path) -> None:
    """Two lines that stand together and have the same id; a third one is another lease."""
    there = file(tmp_path, line("a"), line("a", "500.00", "key:parking"), line("b"))
    (first, second) = leases(there)

    assert ("a", "b") == (first.lease_id, second.lease_id)
    assert [("key:rent", Decimal("8500.00")), ("key:parking", Decimal("500.00"))] == [
        (item.product_key, item.amount.amount) for item in first.recurring_bill_items
    ]
    assert Vat("Exempt") == first.recurring_bill_items[1].vat
    assert Period.parse("2026-01-15/2026-01-31") == (
        second.recurring_bill_items[0].first_billing_period_bill_item.accounting_period
    )


def test_lines_without_an_id_are_leases_of_their_own(tmp_path: Path) -> None:
    """Nothing says that they belong together."""
    found = leases(file(tmp_path, line(""), line("")))

    assert [None, None] == [lease.lease_id for lease in found]


def test_bills_of_a_csv_file(tmp_path: Path) -> None:
    """The rent and its opening of 4,661.29; what is unreadable is a problem of its lease."""
    there = file(tmp_path, line("a"), line("b", rent="8.500"), line("c", rent="8x"))
    run = bill_portfolio(CsvLeases(there, COLUMNS, constants=CONSTANTS), "2026-01-01/2026-02-28")
    tables = run.to_tables()

    assert [
        ("a", Decimal("4661.29")),
        ("a", Decimal("8500.00")),
        ("b", Decimal("4661.29")),
        ("b", Decimal("8.50")),
    ] == [(row["lease_id"], row["total"]) for row in tables["bills"].to_pylist()]
    assert [(2, "c", "recurring_bill_items[0].amount.amount", "'8x'")] == [
        (row["row"], row["lease_id"], row["path"], row["met"])
        for row in tables["problems"].to_pylist()
    ]


def test_a_line_may_be_a_whole_lease(tmp_path: Path) -> None:
    """Paths with places: two items side by side; one that has nothing is not there."""
    columns = {
        "Lease": "lease_id",
        "Fee": "one_time_bill_items[0].amount.amount",
        "Fee due": "one_time_bill_items[0].due_date",
        "Key": "one_time_bill_items[2].amount.amount",
        "Key due": "one_time_bill_items[2].due_date",
        "Adjusts": "rent_adjustment_plans[0].adjusts_balance",
    }
    constants = {
        f"one_time_bill_items[{at}].{path}": value
        for at in (0, 2)
        for path, value in {
            "product_key": f"key:{at}",
            "amount.currency": "DKK",
            "vat.tax_mode": "Exempt",
            "accounting_period.start": "2026-01-01",
            "accounting_period.end": "2026-01-31",
        }.items()
    }
    header = "Lease,Fee,Fee due,Key,Key due,Adjusts\n"
    there = file(tmp_path, "a,100,2026-01-01,50.5,2026-01-02,\n" * 2, header=header)
    found = leases(there, columns=columns, constants=constants)

    assert ["a", "a"] == [lease.lease_id for lease in found]
    assert [("key:0", Decimal(100)), ("key:2", Decimal("50.5"))] == [
        (item.product_key, item.amount.amount) for item in found[0].one_time_bill_items
    ]


def test_lines_that_contradict_each_other_are_a_problem(tmp_path: Path) -> None:
    """Two lines of one lease with other ends: which one holds is not guessed."""
    there = file(
        tmp_path,
        "a,2026-12-31\n",
        "a,2027-12-31\n",
        "b,\n",
        header="Lease,End\n",
    )
    columns = {"Lease": "lease_id", "End": "contract_end"}
    constants = {f"{ITEM}.product_key": "key:rent"}
    given = CsvLeases(there, columns, constants=constants)
    problems = bill_portfolio(given, "2026-01-01/2026-12-31").to_tables()["problems"].to_pylist()

    assert {
        "row": 0,
        "lease_id": "a",
        "code": "contradiction",
        "path": "contract_end",
        "message": "is said otherwise by another line of the lease",
        "met": "'2027-12-31'",
        "expected": "'2026-12-31'",
    } == problems[0]
    assert {1} == {each["row"] for each in problems[1:]}


def test_notations_are_said_and_not_guessed(tmp_path: Path) -> None:
    """Semicolons, a comma before the decimals, another encoding."""
    there = tmp_path / "leases.csv"
    text = HEADER + line("Århus")
    there.write_bytes(text.replace(",", ";").replace(".", ",").encode("latin-1"))
    (lease,) = leases(there, delimiter=";", decimal_point=",", encoding="latin-1")

    assert ("Århus", Decimal("8500.00")) == (
        lease.lease_id,
        lease.recurring_bill_items[0].amount.amount,
    )


def test_a_point_between_thousands_is_refused(tmp_path: Path) -> None:
    """8.500,00 with a comma before the decimals has a point that means nothing."""
    there = tmp_path / "leases.csv"
    row = "a;key:rent;8.500,00;2026-01-15;2026-01-15;2026-01-15;2026-01-31;4661,29;x\n"
    there.write_text(HEADER.replace(",", ";") + row)
    given = CsvLeases(there, COLUMNS, constants=CONSTANTS, delimiter=";", decimal_point=",")
    (problem,) = bill_portfolio(given, "2026-01-01/2026-12-31").to_tables()["problems"].to_pylist()

    assert ("recurring_bill_items[0].amount.amount", "'8.500,00'") == (
        problem["path"],
        problem["met"],
    )


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("rent_adjustment_plans.adjusts_balance", "true", True),
        ("rent_adjustment_plans.adjusts_balance", "false", False),
        ("rent_adjustment_plans.adjusts_balance", "yes", "yes"),
        (f"{ITEM}.billing_cycle.start", "-12", -12),
        (f"{ITEM}.billing_cycle.start", "1.5", "1.5"),
        (f"{ITEM}.quantity", "+2.50", Decimal("2.50")),
        (f"{ITEM}.quantity", "1e3", "1e3"),
        (f"{ITEM}.started_on", "2026-01-15", "2026-01-15"),
        (f"{OPENING}.accounting_period.start", "2026-01-15", "2026-01-15/"),
    ],
)
def test_values_are_read_as_what_they_say(
    path: str, text: str, expected: object, tmp_path: Path
) -> None:
    """What says nothing is handed on, so that the record refuses it with its path."""
    there = file(tmp_path, f"{text}\n", header="Value\n")
    ((payload,),) = CsvLeases(there, {"Value": path}).batches(5)
    value: Any = payload
    for step in path.split("."):
        if isinstance(value, dict):
            value = value[step]
        if isinstance(value, list):
            (value,) = value

    assert (expected, type(expected)) == (value, type(value))


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("rent", "unknown_field"),
        (f"{ITEM}.amount", "unknown_field"),
        (f"{ITEM}", "unknown_field"),
        (f"{ITEM}.amount.amount.more", "unknown_field"),
        ("lease_id[0]", "unknown_field"),
        ("Lease Id", "unknown_field"),
        (f"{ITEM}[0].quantity", "contradiction"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused(path: str, code: str) -> None:
    """Or that goes through a list in another way than the others."""
    with pytest.raises(InvalidRecordError) as refused:
        CsvLeases("leases.csv", {"Product": f"{ITEM}.product_key", "Value": path})

    (problem,) = refused.value.problems
    assert ("columns.Value", code, repr(path)) == (problem.path, problem.code, problem.met)


def test_a_path_without_a_place_beside_those_with_one_is_refused() -> None:
    """The other way round."""
    with pytest.raises(InvalidRecordError, match="has no place in its list, which others have"):
        CsvLeases(
            "leases.csv",
            {"Product": f"{ITEM}[0].product_key"},
            constants={f"{ITEM}.vat.tax_mode": "Exempt"},
        )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (HEADER + line("a") + "b,key:rent,8500.00\n", r"Row #3: Expected 9 columns, got 3"),
        (HEADER + line("a").replace("\n", ",more\n"), r"Row #2: Expected 9 columns, got 10"),
        ("Lease,Rent\na,1\n", r"'Product' in include_columns does not exist"),
        ("", "Empty CSV file"),
        (HEADER + line("\udcff"), "invalid UTF8 data"),
    ],
    ids=["too few fields", "too many fields", "no such column", "empty", "not Unicode"],
)
def test_a_file_that_is_no_such_csv_is_refused(content: str, said: str, tmp_path: Path) -> None:
    """With the line and what is wrong with it."""
    there = tmp_path / "leases.csv"
    there.write_bytes(content.encode("utf-8", "surrogateescape"))

    with pytest.raises(InvalidRecordError, match=said) as refused:
        leases(there)

    assert "unreadable" == refused.value.problems[0].code


def test_a_file_of_headers_alone_has_no_leases(tmp_path: Path) -> None:
    """Nothing to bill, and nothing wrong."""
    assert [] == leases(file(tmp_path))


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    """By the system's own error."""
    with pytest.raises(FileNotFoundError):
        leases(tmp_path / "none.csv")
