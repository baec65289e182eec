"""Run summaries: what came of a run over many leases, as figures that can be put together.

Laws: leases in = leases billed + leases with problems + leases with nothing due, or there is no
summary; sums are exact, and the summary of two runs is the sum of theirs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple, Self

import pyarrow as pa

from rentbilling.portfolio.arrow.column_types import functions
from rentbilling.portfolio.runs.bill_batches import scaled, shown_number
from rentbilling.records import JsonData, wire_name
from rentbilling.tables import Column, Row, Table, Tabular, columns, counted
from rentbilling.values import CURRENCIES, TAXED, Amount, Vat, vat_words

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


_COLUMNS: Final = columns(text="currency tax_mode", number="tax_rate", money="net vat gross")
_NOT_BEGUN: Final = "not begun: no lease was billed yet"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RunSummary(Tabular):
    """What came of a run; summaries of parts of a run add up to its own.

    Its rows, for a data frame or a notebook, are a row for each currency and VAT rate; they sum to
    the totals. `to_data` has all of it, for JSON.

    Raises:
        ValueError: A lease was lost, or counted twice.

    Examples:
        >>> one = RunSummary(leases=2, billed=1, nothing_due=1, scalar_leases=1)
        >>> (one + one).leases, one.scalar_share
        (4, Fraction(1, 2))
        >>> one
        <RunSummary 2 leases: 1 billed, 1 with nothing due, 0 with problems>
    """

    leases: int = 0
    """Leases in."""
    billed: int = 0
    """Leases with a bill at least."""
    with_problems: int = 0
    """Leases that have no bills because something is wrong with them."""
    nothing_due: int = 0
    """Leases without a bill in the period, with which nothing is wrong."""
    without_items: int = 0
    """Those of them that have neither recurring nor one-time items, so that nothing ever is."""
    ends_reversed: int = 0
    """Leases with nothing due that have an item which ends before it begins (A158)."""
    scalar_leases: int = 0
    """Leases that the engine for single leases billed, because they have something rare."""
    bills: int = 0
    adjustments: int = 0
    notices: int = 0
    gone: int = 0
    """Leases that have earlier bills and are not in the source; known at the end of the run."""
    vacant: int = 0
    """Units of a flat table without a lease (A156), which are no leases in; known at the end."""
    skipped_rows: int = 0
    """Rows of a flat table that its mapping says are no items; known at the end."""
    scalar_reasons: Sums = field(default_factory=dict)
    """How many of `scalar_leases` were left by the columns for each feature, such as `vat_records`;
    a lease may have several. `records` were no columns, `types` are values that fit none, `policy`
    is one that columns do not follow, `earlier_bills` are others than those owed, `notices` may
    come of a cancellation or a price, `problems` are leases that are refused, and `other` figures
    are too large or too fine."""
    problems: Sums = field(default_factory=dict)
    """How many problems there are of each code."""
    currency_sums: Sums = field(default_factory=dict)
    """Bills, subtotal and total by currency, amounts times 10^15; `totals` shows them."""
    rate_sums: Sums = field(default_factory=dict)
    """Bases and VAT by currency, tax mode and rate, times 10^15; `vat` shows them."""
    begun: bool = True
    """Whether its run was begun; a run that was not has no figures."""

    def __post_init__(self) -> None:
        """Refuse to lose a lease."""
        found = self.billed + self.with_problems + self.nothing_due
        if found != self.leases:
            raise ValueError(f"{counted(self.leases, 'lease')} went in, and {found} came out")
        if self.without_items + self.ends_reversed > self.nothing_due:
            never = f"{self.without_items} without items, {self.ends_reversed} with reversed ends"
            raise ValueError(f"{never} of {self.nothing_due} unbilled")

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
        return RunSummary(**added(self, other))

    @property
    def columns(self) -> Sequence[Column]:
        return _COLUMNS

    def rows(self) -> list[Row]:
        """Return a row for each currency, tax mode and rate: net, VAT and gross of all bills."""
        values = [
            (code, each.vat.tax_mode, each.vat.tax_rate, *_money(each))
            for code, rates in self.vat.items()
            for each in rates
        ]
        return Table(_COLUMNS, values).rows()

    @property
    def remarks(self) -> Sequence[str]:
        """What its rows do not say: how many leases, bills and problems there are."""
        return [*self._counted(), *self._problem_words()]

    def to_data(self) -> dict[str, JsonData]:
        """Return all of it as plain data for JSON; amounts are Decimal, in the main unit.

        Examples:
            >>> RunSummary(leases=1, nothing_due=1).to_data()["nothingDue"]
            1
        """
        counts: dict[str, JsonData] = {wire_name(name): getattr(self, name) for name in COUNTS}
        vat = self.vat
        totals: list[JsonData] = [
            {
                "currency": code,
                "bills": total.bills,
                "subtotal": total.subtotal.amount,
                "vat": total.vat.amount,
                "total": total.total.amount,
                "vatTotals": [_vat_data(each) for each in vat.get(code, ())],
            }
            for code, total in self.totals.items()
        ]
        problems, reasons = (
            {code: count for (code,), (count,) in sums.items()}
            for sums in (self.problems, self.scalar_reasons)
        )
        return counts | {"totals": totals, "problems": problems, "scalarReasons": reasons}

    def _counted(self) -> list[str]:
        if not self.begun:
            return [_NOT_BEGUN]
        results = (self.bills, "bill"), (self.adjustments, "adjustment"), (self.notices, "notice")
        lines = [self._leases(), ", ".join(counted(*each) for each in results)]
        if self.gone:
            verb = "is" if self.gone == 1 else "are"
            lines.append(
                f"{counted(self.gone, 'lease')} with earlier bills {verb} not in the source"
            )
        return [*lines, *row_words(self)]

    def _leases(self) -> str:
        never = {"without any item": self.without_items}
        never["with an end before its beginning"] = self.ends_reversed
        said = ", ".join(f"{count} {why}" for why, count in never.items() if count)
        return (
            f"{counted(self.leases, 'lease')}: {self.billed} billed, {self.nothing_due} with "
            f"nothing due{f' ({said})' if said else ''}, {self.with_problems} with problems"
        )

    def _problem_words(self) -> list[str]:
        return [f"problems {code}: {count}" for (code,), (count,) in self.problems.items()]

    def __repr__(self) -> str:
        """Return what a reader looks for first."""
        return f"<RunSummary {self._leases() if self.begun else _NOT_BEGUN}>"

    def __str__(self) -> str:
        """Return what a person reads at the end of a run."""
        lines = self._counted()
        for currency, total in self.totals.items():
            lines.append(f"{total.subtotal} + {total.vat.amount:f} VAT = {total.total}")
            lines += [
                f"  {vat_words(each.vat)}: {each.amount.amount:f} of {each.base.amount:f}"
                for each in self.vat[currency]
            ]
        return "\n".join([*lines, *self._problem_words()])

    @classmethod
    def of(cls, bills: Any, problems: Any, **counts: Any) -> Self:  # noqa: ANN401 - record batches
        """Return the summary of some leases.

        Args:
            bills: Their bills, a record batch of `BILL_SCHEMA`.
            problems: Their problems, a record batch of `PROBLEM_SCHEMA`.
            **counts: The numbers of leases and results by the names of the fields.
        """
        names = ("currency", "subtotal", "total")
        return cls(
            **counts,
            bills=bills.num_rows,
            problems=_summed(pa.table({"code": problems.column("code")}), 1),
            currency_sums=_summed(bills.select(names), 1),
            rate_sums=_rates_of(bills),
        )


COUNTS: Final = tuple(each.name for each in fields(RunSummary) if each.type is int)
"""The fields of a summary that are whole numbers."""
SUMS: Final = tuple(each.name for each in fields(RunSummary) if each.type is Sums)


def row_words(summary: Any) -> list[str]:  # noqa: ANN401 - of bills or adjustments
    """Return how many rows of a flat table were no items, nothing where all were.

    Examples:
        >>> row_words(RunSummary(vacant=1, skipped_rows=2))
        ['1 vacant unit, 2 skipped rows']
    """
    found = (summary.vacant, "vacant unit"), (summary.skipped_rows, "skipped row")
    said = ", ".join(counted(*each) for each in found if each[0])
    return [said] if said else []


def _money(each: RateTotal) -> tuple[Decimal, Decimal, Decimal]:
    return each.base.amount, each.amount.amount, (each.base + each.amount).amount


def _vat_data(each: RateTotal) -> dict[str, JsonData]:
    vat: dict[str, JsonData] = {"taxMode": each.vat.tax_mode}
    if each.vat.tax_rate is not None:
        vat["taxRate"] = each.vat.tax_rate
    return {"vat": vat, "base": each.base.amount, "amount": each.amount.amount}


def _rates_of(bills: Any) -> Sums:  # noqa: ANN401 - a record batch
    """Return base and VAT by currency, tax mode and rate."""
    column = bills.column("vat_totals")
    vat, amount, base = column.flatten().flatten()
    currency = bills.column("currency").take(functions.list_parent_indices(column))
    columns = (currency, *vat.flatten(), base, amount)
    found = _summed(pa.table(dict(zip("abcde", columns, strict=True))), 3)
    # An untaxed mode is one, with or without a rate of 0.
    return added_sums(
        {},
        (
            ((code, mode, rate if mode in TAXED else None), sums)
            for (code, mode, rate), (_, *sums) in found.items()
        ),
    )


def _summed(table: Any, keys: int) -> Sums:  # noqa: ANN401 - a table
    """Return how many rows have each key, the first columns, and the sums of the others."""
    if not table.num_rows:
        return {}
    names = table.schema.names
    sums = [(name, "sum") for name in names[keys:]]
    groups = pa.TableGroupBy(pa.table(table), names[:keys], use_threads=False)
    found = groups.aggregate([([], "count_all"), *sums])
    columns = [found.column(f"{name}_sum").to_pylist() for name in names[keys:]]
    figures = [found.column("count_all").to_pylist(), *(map(scaled, each) for each in columns)]
    places = zip(*(found.column(name).to_pylist() for name in names[:keys]), strict=True)
    # Older versions of pyarrow give a key with a null in it more than once.
    return added_sums({}, ((key, sums) for key, *sums in zip(places, *figures, strict=True)))


def added(one: Any, other: Any) -> dict[str, Any]:  # noqa: ANN401 - summaries of one kind
    """Return the fields of the summary of two parts of a run."""
    found: dict[str, Any] = {}
    for name in (each.name for each in fields(one)):
        mine, theirs = getattr(one, name), getattr(other, name)
        if isinstance(mine, Mapping):
            found[name] = added_sums(mine, theirs.items())
        else:
            # Both are begun where one of them is.
            found[name] = mine | theirs if isinstance(mine, bool) else mine + theirs
    return found


def added_sums(one: Sums, others: Iterable[tuple[Key, Sequence[int]]]) -> Sums:
    """Return sums and others, added where they are of the same."""
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
    return Amount.unchecked(shown_number(units, CURRENCIES.get(currency, 0)), currency)
