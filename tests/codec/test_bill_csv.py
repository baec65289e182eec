"""CSV of bills: a row for each line, with more columns where all of them are asked for."""

import csv
from io import StringIO

from rentbilling import pending_bills
from rentbilling.codec import csv_of
from tests.support.rents import rent
from tests.support.rows import rows


@rows("full", [False, True])
def test_a_line_is_a_row_with_a_cell_for_each_column(full: bool) -> None:
    bills = pending_bills(rent(), "2026-02-01/2026-03-31")
    names, *rows = csv.reader(StringIO(csv_of(bills, full=full)))

    assert ["2026-02-01", "2026-03-01"] == [row[names.index("due_date")] for row in rows]
    assert {len(names)} == {len(row) for row in rows}
    assert full == ("bill_total" in names)
