"""`rentbilling verify` of tables: a thousand bills of a vendor, with five causes named.

A bill of 8,000 net and 25 % VAT: 2,000 VAT, 10,000 in total.
"""

import json
from datetime import date
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from rentbilling import dumps, pending_bills
from rentbilling.adapters.workbooks import read_xlsx, write_xlsx
from rentbilling.errors import InvalidRecordError
from rentbilling.tables import Table, columns
from rentbilling.testing import a_lease, a_rent
from tests.support.command_line import refused, run, written

LEASE = a_lease(a_rent(amount=8000, vat="Exclusive 0.25"), lease_id="a")
MAP = """
[bill]
number = "Nr"
due_date = "Due"
quantity = "Units"
amount = "Price"
net_price = "Net"
vat = "VAT"
tax_rate = "Rate"
period_start = "From"
period_end = "To"
bill_subtotal = "Subtotal"
bill_total = "Total"
[constants]
currency = "DKK"
product_key = "key:rent"
[format]
date = "DD.MM.YYYY"
decimal = ","
delimiter = ";"
"""
HEAD = "Nr;Due;Units;Price;Net;VAT;Rate;From;To;Subtotal;Total\n"
RIGHT = "01.02.2026;1;8000,00;8000,00;2000,00;25 %;01.02.2026;28.02.2026;8000,00;10000,00"
PLANTED = {
    "total": ("10000,00", "10000,01"),
    "vat_amount": ("2000,00;25 %", "2000,50;25 %"),
    "net_price": ("1;8000,00", "2;8000,00"),
    "subtotal": ("8000,00;10000,00", "8000,02;10000,02"),
}


def table(folder: Path, count: int) -> str:
    """Write bills of which every hundredth is wrong, in one of five ways."""
    rows, wrongs = [], [*PLANTED.values(), None]
    for number in range(1, count + 1):
        row = f"{number};{RIGHT}\n"
        if number % 100 == 0:
            wrong = wrongs[number // 100 % 5]
            # The fifth cause: the same line twice on a bill.
            twice = row.replace("8000,00;10000,00", "16000,00;20000,00") * 2
            row = twice if wrong is None else row.replace(*wrong)
        rows.append(row)
    return written(folder, "vendor.csv", HEAD + "".join(rows))


def test_a_thousand_bills_and_five_causes(tmp_path: Path) -> None:
    given = table(tmp_path, 1000), "--map", written(tmp_path, "map.toml", MAP)

    found = run("verify", *given, "--format", "json")

    data = json.loads(found.stdout)
    assert (3, 1000, 992) == (
        found.exit_code,
        data["counts"]["bills"],
        data["counts"]["consistent"],
    )
    causes = {each["code"]: each["bills"] for each in data["causes"]}
    # A VAT that is off makes its total off, too.
    assert {**dict.fromkeys(PLANTED, 2), "total": 4, "duplicate_line": 2} == causes
    said = run("verify", *given).stdout
    assert "1000 bills: 992 consistent, 8 with errors" in said
    assert all(f"  {code}: " in said for code in PLANTED)
    # Whoever asks the vendor needs the numbers of its bills.
    wrong = [each["number"] for each in data["bills"] if not each["isConsistent"]]
    assert wrong == [f"{number}00" for number in range(1, 11) if number % 5 != 4]
    assert "\n1000  2026-02-01" in said
    assert "number 1000, due 2026-02-01" in run("verify", *given, "--format", "junit").stdout


def test_a_table_without_leases_has_bills_of_the_lease(tmp_path: Path) -> None:
    lease = written(tmp_path, "lease.json", dumps(LEASE))
    given = written(tmp_path, "one.csv", f"{HEAD}1;{RIGHT}\n")
    named = "--map", written(tmp_path, "map.toml", MAP)

    found = run("verify", given, *named, "--against", lease, "--period", "2026-02")

    assert (found.exit_code, found.stdout) == (0, "1 bill, no difference\n")


def test_headers_with_semicolons_are_a_table(tmp_path: Path) -> None:
    given = written(tmp_path, "one.csv", f"{HEAD}1;{RIGHT}\n")

    assert "line 1: the delimiter seems to be ';' (met ','; " in refused(run("verify", given))


def test_bills_of_a_table_are_compared_with_a_lease(tmp_path: Path) -> None:
    lease = written(tmp_path, "lease.json", dumps(LEASE))
    own = run("bills", lease, "--period", "2026", "--format", "csv", "--full").stdout
    asked = ("--against", lease, "--period", "2026")

    assert 0 == run("verify", written(tmp_path, "own.csv", own), *asked).exit_code
    assert 3 == run("verify", "-", *asked, given=own.replace("8000.00", "8100.00")).exit_code
    # The last column is what is payable: 10,000.00, and not 10,000.01.
    dearer = own.replace(",10000.00\n", ",10000.01\n", 1)
    found = run("verify", "-", *asked, given=dearer)
    assert 3 == found.exit_code
    assert "cash rounding: expected 0.00 DKK, actual 0.01 DKK" in found.stdout
    mapped = written(tmp_path, "map.toml", MAP)
    assert 3 == run("verify", table(tmp_path, 1), "--map", mapped, *asked).exit_code


def workbook(*cells: object) -> bytes:
    """Return a workbook of a table with one row."""
    names = "due_date currency net_price period_start period_end"
    book = BytesIO()
    write_xlsx(book, {"bills": Table(columns(text=names), [cells])})  # type: ignore[arg-type]
    return book.getvalue()


ROW = date(2026, 2, 1), "DKK", 8500, date(2026, 2, 1), date(2026, 2, 28)


def changed(given: bytes, old: bytes, new: bytes) -> bytes:
    """Return a workbook whose parts have other text."""
    made = BytesIO()
    with ZipFile(BytesIO(given)) as source, ZipFile(made, "w") as target:
        for each in source.infolist():
            target.writestr(each.filename, source.read(each).replace(old, new))
    return made.getvalue()


def test_bills_of_a_workbook() -> None:
    pytest.importorskip("openpyxl", reason="needs the extra excel")
    found = run("verify", "-", "--format", "json", given=workbook(*ROW))

    (bill,) = json.loads(found.stdout)["bills"]
    assert (bill["dueDate"], bill["isConsistent"]) == ("2026-02-01", True)
    assert bill["total"]["amount"] == 8500


def test_hostile_workbooks_are_refused() -> None:
    pytest.importorskip("openpyxl", reason="needs the extra excel")
    book = workbook(*ROW)
    entity = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]>'
    large = BytesIO()
    with ZipFile(large, "w", compresslevel=9, compression=8) as archive:
        archive.writestr("x.xml", b"0" * (65 << 20))
    for given, said in {
        changed(book, b"<worksheet", entity + b"<worksheet"): "entities or a document type",
        changed(book, b"<v>8500</v>", b"<f>1+1</f><v>2</v>"): "has a formula in C2",
        changed(book, b"period_end", b"due_date"): "has a header twice",
        changed(book, b'r="E2"', b'r="XFD1048576"'): "spans more than 4,000,000 cells",
        changed(book, b"<sheets>", b"<sheet>"): "cannot be read",
        large.getvalue(): "unpacks to more than 64 MiB",
        b"PK\x03\x04": "is no workbook",
    }.items():
        with pytest.raises(InvalidRecordError, match=said):
            read_xlsx(given)
    assert "is no workbook" in refused(run("verify", "-", given=b"PK\x03\x04"))


def test_tables_that_are_refused(tmp_path: Path) -> None:
    mapped = written(tmp_path, "map.toml", MAP)

    assert "is not UTF-8" in refused(run("verify", "-", "--map", mapped, given=b"N\xff"))
    assert "gone.toml" in refused(run("verify", "-", "--map", "gone.toml", given=b""))
    assert "currency: is required" in refused(run("verify", "-", given=b"due_date,item_id\n"))
    assert "is no column" in refused(run("verify", "-", "--map", mapped, given=b"a;b\n"))
    assert "seems to be ','" in refused(run("verify", "-", "--map", mapped, given=b"a,b\n"))


def test_rows_that_cannot_be_read_are_findings(tmp_path: Path) -> None:
    """The other bills are checked: 2 is a cent too high; 3 has a price that is no number."""
    rows = [RIGHT, RIGHT.replace("10000,00", "10000,01"), RIGHT.replace("1;8000", "1;8o00"), RIGHT]
    text = HEAD + "".join(f"{number};{row}\n" for number, row in enumerate(rows, 1))
    mapped = written(tmp_path, "map.toml", MAP)
    found = run("verify", "-", "--map", mapped, "--format", "json", given=text)

    data = json.loads(found.stdout)
    assert (3, 4, 2) == (found.exit_code, data["counts"]["bills"], data["counts"]["consistent"])
    (lost,) = [each for each in data["bills"] if each["number"] == "3"]
    assert ("not_a_number", "line 4.Price") == tuple(
        lost["findings"][0][name] for name in ("code", "path")
    )
    shown = run("verify", "-", "--map", mapped, given=text).stdout
    assert "Price in line 4 of the table is not a number of this notation" in shown
    junit = run("verify", "-", "--map", mapped, "--format", "junit", given=text)
    assert 'tests="4" failures="2"' in junit.stdout
    # A table of which no row can be read has another notation, and one without rows is empty.
    other = run("verify", "-", "--map", mapped, given=text.replace(",", "."))
    assert "line 2.Price: is not a number of this notation" in refused(other)
    assert "has no rows" in refused(run("verify", "-", "--map", mapped, given=HEAD))
    lease = written(tmp_path, "lease.json", dumps(LEASE))
    asked = ("--map", mapped, "--against", lease, "--period", "2026-02")
    assert "line 4.Price" in refused(run("verify", "-", *asked, given=text))


def test_a_row_of_a_workbook_has_the_number_that_is_shown() -> None:
    pytest.importorskip("openpyxl", reason="needs the extra excel")
    names = "number due_date currency net_price period_start period_end"
    day = ROW[0]
    rows = [("1", day, "DKK", 0.1 + 0.2, day, day), (None,) * 6, ("2", day, "DKK", "x", day, day)]
    book = BytesIO()
    write_xlsx(book, {"bills": Table(columns(text=names), rows)})  # type: ignore[arg-type]

    found = run("verify", "-", "--format", "json", given=book.getvalue())

    lost, right = json.loads(found.stdout)["bills"]
    assert ("row 4.net_price", "2") == (lost["findings"][0]["path"], lost["number"])
    assert (0.3, True) == (right["total"]["amount"], right["isConsistent"])


def test_the_number_of_a_bill_is_in_every_report(tmp_path: Path) -> None:
    """2 is 100 too low and 3 is right; the second bill falls due a day late."""
    lease = written(tmp_path, "lease.json", dumps(LEASE))
    rows = (
        "2;01.02.2026;1;7900,00;7900,00;1975,00;25 %;01.02.2026;28.02.2026;7900,00;9875,00",
        "3;02.03.2026;1;8000,00;8000,00;2000,00;25 %;01.03.2026;31.03.2026;8000,00;10000,00",
    )
    given = written(tmp_path, "two.csv", HEAD + "\n".join(rows) + "\n")
    mapped = written(tmp_path, "map.toml", MAP)
    asked = ("verify", given, "--map", mapped, "--against", lease, "--period")
    months = (*asked, "2026-02-01/2026-03-31")
    ignoring = (*months, "--ignore", "due-date")
    table, github = (run(*months, "--format", each).stdout for each in ("table", "github"))
    data = json.loads(run(*ignoring, "--format", "json").stdout)

    assert "Due Sunday 1 February 2026, number 2\n" in table
    assert "Due Sunday 1 March 2026, number 3\n" in table
    assert table.endswith("\n--diagnose looks for what explains them.\n")
    assert "--diagnose" not in run(*months, "--diagnose").stdout
    assert "title=number 2%2C due 2026-02-01" in github
    assert "number 3" not in run(*ignoring).stdout
    assert {"2"} == {each["number"] for each in data["differences"]}
    assert 'name="number 3, due 2026-03-01"/>' in run(*ignoring, "--format", "junit").stdout
    assert 2 == run("verify", given, "--ignore", "due-date").exit_code


def test_causes_of_single_bills_are_shown(tmp_path: Path) -> None:
    """February's rent without its later price, and a VAT of March that nothing explains."""
    rent = a_rent(amount=8000, vat="Exclusive 0.25")
    later = {"value": {"amount": 8400, "currency": "DKK"}, "start": "2026-02-01"}
    lease = a_lease(rent.evolve(amount_records=[later]), lease_id="a")
    months = "2026-02-01/2026-03-31"
    february, march = pending_bills(LEASE, "2026-02"), pending_bills(lease, "2026-03")
    (bill,) = json.loads(dumps(march))["bills"]
    bill["vatTotals"][0]["amount"]["amount"] = 2000.00
    bill["total"]["amount"] = 10400.00
    given = json.dumps([*json.loads(dumps(february))["bills"], bill])
    against = written(tmp_path, "lease.json", dumps(lease))
    found = run(
        "verify", "-", "--against", against, "--period", months, "--diagnose", given=given
    ).stdout

    assert "without its price from 2026-02-01 gives this bill" in " ".join(found.split())
    assert "2 causes (1 explained), 6 consequences" in " ".join(found.split())


def test_json_of_another_form_is_one_problem() -> None:
    given = json.dumps([{"number": "1", "lease": "a", "dueOn": "x", "positions": []}] * 12)

    assert refused(run("verify", "-", given=given)).count("\n") == 1
