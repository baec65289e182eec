"""What a portfolio's month costs on columns: against the scalar engine, and against a mere copy.

Law: all engines answer the same question for the same leases. The scalar engine gets records that
are judged already and compiles them, as a run over a portfolio must; compiling is left out beside
it, as if every lease had been billed before.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from benchmarks import columns, wire, workload
from benchmarks.timing import best_times, in_pieces
from rentbilling import LeaseTerms, Period, compile_terms, pending_bills
from rentbilling.policy import DEFAULT
from rentbilling.portfolio.kernel.bills import bill_flat
from rentbilling.portfolio.kernel.items import FlatItems
from rentbilling.portfolio.kernel.writing import bill_batch
from rentbilling.portfolio.leases.batches import leases_to_arrow

FLAT: Final = 20_480
"""Leases on columns."""
PIECES: Final = 5
"""Runs of leases that are timed apart, as short as the kernel cuts them itself."""
ARROW: Final = 1_000
"""Leases in a batch of Arrow."""


def bytes_touched(items: FlatItems, period: Period) -> int:
    return items.nbytes + bill_flat(items, period).nbytes


def _billed(terms: LeaseTerms, period: Period) -> object:
    return pending_bills(compile_terms(terms), period)


def _copy(count: int) -> Callable[[], object]:
    """Return what copies so many bytes from one place to another, both of which are there."""
    source, target = np.ones(count, dtype=np.uint8), np.zeros(count, dtype=np.uint8)
    return partial(np.copyto, target, source)


def times(period: Period, sample: int, rounds: int) -> dict[str, float]:
    """Return the seconds that one lease takes each engine, and a copy of what the columns hold.

    The scalar engine bills a sample.
    """
    leases = [wire.lease_terms(each) for each in workload.leases(ARROW)]
    items, batch = columns.flat_items(FLAT), leases_to_arrow(leases)
    cut = [items.part(at, at + FLAT // PIECES) for at in range(0, FLAT, FLAT // PIECES)]
    some = leases[:sample]
    compiled = [compile_terms(terms) for terms in some]
    found = best_times(
        {
            "scalar": in_pieces(_billed, some, period, size=5),
            "compiled": in_pieces(pending_bills, compiled, period, size=20),
            "flat": in_pieces(bill_flat, cut, period),
            "arrow": [partial(bill_batch, batch, period, DEFAULT)],
            "copy": [_copy(bytes_touched(items, period))],
        },
        rounds,
    )
    counts = {"scalar": sample, "compiled": sample, "flat": FLAT, "arrow": ARROW, "copy": FLAT}
    return {name: took / counts[name] for name, took in found.items()}
