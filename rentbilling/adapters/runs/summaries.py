"""Summaries as data: what came of a part, so that a run that is continued still knows it.

Law: a summary that was written reads back as the same, to the last digit.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from rentbilling.portfolio.runs.run_summaries import COUNTS, RunSummary, Sums

SummaryData = Mapping[str, Any]
"""What JSON can hold."""

_SUMS: Final = ("problems", "currency_sums", "rate_sums")


def summary_data(summary: RunSummary) -> SummaryData:
    """Return a summary as data.

    Examples:
        >>> summary_data(RunSummary(leases=1, billed=1))["billed"]
        1
    """
    counts = {name: getattr(summary, name) for name in COUNTS}
    return counts | {name: _sums_data(getattr(summary, name)) for name in _SUMS}


def summary_of(data: SummaryData) -> RunSummary:
    """Return the summary that some data were made of.

    Examples:
        >>> summary_of(summary_data(RunSummary(leases=1, billed=1))).billed
        1
    """
    told: dict[str, Any] = {name: data[name] for name in COUNTS}
    told.update({name: _sums_of(name, data[name]) for name in _SUMS})
    return RunSummary(**told)


def _sums_data(sums: Sums) -> list[Any]:
    """Return sums as data; the rate of VAT is a text."""
    return [
        [[str(each) if isinstance(each, Decimal) else each for each in key], [*figures]]
        for key, figures in sums.items()
    ]


def _sums_of(name: str, data: list[Any]) -> Sums:
    """Return the sums that some data were made of."""
    found: dict[tuple[Any, ...], list[int]] = {}
    for key, figures in data:
        if name == "rate_sums":
            *others, rate = key
            found[*others, None if rate is None else Decimal(rate)] = figures
        else:
            found[tuple(key)] = figures
    return found
