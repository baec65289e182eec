"""Forms: what bills look like in a part of a run, and what a part is made by.

Laws: a part is bytes, made of its leases alone, the same in every process; text parts stand one
after another between a head and a tail, and are a whole file then.
What does not live here: where parts are kept (`parts`), who makes them (`engines`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, get_args

import pyarrow as pa

from rentbilling.adapters.bill_runs.summaries import SummaryData, summary_data
from rentbilling.adapters.cli.rows import csv_of
from rentbilling.adapters.icalendar import HEAD, TAIL, event_of
from rentbilling.bill_texts import BillWriter
from rentbilling.json_text import quoted
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.portfolio.batch_runs import SCHEMAS, BilledBatch, BillRecordBatches, Output
from rentbilling.portfolio.earlier_bills import bill_of_row
from rentbilling.portfolio.run_summaries import RunSummary
from rentbilling.results import BillingResult, PendingBill

Form = Literal["parquet", "csv", "jsonl", "ics"]
"""A kind of file: Parquet, CSV with a row for each line, JSON with a line for each bill, or the due
dates as iCalendar."""

FORMS: Final[tuple[Form, ...]] = get_args(Form)

HEADS: Final[Mapping[Form, str]] = MappingProxyType(
    {"csv": csv_of(BillingResult(()), full=True), "jsonl": "", "ics": HEAD}
)
"""What a file of texts begins with."""

TAILS: Final[Mapping[Form, str]] = MappingProxyType({"csv": "", "jsonl": "", "ics": TAIL})
"""What it ends with."""


class PartTask(NamedTuple):
    """Leases that are billed together."""

    number: int
    """Of the part, from 0."""
    first_row: int
    """Number of its first lease in the source."""
    leases: Sequence[Any]
    """Record batches."""

    def packed(self) -> bytes:
        """Return the leases as bytes, to be sent to another process."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, self.leases[0].schema) as writer:
            for batch in self.leases:
                writer.write_batch(batch)
        return bytes(sink.getvalue())


class MadePart(NamedTuple):
    """What came of the leases of a part."""

    first_row: int
    leases: int
    tables: Mapping[Output, bytes]
    """Streams of Arrow; the bills as their form has them."""
    summary: SummaryData


@dataclass(frozen=True)
class PartMaker:
    """Makes parts; it pickles, and makes the same of the same leases in every process."""

    bill: BillRecordBatches
    """What bills a batch."""
    form: Form
    stamp: datetime | None = None
    """DTSTAMP of a calendar, see `icalendar`."""
    tables: tuple[Output, ...] = ("bills", "problems")
    """The tables of a part; the bills are one of them."""

    def __call__(self, packed: bytes, first_row: int) -> MadePart:
        """Return the part that some packed leases make."""
        with pa.ipc.open_stream(packed) as reader:
            return self.made(reader, first_row)

    def made(self, leases: Iterable[Any], first_row: int) -> MadePart:
        """Return the part that record batches of leases make.

        Args:
            leases: The batches.
            first_row: Number of their first lease.

        Returns:
            The part.

        Raises:
            RentBillingError: A lease cannot be billed, with `on_problem="raise"`.
        """
        row, summary = first_row, RunSummary()
        kept: dict[Output, list[Any]] = {name: [] for name in self.tables}
        for batch in leases:
            made = self.bill.billed(batch, row)
            row += batch.num_rows
            summary += made.summary
            for name, found in kept.items():
                found.append(self._formed(name, made))
        tables = {
            name: b"".join(found) if self._is_text(name) else _stream(found, SCHEMAS[name])
            for name, found in kept.items()
        }
        return MadePart(first_row, row - first_row, tables, summary_data(summary))

    def _is_text(self, name: Output) -> bool:
        """Return whether a table is written as a text."""
        return name == "bills" and self.form != "parquet"

    def _formed(self, name: Output, made: BilledBatch) -> Any:  # noqa: ANN401 - text or batch
        """Return a table of what came of a batch, as it is written."""
        return self._text(made.bills) if self._is_text(name) else getattr(made, name)

    def _text(self, bills: Any) -> bytes:  # noqa: ANN401 - a record batch
        """Return bills as a text."""
        policy = policy_of(self.bill.policy)
        writer = BillWriter(full=True, period_end=policy.period_end)
        texts: list[str] = []
        for row, lease_id, bill in _bills_of(bills, policy):
            if self.form == "csv":
                rows = csv_of(BillingResult((bill,), lease_id=lease_id), full=True)
                texts.append(rows[len(HEADS["csv"]) :])
            elif self.form == "jsonl":
                named = "null" if lease_id is None else quoted(lease_id)
                texts.append(f'{{"row": {row}, "leaseId": {named}, {writer.bill(bill)[1:]}\n')
            else:
                key = f"row {row}" if lease_id is None else f"lease {lease_id}"
                texts.append(event_of(bill, lease_id, key, stamp=self.stamp))
        return "".join(texts).encode("utf-8", "backslashreplace")


def _bills_of(
    bills: Any,  # noqa: ANN401 - a record batch
    policy: BillingPolicy,
) -> Iterator[tuple[int, str | None, PendingBill]]:
    """Give the bills of a batch, each with the number and the id of its lease."""
    for row in bills.to_pylist():
        yield row["row"], row["lease_id"], bill_of_row(row, policy)


def _stream(batches: Iterable[Any], schema: Any) -> bytes:  # noqa: ANN401 - a schema
    """Return record batches as bytes, without those that are empty."""
    sink = pa.BufferOutputStream()
    # They are kept for minutes, and are read once.
    small = "lz4" if pa.Codec.is_available("lz4_frame") else None
    options = pa.ipc.IpcWriteOptions(compression=small)
    with pa.ipc.new_stream(sink, schema, options=options) as writer:
        for batch in batches:
            if batch.num_rows:
                writer.write_batch(batch)
    return bytes(sink.getvalue())
