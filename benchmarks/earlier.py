"""What a month of a portfolio costs beside the bills of the months before it, each with a history.

Law: every month is the same leases from a file to a file, with a history where earlier bills are
given; months of the past are billed outside of the clock.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks import wire, workload
from benchmarks.measures import Extent, Figures
from benchmarks.timing import Piece, best_times
from rentbilling.portfolio import bill_portfolio, leases_to_arrow
from rentbilling.values import Period, month_start

_FIRST: Final = 2021 * 12 + 5 - 12


def _month(number: int) -> Period:
    """Return a month by its number, the first of which is June 2021."""
    return Period.unchecked(month_start(_FIRST + number), month_start(_FIRST + number + 1) - 1)


def _billed(leases: Any, number: int, sent: Path | None, to: Path) -> None:  # noqa: ANN401
    run = bill_portfolio(leases, _month(number), already_billed=sent)
    history = {} if sent is None else {"history": to / f"{number}.history.parquet"}
    problems = to / "problems.parquet"
    run.write_parquet(to / f"{number}.parquet", problems=problems, others=history)


def _send(leases: Any, months: range, sent: Path) -> None:  # noqa: ANN401
    """Bill some months, one beside the bills of those before it."""
    for number in months:
        earlier = sent if number > months.start else None
        run = bill_portfolio(leases, _month(number), already_billed=earlier)
        others = {"history": sent / f"{number:03d}.history.parquet"}
        problems = sent.with_name("problems.parquet")
        run.write_parquet(sent / f"{number:03d}.parquet", problems=problems, others=others)


def measure_earlier(figures: Figures, extent: Extent) -> None:
    """Measure a month beside those before it, over one without any."""
    found = times(extent.many_leases // 5, extent.future_rounds, extent.months_behind)
    figures.ratios["month_after_24_over_first"] = found[24] / found[0]
    figures.facts["months_behind"] = list(found)
    for behind, seconds in found.items():
        figures.microseconds[f"month_after_{behind}_one_lease"] = 1e6 * seconds


def times(count: int, rounds: int, months: tuple[int, ...]) -> Mapping[int, float]:
    """Return the seconds of a month beside so many months of bills, by their number; 0 is none."""
    terms = (wire.lease_terms(each) for each in workload.leases(count))
    leases = leases_to_arrow([each.evolve(lease_id=f"lease-{at}") for at, each in enumerate(terms)])
    with TemporaryDirectory() as name:
        folder = Path(name)
        out = folder / "out"
        out.mkdir()
        work: dict[str, list[Piece]] = {"0": [partial(_billed, leases, max(months), None, out)]}
        for behind in months:
            sent = folder / str(behind)
            sent.mkdir()
            _send(leases, range(max(months) - behind, max(months)), sent)
            work[str(behind)] = [partial(_billed, leases, max(months), sent, out)]
        return {int(name): took / count for name, took in best_times(work, rounds).items()}
