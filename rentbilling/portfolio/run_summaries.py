"""Run summaries: what came of a run over many leases, as figures that can be put together.

Laws: leases in = leases billed + leases with problems + leases with nothing due, or there is no
summary; sums are exact, and the summary of two runs is the sum of theirs.
What does not live here: the bills (`bill_batches`), the problems one by one (`problems`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple, Self

import pyarrow as pa

from rentbilling.currencies import CURRENCIES
from rentbilling.money import Amount
from rentbilling.portfolio.arrow_types import functions
from rentbilling.portfolio.bill_batches import scaled, shown_number
from rentbilling.tax import Vat, vat_words

Key = tuple[Any, ...]
Sums = Mapping[Key, Sequence[int]]
"""Sums by what they are of: a currency, or a currency with tax mode and rate."""


class CurrencyTotal(NamedTuple):
    """What all bills of one currency come to."""

    bills: int
    subtotal: Amount
    vat: Amount
    total: Amount


class RateTotal(NamedTuple):
    """VAT of one currency, tax mode and rate, over all bills."""

    vat: Vat
    base: Amount
    amount: Amount


_COUNTS: Final = (
    *("leases", "billed", "with_problems", "nothing_due", "scalar_leases"),
    *("bills", "adjustments", "notices"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """What came of a run; summaries of parts of a run add up to its own.

    Raises:
        ValueError: A lease was lost, or counted twice.

    Examples:
        >>> one = RunSummary(leases=2, billed=1, nothing_due=1, scalar_leases=1)
        >>> (one + one).leases, one.scalar_share
        (4, Fraction(1, 2))
    """

    leases: int = 0
    """Leases in."""
    billed: int = 0
    """Leases with a bill at least."""
    with_problems: int = 0
    """Leases that have no bills because something is wrong with them."""
    nothing_due: int = 0
    """Leases without a bill in the period, with which nothing is wrong."""
    scalar_leases: int = 0
    """Leases that the engine for single leases billed, because they have something rare."""
    bills: int = 0
    adjustments: int = 0
    notices: int = 0
    problems: Sums = field(default_factory=dict)
    """How many problems there are of each code."""
    currency_sums: Sums = field(default_factory=dict)
    """Bills, subtotal and total by currency, amounts times 10^15; `totals` shows them."""
    rate_sums: Sums = field(default_factory=dict)
    """Bases and VAT by currency, tax mode and rate, times 10^15; `vat` shows them."""

    def __post_init__(self) -> None:
        """Refuse to lose a lease."""
        found = self.billed + self.with_problems + self.nothing_due
        if found != self.leases:
            raise ValueError(f"{self.leases} leases went in, and {found} came out")

    @property
    def scalar_share(self) -> Fraction:
        """Which part of the leases the engine for single leases billed; 0 of none."""
        return Fraction(self.scalar_leases, self.leases or 1)

    @property
    def totals(self) -> dict[str, CurrencyTotal]:
        """What the bills come to, by currency."""
        return {
            code: CurrencyTotal(
                bills, _amount(net, code), _amount(total - net, code), _amount(total, code)
            )
            for (code,), (bills, net, total) in sorted(self.currency_sums.items())
        }

    @property
    def vat(self) -> dict[str, list[RateTotal]]:
        """VAT for each tax mode and rate, by currency."""
        found: dict[str, list[RateTotal]] = {}
        for (code, mode, rate), (base, tax) in sorted(self.rate_sums.items(), key=_by_rate):
            vat = Vat(mode, None if rate is None else shown_number(scaled(rate), 2))
            total = RateTotal(vat, _amount(base, code), _amount(tax, code))
            found.setdefault(code, []).append(total)
        return found

    def __add__(self, other: "RunSummary") -> "RunSummary":
        """Return the summary of both."""
        counts = {name: getattr(self, name) + getattr(other, name) for name in _COUNTS}
        return RunSummary(
            **counts,
            problems=_added(self.problems, other.problems.items()),
            currency_sums=_added(self.currency_sums, other.currency_sums.items()),
            rate_sums=_added(self.rate_sums, other.rate_sums.items()),
        )

    def __str__(self) -> str:
        """Return what a person reads at the end of a run."""
        lines = [
            (
                f"{self.leases} leases: {self.billed} billed, "
                f"{self.nothing_due} with nothing due, {self.with_problems} with problems"
            ),
            f"{self.bills} bills, {self.adjustments} adjustments, {self.notices} notices",
        ]
        for currency, total in self.totals.items():
            lines.append(f"{total.subtotal} + {total.vat.amount:f} VAT = {total.total}")
            lines += [
                f"  {vat_words(each.vat)}: {each.amount.amount:f} of {each.base.amount:f}"
                for each in self.vat[currency]
            ]
        lines += [f"problems {code}: {count}" for (code,), (count,) in self.problems.items()]
        return "\n".join(lines)

    @classmethod
    def of(cls, bills: Any, problems: Any, **counts: int) -> Self:  # noqa: ANN401 - record batches
        """Return the summary of some leases.

        Args:
            bills: Their bills, a record batch of `BILL_SCHEMA`.
            problems: Their problems, a record batch of `PROBLEM_SCHEMA`.
            **counts: The numbers of leases and results by the names of the fields.

        Returns:
            The summary.
        """
        names = ("currency", "subtotal", "total")
        return cls(
            **counts,
            bills=bills.num_rows,
            problems=_summed(pa.table({"code": problems.column("code")}), 1),
            currency_sums=_summed(bills.select(names), 1),
            rate_sums=_rates_of(bills),
        )


def _rates_of(bills: Any) -> Sums:  # noqa: ANN401 - a record batch
    """Return base and VAT by currency, tax mode and rate."""
    column = bills.column("vat_totals")
    vat, amount, base = column.flatten().flatten()
    currency = bills.column("currency").take(functions.list_parent_indices(column))
    columns = (currency, *vat.flatten(), base, amount)
    found = _summed(pa.table(dict(zip("abcde", columns, strict=True))), 3)
    return {key: sums for key, (_, *sums) in found.items()}


def _summed(table: Any, keys: int) -> Sums:  # noqa: ANN401 - a table
    """Return how many rows have each key, the first columns, and the sums of the others."""
    names = table.schema.names
    sums = [(name, "sum") for name in names[keys:]]
    found = pa.table(table).group_by(names[:keys]).aggregate([([], "count_all"), *sums])
    columns = [found.column(f"{name}_sum").to_pylist() for name in names[keys:]]
    figures = [found.column("count_all").to_pylist(), *(map(scaled, each) for each in columns)]
    places = zip(*(found.column(name).to_pylist() for name in names[:keys]), strict=True)
    # Older versions of pyarrow give a key with a null in it more than once.
    return _added({}, ((key, sums) for key, *sums in zip(places, *figures, strict=True)))


def _added(one: Sums, others: Iterable[tuple[Key, Sequence[int]]]) -> Sums:
    """Return sums with others added to them."""
    both = dict(one)
    for key, sums in others:
        both[key] = [a + b for a, b in zip(both[key], sums, strict=True)] if key in both else sums
    return both


def _by_rate(each: tuple[Key, Sequence[int]]) -> tuple[str, str, Decimal]:
    """Return what VAT is ordered by; no rate comes before every rate."""
    currency, mode, rate = each[0]
    return currency, mode, Decimal(-1) if rate is None else rate


def _amount(units: int, currency: str) -> Amount:
    """Return an amount given times 10^15."""
    return Amount.of(shown_number(units, CURRENCIES.get(currency, 0)), currency)
