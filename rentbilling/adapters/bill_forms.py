"""The forms of a file of bills, read by commands without loading Arrow."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

Form = Literal["parquet", "csv", "jsonl"]
"""A kind of file: Parquet, CSV with a row for each line, or JSON with a line for each bill."""

FORMS: Final[tuple[Form, ...]] = get_args(Form)

SUFFIXES: Final[Mapping[str, Form]] = MappingProxyType(
    {
        ".parquet": "parquet",
        ".pq": "parquet",
        ".csv": "csv",
        ".jsonl": "jsonl",
        ".ndjson": "jsonl",
    }
)
