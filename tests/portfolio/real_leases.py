"""Realistic leases on columns and one by one, also as a service keeps them, and varied ones.

Law: nothing differs.

`python -m tests.portfolio.real_leases [LEASES] [--write FILE]` compares so many, half a million
without a number, billed for months with many adjustments and with few, and adjusted for many years,
and for the year after them from the leases that list these; and says how many leases differ.
"""

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from benchmarks.page_blocks import write_block
from benchmarks.real_portfolios import INDEX, lease_batch
from rentbilling.portfolio import BillRecordBatches, leases_to_arrow
from rentbilling.portfolio.leases.batches import payloads
from rentbilling.portfolio.runs.adjust_runs import AdjustRecordBatches
from rentbilling.terms import reading_context
from tests.portfolio.varied_leases import varied

ASKED: Final = ("2026-03-01/2026-03-31", "2025-11-15/2026-02-14", "2026-01-01/2026-01-31")
YEARS: Final = ("2014-01-01/2025-12-31", "2026-01-01/2026-12-31")
TABLES: Final = ("bills", "adjustments", "notices", "problems")
"""What comes of leases that are billed; lines are in their bills."""
_KINDS: Final = ("realistic", "adjusted", "varied")
_GROUP: Final = 2_000


def leases_of(kind: str, count: int, first: int = 0) -> Any:  # noqa: ANN401 - a record batch
    """Return so many leases of a kind."""
    if kind == "varied":
        return leases_to_arrow(map(varied, range(first, first + count)))
    return lease_batch(kind, count, first=first)


def both_ways(run: Any, leases: Any) -> tuple[Any, Any]:  # noqa: ANN401 - a run, a record batch
    """Return what comes of leases on columns, and one by one."""
    alone = payloads(leases, reading_context(run.policy, exact_texts=True))
    return run.billed(leases), run.billed([*alone])


def billed(asked: str, leases: Any) -> tuple[Any, Any]:  # noqa: ANN401 - a record batch
    return both_ways(BillRecordBatches(asked, indices=INDEX, on_problem="table"), leases)


def adjusted(asked: str, leases: Any) -> tuple[Any, Any]:  # noqa: ANN401 - a record batch
    return both_ways(AdjustRecordBatches(asked, indices=INDEX), leases)


def differing(one: Any, other: Any) -> set[Any]:  # noqa: ANN401 - what comes of a batch
    """Return the leases for which a table has other rows: their numbers, or their ids."""
    found: set[Any] = set()
    for name in (*TABLES, "leases"):
        if not hasattr(one, name):
            continue
        tables = [_by_lease(getattr(each, name)) for each in (one, other)]
        found |= {row for row in {*tables[0], *tables[1]} if len({t.get(row) for t in tables}) > 1}
    return found


def _by_lease(table: Any) -> dict[Any, str]:  # noqa: ANN401 - a record batch
    rows: dict[Any, list[Any]] = {}
    for row in table.to_pylist():
        rows.setdefault(row.get("row", row["lease_id"]), []).append(row)
    return {number: str(own) for number, own in rows.items()}


def as_markdown(leases: int, wrong: int) -> str:
    days, years = ", ".join(ASKED), " and ".join(YEARS)
    return (
        f"{leases:,} leases, a third of them adjusted already and a third varied, billed for {days}"
        f" or adjusted for {years}; {wrong:,} of them differ."
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.portfolio.real_leases")
    parser.add_argument("leases", type=int, nargs="?", default=500_000)
    parser.add_argument("--write", type=Path, metavar="FILE", help="rewrite the block of a page")
    arguments = parser.parse_args()
    leases, wrong, turns = arguments.leases, 0, len(ASKED) + 1
    for group, first in enumerate(range(0, leases, _GROUP)):
        kind = _KINDS[group // turns % len(_KINDS)]
        batch = leases_of(kind, min(_GROUP, leases - first), first)
        if group % turns < len(ASKED):
            found = [billed(ASKED[group % turns], batch)]
        else:
            found = [adjusted(YEARS[0], batch)]
            found += [adjusted(each, found[-1][0].leases) for each in YEARS[1:]]
        wrong += sum(len(differing(*each)) for each in found)
        print(f"{first + batch.num_rows} leases, {wrong} differ", flush=True)
    if arguments.write is not None:
        write_block(arguments.write, "portfolios", as_markdown(leases, wrong))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
