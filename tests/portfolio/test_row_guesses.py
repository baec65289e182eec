"""What a map says of a rent roll as it is exported: lines that act, and remarks that ask."""

import tomllib
from typing import Any

import pytest

from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio import TableMapping
from tests.portfolio.test_mapping_guesses import start
from tests.portfolio.test_row_rules import CHARGES, STEPS
from tests.support.rows import rows

ROLL = """Property,Unit,Tenant,Status,Market Rent,Rent,Deposit,Lease From,Lease To,Move-in,Move-out
Elm St,1A,Adler,Current,"1,300.00","$1,240.00","$500.00",02/01/2025,01/31/2026,02/01/2025,
Elm St,1B,Brandt,Current,"1,400.00","$1,395.50","$500.00",03/01/2026,02/28/2027,03/16/2026,
Elm St,2A,,Vacant-Unrented,"1,200.00",,,,,,
Elm St,2B,Castro,Past,"1,200.00","$1,100.00","$500.00",04/01/2024,03/31/2026,04/01/2024,03/10/2026
,,3 Units,,"5,100.00","3,735.50",,,,,
"""


def said(text: str) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the lines of a map that act, and its remarks."""
    printed = start(text)
    remarks = [each.removeprefix("# ") for each in printed.splitlines() if each.startswith("# ")]
    return tomllib.loads(printed), remarks[1:]


def test_a_roll_with_totals_and_a_vacant_unit() -> None:
    """1,240 + 1,395.50 + 1,100 = 3,735.50; Lease To is no end, and a sign no currency."""
    acting, remarks = said(ROLL)

    assert {
        "lease": {},
        "item": {"amount": "Rent", "moved_in": "Move-in", "ended_on": "Move-out"},
        "constants": {},
        "rows": {},
        "format": {
            "date": "M/D/YYYY",
            "decimal": ".",
            "thousands": ",",
            "currency_sign": "$",
        },
    } == acting
    assert [
        'missing: id = "Unit"; without it each row is a lease of its own',
        '"Lease To" is no end here: a tenant who stays is billed until ended_on; if none stays:',
        'contract_end = "Lease To"',
        *(
            f'? = "{name}", such as {value!r}'
            for name, value in (("Property", "Elm St"), ("Unit", "1A"))
        ),
        *(
            f'? = "{name}", such as {value!r}'
            for name, value in (("Tenant", "Adler"), ("Status", "Current"))
        ),
        "? = \"Lease From\", such as '02/01/2025'",
        'no rent that is due: "Market Rent", "Deposit"',
        'missing: item.currency: a column, or currency = "DKK" as a constant',
        "rows whose \"Rent\" is the sum of rows above them, such as '3 Units, 5,100.00, 3,735.50':",
        'skip = { "Unit" = [""] }',
        "rows that may be no leases of this month; those with a last day end by it:",
        'skip = { "Unit" = [""], "Status" = ["Past"] }',
        "units without a rent, such as 'Elm St, 2A, Vacant-Unrented, 1,200.00':",
        'vacant = { "Status" = ["Vacant-Unrented"] }',
        "$ says no currency",
    ] == remarks


@rows(
    "text, expected",
    [
        (
            CHARGES,
            [
                'skip = { "Code" = ["Total"] }',
                'fill_down = ["Unit", "Resident", "Name", "Move In", "Move Out"]',
                'vacant = { "Resident" = ["VACANT"] }',
            ],
        ),
        # The last row is the sum, and has a text where the id is.
        ("id,rent,start\na,5,2026-01-01\nb,6,2026-01-01\nAll,11,\n", ['skip = { "id" = ["All"] }']),
        ("id,rent,start\na,5,2026-01-01\nb,6,2026-01-01\nc,11,2026-01-01\nd,1,2026-01-01\n", []),
        # Units are known as vacant by their tenant alone.
        ("id,name,rent,start\na,A,5,2026-01-01\nb,,,\n", ['vacant = { "name" = [""] }']),
        ("id,rent,start\na,5,2026-01-01\nvacant,,\n", ['vacant = { "id" = ["vacant"] }']),
        ("id,rent,start\na,5,2026-01-01\nb,,\n", []),
        ("id,charge,rent,start\na,rent,5,2026-01-01\n,water,2,\n", ['fill_down = ["id", "start"]']),
        ("name,rent,start\nA,5,2026-01-01\n,2,\n", ['fill_down = ["name", "start"]']),
        ("rent,start\n5,2026-01-01\n2,\n", []),
        # Marks that are not certain prove no sum.
        ("id,rent\na,8.500\nb,1.500\nc,10.000\n", []),
        ("id,rent\na\nb,5\n", []),
    ],
)
def test_rows_that_are_no_items_are_proposed(text: str, expected: list[str]) -> None:
    acting, remarks = said(text)
    entries = [each for each in remarks if each.startswith(("skip", "fill_down", "vacant"))]

    assert expected == entries
    assert {} == acting.get("rows", {})
    tomllib.loads("\n".join(entries))


@rows(
    "header, texts, asks",
    [
        ("Frequency", ["Monthly", "Annually"], True),
        ("How", ["Per Month", "pr. år", "jährlich"], True),
        ("Turnus", ["2", "12"], True),
        ("How", ["Monthly", "One-time", ""], True),
        ("State", ["PA", "MO"], False),
        ("Per", [], False),
        ("How", ["Monthly", "by the sea"], False),
    ],
)
def test_a_column_that_says_how_often_is_asked_for(
    header: str, texts: list[str], asks: bool
) -> None:
    """The map is refused until its line is written or struck out."""
    lines = [f"{at},5,2026-01-01,EUR,{text}" for at, text in enumerate(texts or [""])]
    printed = start("\n".join([f"id,rent,start,currency,{header}", *lines]))
    assert asks == ("[words]" in printed)
    if not asks:
        TableMapping.from_toml(printed)
        return
    with pytest.raises(InvalidRecordError, match="has no meaning"):
        TableMapping.from_toml(printed)
    (line,) = (each for each in printed.splitlines() if each.startswith(f'"{header}" = '))
    TableMapping.from_toml(printed.replace(line, ""))
    for field, meaning in (("price_per", '"year"'), ("months", "12")):
        written = printed.replace('""', meaning).replace("[item]", f'[item]\n{field} = "{header}"')
        assert TableMapping.from_toml(written).item[field] == header


def test_steps_of_a_rent_end_with_their_rows() -> None:
    """Their last days are of the item, if anything; neither acts."""
    acting, remarks = said(STEPS.replace("End,", "End Date,", 1))

    assert {"moved_in": "Start", "amount": "Amount"} == acting["item"]
    assert {'contract_end = "End Date"', 'ended_on = "End Date"'} <= {*remarks}
    assert {"Monthly": "", "Annually": "", "Wkly": "", "": ""} == acting["words"]["Frequency"]


@rows(
    "lines, asks",
    [
        (["a,5,2026-01-01,2026-01-31", "a,6,2026-02-01,2026-02-28"], True),
        (["a,5,2026-01-01,2026-01-31", "b,6,2026-02-01,2026-02-28"], False),
        (["a,5,2026-01-01,2026-01-31", "a,6,2026-03-01,"], False),
        (["a,5,2026-01-01,9999-12-31", "a,6,2026-02-01,"], False),
        (["a,5,,2026-01-31", "a,6,x,"], False),
    ],
)
def test_rows_that_follow_each_other_are_refused_until_their_end_is_chosen(
    lines: list[str], asks: bool
) -> None:
    acting, _ = said("\n".join(["id,rent,start,Lease To", *lines]))

    assert asks == (acting.get("words") == {"Lease To": ""})
    assert "words" not in said("\n".join(["id,rent,when,Lease To", *lines]))[0]
    assert "words" not in said("\n".join(["id,rent,start,Lease To,Move-out", *lines]))[0]


def test_what_else_changes_bills_is_named() -> None:
    """When in a period the rent is due, and rows of one id that are two tenants."""
    text = "id,Tenant,rent,start,Timing\na,A,5,2026-01-01,In arrears\na,B,6,2026-02-01,In arrears\n"
    _, remarks = said(text + "c,C,5,2026-01-01,\n")

    assert {
        (
            "\"Timing\" has 'In arrears': a due day counts from the start of its period;"
            ' "due_date_rule.relative_to" = "end" in [constants] counts from its end'
        ),
        '"id" \'a\' has several of "Tenant": rows of one id are billed as one lease',
    } <= {*remarks}
