"""No text of a CSV file is a formula, wherever a spreadsheet splits it; and all are read back."""

import csv
import io
import re
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import example, given, strategies as st

from rentbilling.codec import csv_text
from rentbilling.codec.csv_texts import safe
from rentbilling.portfolio import leases_to_arrow
from rentbilling.testing import a_lease, a_rent
from tests.architecture.sources import ALL_MODULES, text_of
from tests.support.rows import rows
from tests.support.run_files import made

SEPARATORS = ";,|\t"
BREAKS = "\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
PASSED_OVER = " \u00a0\"'\x00\u200b\ufeff"

texts = st.text(st.sampled_from(SEPARATORS + BREAKS + SIGNS + PASSED_OVER + "x1"), max_size=12)


@rows(
    ("text", "expected"),
    [
        ("=1+1", "'=1+1"),
        ("x;=1+1", "x;'=1+1"),
        ("x;  =1+1", "x;'  =1+1"),
        ('x;"=1+1"', 'x;\'"=1+1"'),
        ("x;y;@SUM(A1);z", "x;y;'@SUM(A1);z"),
        ("x\t+1", "x\t'+1"),
        ("x|-1", "x|'-1"),
        ("x, -1", "x,' -1"),
        ("x\r\n=1", "x\r\n'=1"),
        ("x\u2028=1", "x\u2028'=1"),
        (";=1", ";'=1"),
        ("x;'=1", "x;''=1"),
        ("\tx", "'\tx"),
        ("2 - 1 = 1", "2 - 1 = 1"),
        ("key:rent; parking", "key:rent; parking"),
        ("a@b.dk", "a@b.dk"),
        ("'quoted'", "'quoted'"),
        ("", ""),
    ],
)
def test_an_apostrophe_is_written_where_a_formula_would_begin(text: str, expected: str) -> None:
    assert expected == safe(text)


@given(st.lists(texts, min_size=1, max_size=3))
@example(["x;=1+1"])
@example(['";=1'])
@example(["x;", "=1"])
def test_no_cell_is_a_formula_wherever_it_is_split(cells: list[str]) -> None:
    written_text = csv_text([cells])
    pieces = re.split(f"[{re.escape(SEPARATORS + BREAKS)}]", written_text)
    for separator in SEPARATORS:
        rows = csv.reader(io.StringIO(written_text, newline=""), delimiter=separator)
        pieces += [cell for row in rows for cell in row]

    passed_over = PASSED_OVER.replace("'", "") + SEPARATORS + BREAKS
    assert not [piece for piece in pieces if piece.lstrip(passed_over).startswith(tuple(SIGNS))]


def restored(text: str) -> str:
    """Return a text without the apostrophes that were written into it, as the guide says it."""
    found = ""
    for at, sign in enumerate(text):
        begins = at == 0 or text[at - 1] in SEPARATORS + BREAKS
        rest = text[at + 1 :].lstrip(PASSED_OVER)
        formula = rest.startswith(tuple(SIGNS)) or (at == 0 and rest.startswith(("\t", "\r", "\n")))
        found += "" if begins and sign == "'" and formula else sign
    return found


@given(st.lists(texts, min_size=1, max_size=3))
def test_every_text_is_read_back(cells: list[str]) -> None:
    ((*read,),) = csv.reader(io.StringIO(csv_text([cells]), newline=""))

    assert cells == [restored(each) for each in read]


def test_figures_and_days_are_no_texts() -> None:
    assert "-1.50,-1,\r\n" == csv_text([[Decimal("-1.50"), -1, None]])
    assert "'=1\r\n" == csv_text([[type("Odd", (), {"__str__": lambda _: "=1"})()]])


ODD, WRITTEN = "x;=1+1", "x;'=1+1"


def cells_of(text: str) -> set[str]:
    return {cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row}


def test_a_bill_run_writes_its_texts_in_this_way(tmp_path: Path) -> None:
    leases, out = tmp_path / "leases.parquet", tmp_path / "bills.csv"
    lease = a_lease(a_rent(description="y\t@SUM(A1)"), lease_id=ODD)
    pq.write_table(pa.Table.from_batches([leases_to_arrow([lease])]), leases)
    made(leases, out)

    assert {WRITTEN, "y\t'@SUM(A1)"} <= cells_of(out.read_bytes().decode())


def test_one_module_writes_csv() -> None:
    writing = [path.name for path in ALL_MODULES if re.search(r"csv\.\w*[wW]riter", text_of(path))]

    assert ["csv_texts.py"] == writing
