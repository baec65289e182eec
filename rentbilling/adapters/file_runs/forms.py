"""Forms: the bills in a part of a run, as text or in Arrow, and the maker of parts.

Laws: a part is bytes, made of its leases alone, the same in every process; text parts one
after another between a head and a tail are a whole file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import pyarrow as pa

from rentbilling.adapters.bill_forms import FORMS, SUFFIXES, Form
from rentbilling.adapters.file_runs.part_tasks import compressed, leases_of
from rentbilling.adapters.icalendar import HEAD, NO_EVENTS, TAIL, event_of
from rentbilling.billing import BillingResult
from rentbilling.codec import csv_of, csv_text
from rentbilling.errors import InvalidRecordError, check_word
from rentbilling.policy import policy_of
from rentbilling.portfolio.arrow.column_types import PROBLEM_SCHEMA
from rentbilling.portfolio.runs.batch_runs import WRITTEN, BillRecordBatches
from rentbilling.portfolio.runs.bill_results import bill_of_row
from rentbilling.portfolio.runs.bill_texts import csv_lines_of, json_lines_of
from rentbilling.portfolio.runs.summaries import COUNTS, SUMS, RunSummary, Sums
from rentbilling.records import wire_name, write_json

SummaryData = Mapping[str, Any]
"""Plain data for JSON."""


def summary_data(summary: RunSummary) -> SummaryData:
    """Return a summary as data.

    Examples:
        >>> summary_data(RunSummary(leases=1, billed=1))["billed"]
        1
    """
    counts = {name: getattr(summary, name) for name in COUNTS}
    return counts | {name: _sums_data(getattr(summary, name)) for name in SUMS}


def summary_of(data: SummaryData) -> RunSummary:
    """Return the summary that some data were made of.

    Examples:
        >>> summary_of(summary_data(RunSummary(leases=1, billed=1))).billed
        1
    """
    fields: dict[str, Any] = {name: data[name] for name in COUNTS}
    fields.update({name: _sums_of(name, data[name]) for name in SUMS})
    return RunSummary(**fields)


def _sums_data(sums: Sums) -> list[Any]:
    return [
        [[str(each) if isinstance(each, Decimal) else each for each in key], [*figures]]
        for key, figures in sums.items()
    ]


def _sums_of(name: str, data: list[Any]) -> Sums:
    found: dict[tuple[Any, ...], list[int]] = {}
    for key, figures in data:
        if name == "rate_sums":
            *others, rate = key
            found[*others, None if rate is None else Decimal(rate)] = figures
        else:
            found[tuple(key)] = figures
    return found


TEXTS: Final[Mapping[Form, tuple[str, str, str]]] = MappingProxyType(
    {
        "csv": (csv_of(BillingResult(()), full=True), "", ""),
        "jsonl": ("", "", ""),
        "ics": (HEAD, NO_EVENTS, TAIL),
    }
)
"""The beginning of a file of texts, its content without bills, and its end."""


PROBLEM_HEADS: Final[Mapping[Form, str]] = MappingProxyType(
    {"csv": csv_text([PROBLEM_SCHEMA.names]), "jsonl": ""}
)
"""The beginning of a file of problems as text."""


def problem_text(stream: bytes, form: Form) -> bytes:
    """Return the problems of a part as rows of CSV, or as lines of JSON."""
    with pa.ipc.open_stream(stream) as batches:
        rows = [row for batch in batches for row in batch.to_pylist()]
    if form == "csv":
        return csv_text(row.values() for row in rows).encode()
    data = ({wire_name(name): value for name, value in row.items()} for row in rows)
    return "".join(f"{write_json(each)}\n" for each in data).encode()


def form_of(out: Path, form: Form | None) -> Form:
    """Return what bills are written as.

    Raises:
        UnknownWordError: It is not a known word.
        InvalidRecordError: The name has no known ending.

    Examples:
        >>> form_of(Path("bills.csv"), None), form_of(Path("bills.csv"), "jsonl")
        ('csv', 'jsonl')
    """
    if form is None:
        found = SUFFIXES.get(out.suffix.lower())
        if found is None:
            said = "does not tell what the bills are written as"
            expected = f"a name that ends in {', '.join(SUFFIXES)}, or the form as well"
            raise InvalidRecordError.of("out", "unknown_form", said, str(out), expected)
        return found
    check_word("form", form, FORMS)
    return form


class MadePart(NamedTuple):
    """The outcome for the leases of a part."""

    first_row: int
    leases: int
    tables: Mapping[str, bytes]
    """Streams of Arrow; the bills as their form has them."""
    summary: SummaryData


@dataclass(frozen=True)
class PartMaker:
    """Makes parts; it pickles, and makes the same of the same leases in every process."""

    bill: BillRecordBatches
    """Bills a batch."""
    form: Form
    stamp: datetime | None = None
    """DTSTAMP of a calendar, see `icalendar`."""
    tables: tuple[str, ...] = ("bills", "problems")
    """The tables of a part; the bills are one of them."""

    def __call__(self, sent: Iterable[Any], first_row: int) -> MadePart:
        """Return the part that some leases make."""
        row, summary = first_row, RunSummary()
        texts: list[bytes] = []
        streams = {name: _Stream(WRITTEN[name]) for name in self.tables if not self._is_text(name)}
        for batch in leases_of(sent):
            made = self.bill.billed(batch, row)
            row += batch.num_rows
            summary += made.summary
            for name, stream in streams.items():
                stream.add(getattr(made, name))
            if self._is_text("bills"):
                texts.append(self._text(made.bills))
            # No reference to a batch is left while the next one is billed.
            del batch, made
        tables: dict[str, bytes] = {
            name: b"".join(texts) if self._is_text(name) else streams[name].end()
            for name in self.tables
        }
        return MadePart(first_row, row - first_row, tables, summary_data(summary))

    def _is_text(self, name: str) -> bool:
        return name == "bills" and self.form != "parquet"

    def _text(self, bills: Any) -> bytes:  # noqa: ANN401 - a record batch
        policy = policy_of(self.bill.policy)
        if self.form == "csv":
            text = csv_lines_of(bills, policy)
        elif self.form == "jsonl":
            text = json_lines_of(bills, policy)
        else:
            text = "".join(
                event_of(
                    bill_of_row(row, policy), row["lease_id"], row=row["row"], stamp=self.stamp
                )
                for row in bills.to_pylist()
            )
        return text.encode("utf-8", "backslashreplace")


class _Stream:
    """Record batches that become bytes."""

    def __init__(self, schema: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        self._sink = pa.BufferOutputStream()
        self._writer = pa.ipc.new_stream(self._sink, schema, options=compressed())

    def add(self, batch: Any) -> None:  # noqa: ANN401 - pyarrow has no types
        """Take a record batch; one that is empty says nothing."""
        if batch.num_rows:
            self._writer.write_batch(batch)

    def end(self) -> bytes:
        self._writer.close()
        return bytes(self._sink.getvalue())
