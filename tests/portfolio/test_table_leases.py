"""Leases of flat tables: a mapping from columns to fields, and nothing guessed."""

import gzip
import os
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from rentbilling import BillingPolicy, Period, Vat, what_if
from rentbilling.errors import InvalidInputError, InvalidRecordError
from rentbilling.portfolio import TableLeases, TableMapping, bill_portfolio
from rentbilling.portfolio.leases.problems import UnreadLease
from rentbilling.reports import straight_line
from tests.support.rows import rows

OPENING = "first_billing_period_bill_item"
LEASE = {"id": "Lease"}
ITEM = {
    "product_key": "Product",
    "amount": "Rent",
    "started_on": "From",
    f"{OPENING}.due_date": "Due",
    f"{OPENING}.accounting_period.start": "First day",
    f"{OPENING}.accounting_period.end": "Last day",
    f"{OPENING}.amount.amount": "First rent",
}
CONSTANTS = {"currency": "DKK"}
RENT: dict[str, Any] = {
    "item": {"amount": "Rent"},
    "constants": {"currency": "DKK", "moved_in": "2026-01-01"},
}
HEADER = "Lease,Product,Rent,From,Due,First day,Last day,First rent,Remark\n"


def line(lease: str, rent: str = "8500.00", product: str = "key:rent") -> str:
    """Return a line of a lease that began in January 2026."""
    return f"{lease},{product},{rent},2026-01-15,2026-01-15,2026-01-15,2026-01-31,4661.29,x\n"


def file(path: Path, *lines: str, header: str = HEADER) -> Path:
    there = path / "leases.csv"
    there.write_text(header + "".join(lines), encoding="utf-8")
    return there


def table(there: Path, **choices: Any) -> TableLeases:  # noqa: ANN401 - as TableMapping takes them
    return TableMapping(**{"lease": LEASE, "item": ITEM, "constants": CONSTANTS, **choices}).leases(
        there
    )


def leases(there: Path, **choices: Any) -> list[Any]:  # noqa: ANN401 - as above
    return [each for batch in table(there, **choices).batches(2) for each in batch]


def test_reports_price_openings_under_their_policy(tmp_path: Path) -> None:
    """17 days at 8,500 a month: × 17/31, or × 12 × 17/365 as bills of the run have it (A14)."""
    there = file(tmp_path, "a,8500\n", header="Lease,Rent\n")
    given = table(
        there, item={"amount": "Rent"}, constants={"currency": "DKK", "moved_in": "2026-01-15"}
    )
    for policy, income in ((None, "4661.29"), (BillingPolicy(part_period="year_365"), "4750.68")):
        report = straight_line(given, term="2026-01", policy=policy)
        answer = what_if(given, period="2026-01", policy=policy)

        assert [Decimal(income)] == [row["income"] for row in report.rows()]
        assert ((),) == tuple(each.notices for each in answer.baseline.results)
        assert [income] == [str(bill.total.amount) for bill in answer.baseline.results[0]]


def test_lines_of_one_lease_are_its_items(tmp_path: Path) -> None:
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


def test_without_a_column_for_the_id_every_line_is_a_lease(tmp_path: Path) -> None:
    found = leases(file(tmp_path, line(""), line("")), lease={})

    assert [1, 1] == [len(lease.recurring_bill_items) for lease in found]


def test_bills_of_a_csv_file(tmp_path: Path) -> None:
    """The rent and its opening of 4,661.29; what is unreadable is a problem of its lease."""
    there = file(tmp_path, line("a"), line("b", rent="8.500"), line("c", rent="8x"))
    run = bill_portfolio(table(there), "2026-01-01/2026-02-28")
    tables = run.to_tables()

    assert [
        ("a", Decimal("4661.29")),
        ("a", Decimal("8500.00")),
    ] == [(row["lease_id"], row["total"]) for row in tables["bills"].to_pylist()]
    assert [(1, "b", "line 3, Rent", "'8.500'"), (2, "c", "line 4, Rent", "'8x'")] == [
        (row["row"], row["lease_id"], row["path"], row["met"])
        for row in tables["problems"].to_pylist()
    ]


def test_a_line_may_be_a_whole_lease(tmp_path: Path) -> None:
    lease = {
        "id": "Lease",
        "one_time_bill_items[0].amount.amount": "Fee",
        "one_time_bill_items[0].due_date": "Fee due",
        "one_time_bill_items[2].amount.amount": "Key",
        "one_time_bill_items[2].due_date": "Key due",
        "rent_adjustment_plans[0].adjusts_balance": "Adjusts",
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
    found = leases(there, lease=lease, item={}, constants=constants)

    assert ["a", "a"] == [lease.lease_id for lease in found]
    assert [("key:0", Decimal(100)), ("key:2", Decimal("50.5"))] == [
        (item.product_key, item.amount.amount) for item in found[0].one_time_bill_items
    ]


def test_lines_that_contradict_each_other_are_a_problem(tmp_path: Path) -> None:
    lines = ["a,1,2026-12-31\n", "a,1,2027-12-31\n", "b,1,\n"]
    there = file(tmp_path, *lines, header="Lease,Rent,End\n")
    (first, second) = leases(there, lease={**LEASE, "contract_end": "End"}, **RENT)

    assert [
        (
            *("line 3, End", "contradiction", "is said otherwise by another row of the lease"),
            *("datetime.date(2027, 12, 31)", "datetime.date(2026, 12, 31)"),
        )
    ] == [tuple(each) for each in first.error.problems]
    assert "b" == second.lease_id


def test_notations_are_said_and_not_guessed(tmp_path: Path) -> None:
    there = tmp_path / "leases.csv"
    text = HEADER + line("Århus")
    there.write_bytes(text.replace(",", ";").replace(".", ",").encode("latin-1"))
    (lease,) = leases(there, delimiter=";", decimal=",", encoding="latin-1")

    assert ("Århus", Decimal("8500.00")) == (
        lease.lease_id,
        lease.recurring_bill_items[0].amount.amount,
    )


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        ("Lease,Rent\na,1\n", "missing", "column Product: is no column of the table"),
        ("Rent roll\nLease\n", "missing", r"header_line = 8 in \[rows\] is the line of headers"),
        (
            HEADER.replace("Remark", "Rent") + line("a"),
            "duplicate_column",
            "column Rent: is the header of several columns",
        ),
        ("", "unreadable", "source: is empty"),
        ("\n\n", "unreadable", "source: is empty"),
        (HEADER + line("\udcff"), "unreadable", "source: is not in the encoding utf-8"),
        (
            HEADER + 'a,"key:rent,8500\nb,key:"rent,8500\n',
            "unreadable",
            "source: cannot be read: lines 2 to 3: ',' expected after '\"'",
        ),
        (HEADER + 'a,"key:rent\n' + line("b"), "unreadable", "lines 2 to 3: unexpected end"),
    ],
    ids=[
        *("no such column", "a title", "twice", "empty", "empty lines", "not Unicode"),
        *("a quotation over two leases", "a quotation without an end"),
    ],
)
def test_a_file_that_is_no_such_csv_is_refused(
    content: str, code: str, said: str, tmp_path: Path
) -> None:
    there = tmp_path / "leases.csv"
    there.write_bytes(content.encode("utf-8", "surrogateescape"))

    with pytest.raises(InvalidRecordError, match=said) as refused:
        leases(there)

    assert code == refused.value.problems[0].code


def test_a_file_of_headers_alone_has_no_leases(tmp_path: Path) -> None:
    assert [] == leases(file(tmp_path))


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        leases(tmp_path / "none.csv")

    assert str(tmp_path / "none.csv") == missing.value.filename


TORN = ("wrong_fields",)
ASIDE = ("may_be_incomplete",)


def codes_of(unread: UnreadLease) -> list[str]:
    assert isinstance(unread.error, InvalidInputError)
    return [problem.code for problem in unread.error.problems]


def outcome(there: Path, **choices: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - as above
    """Return the leases of a file: id and number of items, or id and codes of what is wrong."""
    return [
        (each.lease_id, *codes_of(each))
        if isinstance(each, UnreadLease)
        else (each.lease_id, len(each.recurring_bill_items))
        for each in leases(there, **{**RENT, **choices})
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a,1", "b", "c,1"], [("a", 1), ("b", *TORN), ("c", 1)]),
        (["a,1", "b,1,2", "c,1"], [("a", 1), ("b", *TORN), ("c", 1)]),
        (["a,1", "a", "b,1"], [("a", *TORN), ("b", 1)]),
        (["a,1", "b", "b,1"], [("a", 1), ("b", *TORN)]),
        (["a", "b,1"], [("a", *TORN), ("b", 1)]),
        (["a,1", "b"], [("a", 1), ("b", *TORN)]),
        (["a,1", "a", "a,2", "b,1"], [("a", *TORN), ("b", 1)]),
        (["a,1", "b", "a,2"], [("b", *TORN), ("a", 2)]),
        (["a,1", "b", "b", "c"], [("a", 1), ("b", *TORN, *TORN), ("c", *TORN)]),
        (["b"], [("b", *TORN)]),
        (["a\0,1", "b,1"], [("a\0", "unreadable"), ("b", 1)]),
    ],
    ids=str,
)
def test_a_line_that_cannot_be_read_is_the_problem_of_its_lease(
    lines: list[str], expected: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    there = file(tmp_path, *(f"{each}\n" for each in lines), header="Lease,Rent\n")

    assert expected == outcome(there)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["1,a", "1", "2,b"], [("a", *ASIDE), (None, *TORN), ("b", *ASIDE)]),
        (["1,a", "1,b,", "2,b"], [("a", 1), ("b", *TORN)]),
        (["1,a", "1,a,", "2,b"], [("a", *TORN), ("b", 1)]),
        (["1,a", "1,2,c", "1,b"], [("a", *ASIDE), (None, *TORN), ("b", *ASIDE)]),
        (["1,a", "1", "2,a", "1,b"], [(None, *TORN), ("a", *ASIDE), ("b", 1)]),
        (["1,", "1", "1,"], [(None, "missing"), (None, *TORN), (None, "missing")]),
        (["1", "1,a", "1,b"], [(None, *TORN), ("a", *ASIDE), ("b", 1)]),
        (["1,a", "1,b", "1"], [("a", 1), ("b", *ASIDE), (None, *TORN)]),
        (['1,a"', '"1"2,b', "1,c"], [('a"', *ASIDE), (None, "unreadable"), ("c", *ASIDE)]),
    ],
    ids=str,
)
def test_a_line_that_may_be_of_a_lease_beside_it_keeps_that_from_being_billed(
    lines: list[str], expected: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    there = file(tmp_path, *(f"{each}\n" for each in lines), header="Rent,Lease\n")

    assert expected == outcome(there)


def test_a_line_of_one_field_without_a_lease_stops_none(tmp_path: Path) -> None:
    """Such as the day of printing, where no field has the first column."""
    lines = "x,1,a\n", "x,2,b\n", "Printed on 2026-03-01\n", "x,3,c\n"
    there = file(tmp_path, *lines, header="House,Rent,Lease\n")

    assert [("a", 1), ("b", 1), (None, "wrong_fields"), ("c", 1)] == outcome(there)


def test_what_is_wrong_with_a_line_is_told_with_its_number(tmp_path: Path) -> None:
    content = '\na,"1\n",x\nb\n"c\nd",1,y,z\n'
    there = file(tmp_path, content, header="Lease,Rent,Remark\n")
    found = leases(there, **RENT)

    assert [
        ("line 5: has 1 field in place of 3", "'b'", "3 fields"),
        ("lines 6 to 7: has 4 fields in place of 3", repr("c\nd, 1, y, z"), "3 fields"),
    ] == [
        (problem.message, problem.met, problem.expected)
        for each in found[1:]
        for problem in each.error.problems
    ]


def test_a_lease_that_may_go_on_is_told_where(tmp_path: Path) -> None:
    there = file(tmp_path, "1,a\n", "1\n", header="Rent,Lease\n")
    (first, second) = leases(there, **RENT)

    assert [
        (
            *("", "may_be_incomplete"),
            "may go on in line 3, which cannot be read and does not name its lease",
            *("'1'", "a line that can be read"),
        )
    ] == list(first.error.problems)
    assert "line 3: has 1 field in place of 2" == second.error.problems[0].message


def test_a_line_without_any_lease_is_a_problem_of_its_own(tmp_path: Path) -> None:
    there = file(tmp_path, "a,1\n", "b\n", "c,1\n", header="Lease,Rent\n")
    constants = {f"{ONE_TIME}.{path}": value for path, value in A_FEE.items()}
    given = {
        "lease": {**LEASE, f"{ONE_TIME}.amount.amount": "Rent"},
        "item": {},
        "constants": constants,
    }
    found = leases(there, **given)

    assert [("a", 1), ("b", *TORN), ("c", 1)] == [
        (each.lease_id, *codes_of(each))
        if isinstance(each, UnreadLease)
        else (each.lease_id, len(each.one_time_bill_items))
        for each in found
    ]
    assert [(None, 1), (None, *TORN), (None, 1)] == outcome(there, lease={})


ONE_TIME = "one_time_bill_items[0]"
A_FEE = {
    "product_key": "key:fee",
    "amount.currency": "DKK",
    "vat.tax_mode": "Exempt",
    "due_date": "2026-01-01",
    "accounting_period.start": "2026-01-01",
    "accounting_period.end": "2026-01-31",
}


def test_a_lease_that_comes_back_is_refused(tmp_path: Path) -> None:
    """All of it, so that nothing is billed without the line that comes late; a torn one counts."""
    lines = ["a,1\n", "b,1\n", "c,1\n", "a,2\n", "d,1\n", "b\n"]
    there = file(tmp_path, *lines, header="Lease,Rent\n")

    assert [
        *[("a", "duplicate_id"), ("b", "duplicate_id"), ("c", 1), ("a", "duplicate_id")],
        *[("d", 1), ("b", *TORN, "duplicate_id")],
    ] == outcome(there)


def test_the_problem_of_a_lease_that_comes_back(tmp_path: Path) -> None:
    there = file(tmp_path, line("a"), line("b"), line("a", "500.00", "key:parking"))
    given_ = table(there)
    tables = bill_portfolio(given_, "2026-02-01/2026-02-28").to_tables()

    assert ["b"] == tables["bills"].column("lease_id").to_pylist()
    assert [
        {
            "row": row,
            "lease_id": "a",
            "code": "duplicate_id",
            "path": "lease_id",
            "message": "is in several places of the table, and would be billed in parts",
            "met": "'a'",
            "expected": "rows of a lease that follow each other: sort the table by it",
        }
        for row in (0, 2)
    ] == tables["problems"].to_pylist()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(st.sampled_from("abc"), max_size=7))
def test_a_lease_is_billed_whole_or_not_at_all(names: list[str], tmp_path: Path) -> None:
    lines = (f"{name},{at}\n" for at, name in enumerate(names))
    there = file(tmp_path, *lines, header="Lease,Rent\n")
    places = [name for name, _ in groupby(names)]

    assert [
        (name, "duplicate_id" if places.count(name) > 1 else names.count(name)) for name in places
    ] == outcome(there)


@rows(
    "lines, expected",
    [
        (["a,1,x", "a,1,x", "b,1,x"], [("a", "duplicate_row"), ("b", 1)]),
        (["a,1,x", "a,2,x", "a,1,x"], [("a", "duplicate_row")]),
        (["a,1,x", 'a,1,"x"', "a,1,x"], [("a", "duplicate_row", "duplicate_row")]),
        # Beside a line that cannot be read.
        (["a,1,x", "b,2", "a,1,x"], [("b", *TORN), ("a", "duplicate_row")]),
        # They differ in a column that is mapped.
        (["a,1,x", "a,1,y", "b,1,x"], [("a", 2), ("b", 1)]),
        # A row without an id stops no other lease, and parts none.
        (["a,1,x", ",2,x", "b,1,x"], [("a", 1), (None, "missing"), ("b", 1)]),
        (["a,1,x", "b,1,x", ",3,x"], [("a", 1), ("b", 1), (None, "missing")]),
        (["a,1,x", ",2,x", "a,3,x", "b,1,x"], [("a", 2), (None, "missing"), ("b", 1)]),
        # Blanks around an id do not count (A142).
        (["a,1,x", "a ,2,x", " a,3,x"], [("a", 3)]),
        (["a,1,x", "a ,1, x"], [("a", "duplicate_row")]),
        ([" ,1,x", "a,1,x"], [(None, "missing"), ("a", 1)]),
        ([",1,x", "a,1,x"], [(None, "missing"), ("a", 1)]),
        ([",1,x", ",1,x"], [(None, "missing")] * 2),
    ],
)
def test_a_row_twice_or_without_its_lease_is_no_item(
    lines: list[str], expected: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    there = file(tmp_path, *(f"{each}\n" for each in lines), header="Lease,Rent,Text\n")
    item = {"amount": "Rent", "description": "Text"}

    assert expected == outcome(there, item=item)


def test_a_row_twice_of_a_frame_is_named() -> None:
    """A copy below the first one, sorted by lease: 8,500 is not billed twice (A141)."""
    frame = pd.DataFrame({"Lease": [1, 1, 2], "Rent": [8500.0, 8500.0, float("nan")]})
    mapping = TableMapping(LEASE, **RENT)
    tables = bill_portfolio(mapping.leases(frame), "2026-03").to_tables()

    assert [
        ("1", "row 1", "is the same as row 0, and would be billed twice"),
        ("2", "row 2, Rent", "is required"),
    ] == [(row["lease_id"], row["path"], row["message"]) for row in tables["problems"].to_pylist()]
    assert 0 == tables["bills"].num_rows


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_cannot_be_gone_through_twice_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "leases.csv"
    os.mkfifo(pipe)
    with pytest.raises(InvalidRecordError, match="a file, not a pipe or device"):
        outcome(pipe)


def test_a_line_that_cannot_be_read_stops_nothing_beside_earlier_bills(tmp_path: Path) -> None:
    """Its lease is not billed, so that its id is nobody's twice; it is there all the same (A53)."""
    there = file(tmp_path, line("a"), line("b"), line("c"))
    given_ = table(there)
    march, april = "2026-03-01/2026-03-31", "2026-03-01/2026-04-30"
    earlier = bill_portfolio(given_, march).to_table()
    file(tmp_path, line("a"), "b\n", line("c"), line("a"))
    run = bill_portfolio(given_, april, already_billed=earlier)

    assert [("c", 4)] == [
        (row["lease_id"], row["due_date"].month) for row in run.to_table().to_pylist()
    ]
    assert (4, 1, 3) == (run.summary.leases, run.summary.billed, run.summary.with_problems)
    assert 0 == run.summary.gone


@pytest.mark.parametrize("header", ["Lease,Rent\n", "Rent,Lease\n"], ids=["first", "last"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sizes=st.lists(st.integers(1, 3), min_size=1, max_size=6),
    torn=st.sets(st.integers(0, 17)),
    how=st.sampled_from(["short", "long", "empty"]),
)
def test_no_lease_is_billed_without_one_of_its_lines(
    header: str, sizes: list[int], torn: set[int], how: str, tmp_path: Path
) -> None:
    ids = [name for name, size in zip("abcdef", sizes, strict=False) for _ in range(size)]
    lines = []
    for at, name in enumerate(ids):
        cells = [name, str(at)] if header.startswith("Lease") else [str(at), name]
        if at in torn:
            cells = {"short": cells[:1], "long": [*cells, "x"], "empty": ["", *cells]}[how]
        lines.append(",".join(cells) + "\n")
    found = outcome(file(tmp_path, *lines, header=header))
    whole = dict(zip("abcdef", sizes, strict=False))
    untouched = {name for name in whole if not any(ids[at] == name for at in torn if at < len(ids))}

    assert {(name, whole[name]) for name, count, *_ in found if isinstance(count, int)} == {
        (name, count) for name, count, *_ in found if isinstance(count, int)
    }
    assert {name for name, count, *_ in found if isinstance(count, int)} <= untouched
    if not torn:
        assert [*whole.items()] == found


@pytest.mark.parametrize(
    ("encoding", "content"),
    [
        ("utf-8", "\ufeff"),
        ("utf8", "\ufeff"),
        ("UTF_8", "\ufeff"),
        ("utf-16", ""),
        ("utf-8", ""),
    ],
)
def test_a_mark_of_byte_order_is_no_part_of_a_header(
    encoding: str, content: str, tmp_path: Path
) -> None:
    there = tmp_path / "leases.csv"
    there.write_bytes((content + "Lease,Rent\r\nØ,1\r\n").encode(encoding))
    (lease,) = leases(there, encoding=encoding, **RENT)

    assert "Ø" == lease.lease_id


def test_a_compressed_file_is_read_by_its_name(tmp_path: Path) -> None:
    there = tmp_path / "leases.csv.gz"
    there.write_bytes(gzip.compress(b"Lease,Rent\na,1\n"))

    assert [("a", 1)] == outcome(there)
