"""Forms of a file of bills, and the names that tell them.

Law: nothing is loaded for it, so that a command knows a form before Arrow is there.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

Form = Literal["parquet", "csv", "jsonl", "ics"]
"""A kind of file: Parquet, CSV with a row for each line, JSON with a line for each bill, or the due
dates as iCalendar."""

FORMS: Final[tuple[Form, ...]] = get_args(Form)

SUFFIXES: Final[Mapping[str, Form]] = MappingProxyType(
    {
        ".parquet": "parquet",
        ".pq": "parquet",
        ".csv": "csv",
        ".jsonl": "jsonl",
        ".ndjson": "jsonl",
        ".ics": "ics",
    }
)
"""The form that the name of a file tells."""
