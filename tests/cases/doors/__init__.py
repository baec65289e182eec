"""Every other way to the same figures.

`python -m tests.cases.doors` prints which cases a door cannot say, and why.
"""

from tests.cases.doors.asked import Asked, Door, difference
from tests.cases.doors.columns import NOT_BY_COLUMNS, by_columns
from tests.cases.doors.files import NOT_BY_CSV, by_csv, by_parquet, by_run_texts
from tests.cases.doors.judges import (
    NOT_BY_ORACLE,
    by_checks,
    by_comparing,
    by_explanations,
    by_oracle,
)
from tests.cases.doors.paths import NOT_BY_PATHS, by_paths
from tests.cases.doors.payers import by_payers
from tests.cases.doors.texts import by_json, by_pickle, by_print, by_schema
from tests.cases.doors.wires import NOT_BY_HTTP, by_http, by_shell

DOORS = {
    "json": Door(by_json),
    "pickle": Door(by_pickle),
    "print": Door(by_print),
    "schema": Door(by_schema),
    "columns": Door(by_columns, NOT_BY_COLUMNS),
    "parquet": Door(by_parquet),
    "csv": Door(by_csv, NOT_BY_CSV),
    "run_texts": Door(by_run_texts, NOT_BY_COLUMNS),
    "paths": Door(by_paths, NOT_BY_PATHS),
    "explanations": Door(by_explanations),
    "oracle": Door(by_oracle, NOT_BY_ORACLE),
    "check_bill": Door(by_checks),
    "compare_bills": Door(by_comparing),
    "payers": Door(by_payers),
    "http": Door(by_http, NOT_BY_HTTP),
    "shell": Door(by_shell),
}

__all__ = ["DOORS", "Asked", "Door", "difference"]
