"""What a portfolio's month costs from Arrow to Arrow, against the scalar engine.

Law: both answer the same question for the same leases. The scalar engine gets records that are
judged already and compiles them, as a run over a portfolio must.
"""

from functools import partial
from typing import Final

from benchmarks import wire, workload
from benchmarks.timing import best_times, in_pieces
from rentbilling import LeaseTerms, Period, compile_terms, pending_bills
from rentbilling.policy import DEFAULT
from rentbilling.portfolio.kernel.writing import bill_batch
from rentbilling.portfolio.leases.batches import leases_to_arrow

ARROW: Final = 1_000
"""Leases in a batch of Arrow."""


def _billed(terms: LeaseTerms, period: Period) -> object:
    return pending_bills(compile_terms(terms), period)


def times(period: Period, sample: int, rounds: int) -> dict[str, float]:
    """Return the seconds that one lease takes each; the scalar engine bills a sample."""
    leases = [wire.lease_terms(each) for each in workload.leases(ARROW)]
    found = best_times(
        {
            "scalar": in_pieces(_billed, leases[:sample], period, size=5),
            "arrow": [partial(bill_batch, leases_to_arrow(leases), period, DEFAULT)],
        },
        rounds,
    )
    return {"scalar": found["scalar"] / sample, "arrow": found["arrow"] / ARROW}
