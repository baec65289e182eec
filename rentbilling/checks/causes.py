"""Causes of differences: choices of a policy, or things of an item, that lead to the actual bills.

Law: a cause is reported only if recomputing under it gives the actual figure, and recomputing
without it does not.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date
from fractions import Fraction
from itertools import chain, combinations, product, takewhile
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

from rentbilling.billing import PendingBill, pending_bills
from rentbilling.checks.bill_rules import BillChecker
from rentbilling.checks.other_terms import other_items, other_openings, other_plans
from rentbilling.checks.stated_bill import Category, StatedBill
from rentbilling.checks.vat_rules import vat_of_group
from rentbilling.errors import RentBillingError
from rentbilling.indices import AnyIndices
from rentbilling.policy import DEFAULT, OF_THE_BILL, WORDS, BillingPolicy
from rentbilling.terms import LeaseTerms
from rentbilling.values import Period, Rounding

_UNTRIED: Final = ("period_end", "missing_index")
"""Fields whose values change no figure and no day."""
_TRIED: Final = (*(name for name in WORDS if name not in _UNTRIED), "discount_opening")
_WAYS: Final = MappingProxyType({"per_rate": "once for the rate", "per_line": "for each line"})

WAYS_OF_VAT: Final = len(_WAYS) * len(get_args(Rounding))
"""The number of ways in which VAT is recomputed."""

Way = tuple[str, str]
"""A way to round VAT: `vat_rounding` and `rounding`."""
Change = tuple[str, Any]
"""A field of a policy, and its new value."""
Bills = Sequence[PendingBill]
_Sums = tuple[int, str, int, int]
_BySums = Mapping[_Sums, Sequence[PendingBill]]

_MOST_LINES: Final = 50_000
"""Lines that are billed by changes of more than one field of the policy."""
_SHOWN: Final = 3
"""Changes that are named where several explain one bill."""


# ---------------------------------------------------------------------------------------- VAT


def cause_of_vat(
    expected: StatedBill, actual: StatedBill, category: Category, policy: BillingPolicy | None
) -> str | None:
    """Return the other way in which the VAT of a mode and rate was rounded."""
    rules = DEFAULT if policy is None else policy
    mine, theirs = (_ways(bill, category, rules) for bill in (expected, actual))
    if policy is not None:
        mine = [way for way in mine if way == (policy.vat_rounding, policy.rounding)]
    if not mine or not theirs or not set(mine).isdisjoint(theirs):
        return None
    return _said(mine, theirs, is_known=policy is not None)


def _ways(bill: StatedBill, category: Category, policy: BillingPolicy) -> list[Way]:
    """Return the ways of rounding that lead from a bill's lines to its stated VAT."""
    lines = [line for line in bill.lines if line.category == category]
    stated = next(total.tax for total in bill.totals if total.category == category)
    base = sum((line.net for line in lines), Fraction(0))
    return [
        (way, mode)
        for way, mode in product(_WAYS, get_args(Rounding))
        if stated
        == vat_of_group(BillChecker(bill, policy.evolve(rounding=mode)), way, category, base, lines)
    ]


def _said(mine: Sequence[Way], theirs: Sequence[Way], *, is_known: bool) -> str:
    """Return the smallest change of rounding that explains the VAT, in words."""
    own_way, own_mode = mine[0]
    same_mode = [way for way, mode in theirs if mode in {each for _, each in mine}]
    same_way = [mode for way, mode in theirs if way == own_way]
    changes: list[tuple[str, str]] = []
    if same_mode or not same_way:
        way = (same_mode or [theirs[0][0]])[0]
        changes.append((_WAYS[way], _WAYS[own_way]))
    if not same_mode:
        modes = same_way or [mode for way, mode in theirs if way == theirs[0][0]]
        changes.append((" or ".join(modes), own_mode))
    # Without a known policy the expected way is left out, because several may give its figure.
    changed = (f"{other} instead of {own}" if is_known else other for other, own in changes)
    return "rounded " + ", ".join(changed)


# ------------------------------------------------------------------------------------ all bills


class BillSource(NamedTuple):
    """The inputs of bills."""

    terms: LeaseTerms
    period: Period
    policy: BillingPolicy
    indices: AnyIndices
    form: Callable[[PendingBill], PendingBill] = lambda bill: bill
    """What is compared of a bill: with another due date, where due dates are ignored."""

    def bills(self, policy: BillingPolicy | None = None) -> Bills:
        """Return the bills under this policy, or another one."""
        rules = self.policy if policy is None else policy
        found = pending_bills(self.terms, self.period, policy=rules, indices=self.indices)
        return tuple(map(self.form, found.bills))


class Causes(NamedTuple):
    """What explains bills of the other side, and how many conventions were tried."""

    of_all: Sequence[str]
    """Each explains all bills together."""
    of_bills: Mapping[int, str]
    """By the place of a bill, what explains it alone; empty where all are explained."""
    tried: int


def causes_of(
    actual: Bills,
    source: BillSource,
    same: Callable[[Bills, Bills], bool],
    side: str = "actual",
) -> Causes:
    """Return the smallest changes under which the terms give the actual bills, or one of them.

    One field of the policy is changed, or one for a single product, or one thing of an item or a
    plan, or how openings are counted, or two fields. To keep the search short, only fields with an
    effect of their own are changed together or for one product, only items of products whose lines
    differ are changed, and all but single fields of the policy are tried as long as no more than
    50,000 lines are billed.
    """
    if not actual:
        return Causes((), {}, 0)
    plain = source.bills()
    if same(plain, actual):
        said = f"the terms give the {side} bills under the policy as it is"
        return Causes((said,), {}, 1)
    search = _Search(plain, actual, source, same)
    of_all = (
        search.of_one()
        or search.of_one_product()
        or search.of_terms()
        or search.of_openings()
        or search.of_two()
    )
    of_bills = {} if of_all else {at: f"{each} gives this bill" for at, each in search.of_bills()}
    return Causes([f"{each} gives the {side} bills" for each in of_all], of_bills, search.tried)


class _Search:
    """Tries policies on one lease, and stores the bills of each single change."""

    def __init__(
        self, plain: Bills, actual: Bills, source: BillSource, same: Callable[[Bills, Bills], bool]
    ) -> None:
        self.tried = 1
        """The number of policies billed by, the terms' own included."""
        self._plain = plain
        self._actual = actual
        self._source = source
        self._same = same
        self._sums = _sums(actual)
        self._ranks: list[list[tuple[str, Bills]]] = []
        """Words and bills of what was tried, by how small the change is."""
        mine, theirs = _lines(plain), _lines(actual)
        self._different = [key for key in mine | theirs if mine.get(key) != theirs.get(key)]
        self._size = max(1, sum(len(bill.raw_lines) for bill in plain))
        changes = [
            (name, word)
            for name in _TRIED
            for word in (get_args(WORDS[name]) if name in WORDS else (False, True))
            if word != getattr(source.policy, name)
        ]
        self._left = len(changes) * self._size
        tried = {each: self._bills(source.policy, each) for each in changes}
        self._left = _MOST_LINES
        self._alone = {each: bills for each, bills in tried.items() if bills is not None}
        usual = _figures(plain)
        self._showing = {each for each, bills in self._alone.items() if _figures(bills) != usual}
        self._dues = {each: _dues(bills) for each, bills in self._alone.items()}

    def of_one(self) -> list[str]:
        """Return the single changes that give the actual bills."""
        return self._those_of((_words([each]), bills) for each, bills in self._alone.items())

    def of_one_product(self) -> list[str]:
        """Return the single changes that do so for the only product whose lines differ (A54)."""
        if len(self._different) != 1:
            return []
        (key,), policy = self._different, self._source.policy
        own = _own_policy(policy.for_product(key))
        # A change for one product has an effect for all, unless the product has its own policy.
        may_do = self._alone.keys() if key in policy.by_product else self._showing
        return self._those_of(
            (f"{_words([(name, word)])} for {key}", self._bills(policy, ("by_product", by_product)))
            for name, word in self._alone
            if (name, word) in may_do and name not in OF_THE_BILL
            for by_product in ({**policy.by_product, key: own.evolve(**{name: word})},)
        )

    def of_terms(self) -> list[str]:
        """Return the changes of one thing of an item or a plan that give the actual bills."""
        source, mine, theirs = self._source, _last_days(self._plain), _last_days(self._actual)
        until = max(mine.values(), default=source.period.last)
        ends = {
            key: None if last in (None, mine.get(key)) else date.fromordinal(last)
            for key in self._different
            for last in (theirs.get(key),)
        }
        changes = chain(
            other_plans(source.terms, source.policy, source.indices, ends, until),
            other_items(source.terms, source.policy, ends),
            (other for other, _ in other_openings(source.terms, source.policy, ends)),
        )
        return self._those_of(
            (each.said, self._bills(each.policy, terms=each.terms))
            for each in takewhile(self._may_go_on, changes)
        )

    def of_openings(self) -> list[str]:
        """Return the ways to count part periods that do so at both ends, the opening included."""
        source = self._source
        return self._those_of(
            (
                f"{_words([('part_period', word)])}, the opening included,",
                self._bills(source.policy, ("part_period", word), terms=other.terms),
            )
            for other, word in takewhile(
                self._may_go_on, other_openings(source.terms, source.policy, self._different)
            )
        )

    def of_two(self) -> list[str]:
        """Return the pairs of changes that give the actual bills."""
        policy, usual, wanted = self._source.policy, _dues(self._plain), _dues(self._actual)

        def may_do(one: Change, other: Change) -> bool:
            """Return whether a pair can succeed: one has an effect, and the due dates can match."""
            shown = self._showing.intersection((one, other))
            if one[0] == other[0] or not shown:
                return False
            # Another selection of bills may show the effect of other fields.
            if "select" in dict(shown):
                return True
            moved = [dues for each in (one, other) if (dues := self._dues[each]) != usual]
            return wanted in (moved or [usual]) or len(moved) > 1

        return self._those_of(
            (_words(pair), self._bills(policy, *pair))
            for pair in combinations(self._alone, 2)
            if may_do(*pair)
        )

    def of_bills(self) -> Iterator[tuple[int, str]]:
        """Give the places of actual bills that some of the smallest changes alone explain."""
        ranks = [[(said, _by_sums(bills)) for said, bills in each] for each in self._ranks]
        usual = _by_sums(self._plain)
        for at, bill in enumerate(self._actual):
            if not self._has(usual, bill):
                ways = ([said for said, there in each if self._has(there, bill)] for each in ranks)
                found = next(filter(None, ways), [])
                if found:
                    more = f" or {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
                    yield at, f"{' or '.join(found[:_SHOWN])}{more}"

    def _has(self, there: _BySums, bill: PendingBill) -> bool:
        return any(self._same([each], [bill]) for each in there.get(_sums_of(bill), ()))

    def _those_of(self, ways: Iterable[tuple[str, Bills | None]]) -> list[str]:
        """Return the words of those that give the actual bills, and store all of them."""
        known = [(said, bills) for said, bills in ways if bills is not None]
        self._ranks.append(known)
        return [said for said, bills in known if self._is_it(bills)]

    def _bills(
        self, policy: BillingPolicy, *changes: Change, terms: LeaseTerms | None = None
    ) -> Bills | None:
        """Return the bills under a changed policy, or of terms; None if they cannot be computed."""
        if not self._may_go_on():
            return None
        self._left -= self._size
        self.tried += 1
        source = self._source if terms is None else self._source._replace(terms=terms)
        try:
            return source.bills(policy.evolve(**dict(changes)))
        except RentBillingError:
            return None

    def _may_go_on(self, *_next: object) -> bool:
        """Return whether the bills of one more change are computed."""
        return self._left >= self._size

    def _is_it(self, bills: Bills) -> bool:
        """Return whether bills are the actual ones; their sums are compared first."""
        return _sums(bills) == self._sums and self._same(bills, self._actual)


def _words(changes: Sequence[Change]) -> str:
    return f"the policy with {', '.join(f'{name}={word!r}' for name, word in changes)}"


def _own_policy(policy: BillingPolicy) -> BillingPolicy:
    """Return a policy for a single product, without the choices of the whole bill (A54)."""
    names = (each.name for each in fields(policy) if each.name not in OF_THE_BILL)
    return BillingPolicy(**{name: getattr(policy, name) for name in names})


def _dues(bills: Bills) -> list[tuple[int, str]]:
    """Return the days of bills, in their order."""
    return sorted((bill.due, bill.currency) for bill in bills)


def _sums(bills: Bills) -> list[_Sums]:
    """Return the sums of bills, in the order of their days."""
    return sorted(map(_sums_of, bills))


def _sums_of(bill: PendingBill) -> _Sums:
    subtotal, total, _ = bill.sums
    return bill.due, bill.currency, subtotal, total


def _by_sums(bills: Bills) -> _BySums:
    found: dict[_Sums, list[PendingBill]] = {}
    for bill in bills:
        found.setdefault(_sums_of(bill), []).append(bill)
    return found


def _figures(bills: Bills) -> list[tuple[object, ...]]:
    """Return all figures of bills that a policy can change."""
    return [
        (
            bill.due,
            bill.sums,
            [(first, last, line.net, line.unit_net) for line, first, last in bill.raw_lines],
            [units for _, units, _ in bill.raw_totals],
        )
        for bill in bills
    ]


def _last_days(bills: Bills) -> Mapping[str, int]:
    """Return the last day that is paid for of each product."""
    return {key: max(last for _, _, last, _ in each) for key, each in _lines(bills).items()}


def _lines(bills: Bills) -> dict[str, list[tuple[int, int, int, int]]]:
    """Return days and nets of the lines of each product."""
    found: dict[str, list[tuple[int, int, int, int]]] = {}
    for bill in bills:
        for line, first, last in bill.raw_lines:
            found.setdefault(line.product_key, []).append((bill.due, first, last, line.net))
    return {key: sorted(lines) for key, lines in found.items()}
