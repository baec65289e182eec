"""Realistic leases billed on columns and one by one, also as a service keeps them, and varied ones.

Law: nothing differs.

`python -m tests.portfolio.real_leases [LEASES] [--write FILE]` compares so many, half a million
without a number, for months with many adjustments and with few, and says how many leases differ.
"""

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from benchmarks.page_blocks import write_block
from benchmarks.real_portfolios import INDEX, lease_batch
from rentbilling.policy import DEFAULT
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow
from rentbilling.portfolio.leases.batches import payloads
from rentbilling.portfolio.runs.batch_runs import BilledBatch
from rentbilling.terms import reading_context
from tests.portfolio.varied_leases import varied

ASKED: Final = ("2026-03-01/2026-03-31", "2025-11-15/2026-02-14", "2026-01-01/2026-01-31")
TABLES: Final = ("bills", "adjustments", "notices", "problems")
"""All that comes of leases; lines are in their bills."""
_KINDS: Final = ("realistic", "adjusted", "varied")
_GROUP: Final = 2_000


def both_ways(
    asked: str, first: int, count: int, kind: str = "realistic"
) -> tuple[BilledBatch, BilledBatch]:
    """Return what comes of realistic leases on columns, and one by one."""
    if kind == "varied":
        return compared(leases_to_arrow(map(varied, range(first, first + count))), asked)
    return compared(lease_batch(kind, count, first=first), asked)


def compared(batch: Any, asked: str) -> tuple[BilledBatch, BilledBatch]:  # noqa: ANN401 - a batch
    """Return what comes of a batch of leases on columns, and one by one."""
    run = BillRecordBatches(asked, indices=INDEX, on_problem="table")
    alone = payloads(batch, reading_context(DEFAULT, exact_texts=True))
    return run.billed(batch), run.billed([*alone])


def differing(one: Any, other: Any) -> set[int]:  # noqa: ANN401 - tables by their names
    """Return the numbers of the leases for which a table has other rows."""
    found: set[int] = set()
    for name in TABLES:
        tables = [_by_lease(getattr(each, name)) for each in (one, other)]
        found |= {row for row in {*tables[0], *tables[1]} if len({t.get(row) for t in tables}) > 1}
    return found


def _by_lease(table: Any) -> dict[int, str]:  # noqa: ANN401 - a record batch
    rows: dict[int, list[Any]] = {}
    for row in table.to_pylist():
        rows.setdefault(row["row"], []).append(row)
    return {number: str(own) for number, own in rows.items()}


def as_markdown(leases: int, wrong: int) -> str:
    days = ", ".join(ASKED)
    return (
        f"{leases:,} leases, half of them adjusted already, for {days}; {wrong:,} of them differ."
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.portfolio.real_leases")
    parser.add_argument("leases", type=int, nargs="?", default=500_000)
    parser.add_argument("--write", type=Path, metavar="FILE", help="rewrite the block of a page")
    arguments = parser.parse_args()
    leases, wrong = arguments.leases, 0
    for group, first in enumerate(range(0, leases, _GROUP)):
        asked, kind = ASKED[group % len(ASKED)], _KINDS[group // len(ASKED) % len(_KINDS)]
        one, other = both_ways(asked, first, min(_GROUP, leases - first), kind)
        wrong += len(differing(one, other))
        print(f"{first + one.summary.leases} leases, {wrong} differ", flush=True)
    if arguments.write is not None:
        write_block(arguments.write, "portfolios", as_markdown(leases, wrong))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
