"""What-if: the bills as they are and under scenarios, with the differences.

Law: differences add up to the difference of the totals in every grouping, also where it is none.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from rentbilling.billing import BillingResult, CompiledTerms, bill_period
from rentbilling.errors import InvalidRecordError, RentBillingError, check_progress, check_word
from rentbilling.indices import AnyIndices, series_of
from rentbilling.policy import BillingPolicy, policy_of
from rentbilling.reports import (
    By,
    Groups,
    Key,
    Sums,
    cash_flow,
    group_columns,
    groups_of,
    money_of,
    ordered,
    sums_of,
)
from rentbilling.tables import Column, Row, Table, Tabular
from rentbilling.terms import AnyTerms, LeaseTerms, leases_of
from rentbilling.values import Amount, AnyPeriod, Notice, Period, notice_lines, period_of
from rentbilling.whatif.scenario import BillingInputs, Change, Scenario

Measure = Literal["gross", "net", "vat"]
"""The figure to compare."""

Progress = Callable[[int, int], object]
"""Called with the number of leases done and the number of all."""

_COLUMNS: Final = frozenset(
    (
        *("scenario", "year", "month", "due_date", "lease_id", "product_key", "item_id"),
        *("currency", "baseline", "amount", "change"),
    )
)

_OF_VALUES: Final = ("missing_index", "assumed_index", "provisional_index", "old_index")
"""Notices of index values, on which the figures of a scenario rest."""

BASELINE: Final = "as it is"
"""Name of the run without a scenario."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Run:
    """The bills of all leases under one scenario."""

    name: str
    """Name of the scenario."""
    inputs: tuple[BillingInputs, ...]
    """The billing inputs of each lease."""
    results: tuple[BillingResult, ...]
    """Bills and adjustments of each lease."""
    changed: int
    """The number of leases with changed inputs; 0 for a scenario without an effect."""
    from_period: bool = False
    """Whether a change acts from the first day of the period, without a day of its own."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices of all leases."""
        return tuple(notice for each in self.results for notice in each.notices)

    def cash_flow(self, by: Groups = "month") -> Table:
        """Return the sums of the bills; see `cash_flow`."""
        return cash_flow(self.results, by=by)

    def sums(self, groups: Sequence[By]) -> Sums:
        """Return net and VAT in minor units by groups."""
        return sums_of(((result.lease_id, result) for result in self.results), groups)

    def __repr__(self) -> str:
        bills = sum(map(len, self.results))
        return f"<Run {self.name}, {bills} bills, {self.changed} leases changed>"


class WhatIf(Tabular):
    """A baseline and its variants; made by `what_if`."""

    __slots__ = ("_baseline", "_period", "_variants")

    def __init__(self, period: Period, baseline: Run, variants: Iterable[Run]) -> None:
        self._period = period
        self._baseline = baseline
        self._variants = tuple(variants)

    @property
    def period(self) -> Period:
        """The billed period."""
        return self._period

    @property
    def baseline(self) -> Run:
        """The run as it is."""
        return self._baseline

    @property
    def variants(self) -> tuple[Run, ...]:
        """The runs under scenarios, in order."""
        return self._variants

    def __getitem__(self, name: str) -> Run:
        """Return the run of a scenario by its name."""
        runs = {run.name: run for run in (self._baseline, *self._variants)}
        check_word("name", name, runs, "is not a scenario")
        return runs[name]

    def differences(self, by: Groups = (), *, of: Measure = "gross") -> Table:
        """Return the change of gross, net or vat by each scenario, by some columns or in total.

        The table has a row for each group that is in one of both runs: `scenario`, the groups,
        `currency`, `baseline`, `amount` and `change`, in main units. Without scenarios it is that
        of the bills as they are, which change by 0.

        Raises:
            UnknownWordError: A group or a figure is not known.
        """
        check_word("of", of, get_args(Measure))
        groups = groups_of(by)
        before = self._baseline.sums(groups)
        values: list[tuple[object, ...]] = []
        for run in self._variants or (self._baseline,):
            after = run.sums(groups)
            for key in ordered(groups, (*before, *after)):
                old, new = _figure(before, key, of), _figure(after, key, of)
                money = (money_of(key, units) for units in (old, new, new - old))
                values.append((run.name, *key[:-1], *money))
        kinds = (Column(name, "money") for name in ("baseline", "amount", "change"))
        return Table((Column("scenario", "text"), *group_columns(groups), *kinds), values)

    def side_by_side(self, by: Groups = "month", *, of: Measure = "gross") -> Table:
        """Return the gross, net or vat by some columns, with a column for each run.

        Figures are in main units; 0 if a run has no bills of the group.

        Raises:
            UnknownWordError: A group or a figure is not known.
        """
        groups, runs = groups_of(by), (self._baseline, *self._variants)
        check_word("of", of, get_args(Measure))
        sums = [run.sums(groups) for run in runs]
        values = [
            (*key[:-1], *(money_of(key, _figure(each, key, of)) for each in sums))
            for key in ordered(groups, (key for each in sums for key in each))
        ]
        names = ("baseline", *(run.name for run in self._variants))
        kinds = (Column(name, "money") for name in names)
        return Table((*group_columns(groups), *kinds), values)

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of `differences` in total."""
        return self.differences().columns

    def rows(self) -> list[Row]:
        """Return the change by each scenario in total."""
        return self.differences().rows()

    def change(self, name: str, of: Measure = "gross") -> tuple[Amount, ...]:
        """Return the change by a scenario in total, one amount for each currency."""
        wanted = self[name].name
        rows = self.differences(of=of).rows()
        return tuple(
            Amount.unchecked(row["change"], row["currency"])
            for row in rows
            if row["scenario"] == wanted
        )

    @property
    def remarks(self) -> Sequence[str]:
        """The effects, the notices of the baseline, and what else runs say of index values."""
        known = notice_lines(self._baseline.notices)
        said = [*self.effects, *(f"{BASELINE}: {line}" for line in known)]
        for run in self._variants:
            found = notice_lines(each for each in run.notices if each.code in _OF_VALUES)
            said += (f"{run.name}: {line}" for line in found if line not in known)
        return said

    @property
    def effects(self) -> Sequence[str]:
        """Which scenarios have no effect, or one from the first day of the period on."""
        if not self._variants:
            return ["no scenario: the bills as they are"]
        found = ((run.name, self._effect_of(run)) for run in self._variants)
        return [f"{name}: {said}" for name, said in found if said]

    def _effect_of(self, run: Run) -> str:
        if not run.changed:
            return "changes nothing of these leases"
        both = zip(self._baseline.results, run.results, strict=True)
        if all(before.bills == after.bills for before, after in both):
            return "changes nothing in this period"
        first = self._period.start
        return f"from {first}, the first day of the period" if run.from_period else ""

    def __str__(self) -> str:
        return "\n".join([str(self.differences()), *self.remarks])

    def __repr__(self) -> str:
        return (
            f"<WhatIf {self._period}, {', '.join(run.name for run in self._variants) or 'alone'}>"
        )


def _figure(sums: Sums, key: Key, of: Measure) -> int:
    """Return one figure of a key in minor units; 0 without one."""
    net, vat = sums.get(key, (0, 0))
    return {"net": net, "vat": vat, "gross": net + vat}[of]


def what_if(
    terms: AnyTerms | Iterable[LeaseTerms | Mapping[str, Any]],
    *scenarios: Scenario | Change | Sequence[Scenario | Change],
    period: AnyPeriod,
    indices: AnyIndices = None,
    policy: BillingPolicy | None = None,
    progress: Progress | None = None,
) -> WhatIf:
    """Return the bills of a period as they are and under each scenario, with the differences.

    Args:
        terms: A lease, an item alone, or the leases of a portfolio; also the JSON of them.
        *scenarios: Each gives a separate run; join scenarios with `|`. A plain function
            from `BillingInputs` to `BillingInputs` is a scenario too, and a list of any of them is
            taken as if each was given. Without any there is the baseline alone.
        period: The billed period; the policy selects its bills (A15). Scenarios without a day of
            their own act from its first day on, and the printed answer says so.
        indices: The index series.
        policy: The billing policy.
        progress: Called after each lease with the number done and the number of all.

    Returns:
        Baseline and variants, with `differences`.

    Raises:
        InvalidRecordError: Two scenarios have one name.
        InvalidInputError: Inputs are refused, as they are or when changed.
        MissingIndexError: An adjustment has no index value (A41).
        UnsupportedCaseError: A scenario cannot be applied to a lease.
        TypeError: An argument is not lease terms, or not a scenario.

    Examples:
        >>> from rentbilling.whatif import raise_rent
        >>> from rentbilling.testing import a_lease, a_rent
        >>> lease = a_lease(a_rent(amount=8500))
        >>> print(what_if(lease, raise_rent(0.03, on="2026-07-01"), period="2026-01-01/2026-12-31"))
        scenario                       currency   baseline     amount   change
        key:rent +3 % from 2026-07-01  DKK       102000.00  103530.00  1530.00
    """
    rules, series = policy_of(policy), series_of(indices)
    asked = period_of(period, period_end=rules.period_end)
    wanted = tuple(map(Scenario.of, _each(scenarios)))
    names = [BASELINE, *(scenario.name for scenario in wanted)]
    for at, name in enumerate(names):
        if name in names[:at] or name in _COLUMNS:
            said = "is the name of another run, or of a column"
            expected = "an own name: scenario.named(…)"
            raise InvalidRecordError.of(
                f"scenarios[{at - 1}]", "duplicate_name", said, name, expected
            )
    check_progress(progress)
    leases = tuple(leases_of(terms, rules, "what_if"))
    inputs: list[list[BillingInputs]] = [[] for _ in names]
    results: list[list[BillingResult]] = [[] for _ in names]
    changed = [0] * len(names)
    for done, lease in enumerate(leases, 1):
        name = BASELINE
        try:
            before = BillingInputs(lease, series, rules, asked.start)
            compiled = CompiledTerms(lease, rules, series)
            result = _of_period(compiled, asked)
            inputs[0].append(before)
            results[0].append(result)
            for at, scenario in enumerate(wanted, 1):
                name = scenario.name
                after = scenario(before)
                found = result if after is before else _billed(after, asked, compiled)
                same = _alike(result, found) and after == before
                changed[at] += not same
                inputs[at].append(after)
                results[at].append(found)
        except RentBillingError as error:
            of = f" of the lease {lease.lease_id or f'number {done}'}" if len(leases) > 1 else ""
            error.add_note(f"in the run {name!r}{of}")
            raise
        if progress is not None:
            progress(done, len(leases))
    dated = [False, *(scenario.from_period for scenario in wanted)]
    runs = [
        Run(name, tuple(given), tuple(found), count, from_period)
        for name, given, found, count, from_period in zip(
            names, inputs, results, changed, dated, strict=True
        )
    ]
    return WhatIf(asked, runs[0], runs[1:])


def _each(given: Iterable[object]) -> Iterator[Any]:
    """Give the scenarios, those of a list one by one."""
    for each in given:
        if isinstance(each, (list, tuple)):
            yield from each
        else:
            yield each


def _alike(one: BillingResult, other: BillingResult) -> bool:
    """Return whether two results may be equal, by the sums of their bills alone."""
    before, after = one.bills, other.bills
    if len(before) != len(after):
        return False
    for first, second in zip(before, after, strict=True):
        if first.sums != second.sums or first.due != second.due:
            return False
    return True


def _billed(inputs: BillingInputs, asked: Period, like: CompiledTerms) -> BillingResult:
    """Return bills and adjustments of one lease, which shares most items with another one."""
    compiled = CompiledTerms(inputs.terms, inputs.policy, inputs.indices, like)
    return _of_period(compiled, asked)


def _of_period(compiled: CompiledTerms, asked: Period) -> BillingResult:
    """Return bills and adjustments, by the way of bills alone where nothing is adjusted."""
    return compiled.bills(asked) if compiled.histories is None else bill_period(compiled, asked)
