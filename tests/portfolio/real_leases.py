"""Realistic leases billed on columns and one by one: nothing may differ.

`python -m tests.portfolio.real_leases [LEASES]` compares so many, half a million without a number,
for months with many adjustments and with few, and says how many leases differ.
"""

import sys
from typing import Any, Final, get_args

from benchmarks.real_portfolios import INDEX, lease_batch
from rentbilling.policy import DEFAULT
from rentbilling.portfolio import BillRecordBatches
from rentbilling.portfolio.leases.batches import payloads
from rentbilling.portfolio.runs.batch_runs import BilledBatch, Output
from rentbilling.terms import reading_context

ASKED: Final = ("2026-03-01/2026-03-31", "2025-11-15/2026-02-14", "2026-01-01/2026-01-31")
_GROUP: Final = 2_000


def both_ways(asked: str, first: int, count: int) -> tuple[BilledBatch, BilledBatch]:
    """Return what comes of realistic leases on columns, and one by one."""
    return compared(lease_batch("realistic", count, first=first), asked)


def compared(batch: Any, asked: str) -> tuple[BilledBatch, BilledBatch]:  # noqa: ANN401 - a batch
    """Return what comes of a batch of leases on columns, and one by one."""
    run = BillRecordBatches(asked, indices=INDEX, on_problem="table")
    alone = payloads(batch, reading_context(DEFAULT, exact_texts=True))
    return run.billed(batch), run.billed([*alone])


def differing(one: BilledBatch, other: BilledBatch) -> set[int]:
    """Return the numbers of the leases for which a table has other rows."""
    found: set[int] = set()
    for name in get_args(Output):
        tables = [_by_lease(getattr(each, name)) for each in (one, other)]
        found |= {row for row in {*tables[0], *tables[1]} if len({t.get(row) for t in tables}) > 1}
    return found


def _by_lease(table: Any) -> dict[int, str]:  # noqa: ANN401 - a record batch
    rows: dict[int, list[Any]] = {}
    for row in table.to_pylist():
        rows.setdefault(row["row"], []).append(row)
    return {number: str(own) for number, own in rows.items()}


def main(leases: int) -> int:
    wrong = 0
    for group, first in enumerate(range(0, leases, _GROUP)):
        one, other = both_ways(ASKED[group % len(ASKED)], first, min(_GROUP, leases - first))
        wrong += len(differing(one, other))
        print(f"{first + one.summary.leases} leases, {wrong} differ", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500_000))
