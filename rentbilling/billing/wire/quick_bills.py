"""The quick way into a bill that a service wrote, for what is certainly right.

Law: whatever it reads, `bill_reader` reads with the same figures; everything else raises one of
`LEFT` and is left to that reader, which alone words problems.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, get_args

from rentbilling.billing import (
    Kind,
    LineFigures,
    PendingBill,
    RawLine,
    RawTotal,
    TakenOff,
    VatGroup,
    gross_units,
)
from rentbilling.errors import InvalidRecordError
from rentbilling.policy import BillingPolicy
from rentbilling.records import Unusual, quick_date, quick_number, quick_period, quick_vat
from rentbilling.schedule import WHOLE
from rentbilling.values import Vat, minor_units

_ONE: Final = Decimal(1)
_KINDS: Final = frozenset(get_args(Kind))
_LONGEST_SHARE: Final = 60


class QuickBills:
    """Reads bills under the conventions of a policy."""

    __slots__ = ("_period", "_policy")

    def __init__(self, policy: BillingPolicy) -> None:
        self._policy = policy
        self._period = quick_period(policy.period_end)

    def bill(self, data: Any) -> PendingBill:  # noqa: ANN401
        """Return a bill; one of `LEFT` is raised where it needs a closer look."""
        if "payer" in data or "corrections" in data:
            raise Unusual
        money = _Money(data["total"]["currency"], self._policy)
        lines = tuple([self._line(each, money) for each in _list(data["pendingBillLineItems"])])
        totals = [
            (quick_vat(each["vat"]), money.units(each["amount"]), money.optional(each.get("base")))
            for each in _list(data["vatTotals"])
        ]
        sums = (
            money.units(data["subtotal"]),
            money.units(data["total"]),
            money.optional(data.get("cashRounding")),
        )
        # The payable amount follows from the others; only its form is checked.
        money.optional(data.get("payable"))
        due = quick_date(data["dueDate"]).toordinal()
        return PendingBill(
            due, money.currency, money.places, lines, totals_with_bases(totals, lines), sums
        )

    def _line(self, data: Any, money: "_Money") -> RawLine:  # noqa: ANN401
        product_key, given = data["productKey"], data.get("quantity")
        quantity = _ONE if given is None else quick_number(given)
        kind, regular = data.get("kind", "regular"), data.get("regularPeriod")
        if type(product_key) is not str or not product_key or not quantity or kind not in _KINDS:
            raise Unusual
        amount, unit_net = money.figure(data["amount"]), money.figure(data["unitNetPrice"])
        net, vat = money.units(data["netPrice"]), quick_vat(data["vat"])
        group, exact, base = VatGroup(vat), amount.as_integer_ratio(), net
        if group.inclusive:
            base = gross_units(exact, quantity, money.places, self._policy.rounding)
        period, share = self._period(data["accountingPeriod"]), data.get("share")
        figures = LineFigures(
            product_key,
            _text(data.get("itemId")),
            kind,
            _text(data.get("description")),
            _text(data.get("discountText")),
            money.currency,
            money.places,
            quantity,
            vat,
            group,
            WHOLE if share is None else share_of_text(share).as_integer_ratio(),
            amount,
            unit_net,
            net,
            base,
            exact,
            None if regular is None else self._days(regular),
            (),
            _taken(data.get("discounts"), money),
            _text(data.get("counted")),
        )
        return figures, period.first, period.last

    def _days(self, text: object) -> tuple[int, int]:
        period = self._period(text)
        return period.first, period.last


class _Money:
    """The currency of a bill, in which all its amounts must be."""

    __slots__ = ("_scale", "currency", "places")

    def __init__(self, currency: str, policy: BillingPolicy) -> None:
        self.currency, self.places = currency, minor_units(currency, policy.currencies)
        self._scale: int = 10**self.places

    def figure(self, value: Any) -> Decimal:  # noqa: ANN401
        if type(value) is dict and len(value) == 2 and value["currency"] == self.currency:  # noqa: PLR2004
            return quick_number(value["amount"])
        raise Unusual

    def units(self, value: Any) -> int:  # noqa: ANN401
        """Return an amount in minor units."""
        over, below = self.figure(value).as_integer_ratio()
        units, rest = divmod(over * self._scale, below)
        if rest:
            raise Unusual
        return units

    def optional(self, value: Any) -> int | None:  # noqa: ANN401
        return None if value is None else self.units(value)


def _list(value: Any) -> list[Any]:  # noqa: ANN401
    if type(value) is list:
        return value
    raise Unusual


def _text(value: Any) -> str | None:  # noqa: ANN401
    if value is None or type(value) is str:
        return value
    raise Unusual


def _taken(discounts: Any, money: _Money) -> tuple[TakenOff, ...]:  # noqa: ANN401
    """Return what each discount took off a line."""
    if discounts is None:
        return ()
    parts = [(each, each.get("percentage")) for each in _list(discounts)]
    return tuple(
        TakenOff(
            _text(each.get("description")),
            None if rate is None else quick_number(rate),
            money.units(each["takenOff"]),
        )
        for each, rate in parts
    )


def share_of_text(text: str) -> Fraction:
    """Return a share such as 17/31.

    Raises:
        InvalidRecordError: It is none.
    """
    over, slash, below = text.partition("/")
    figures = (over, below) if slash else (over,)
    sound = len(text) < _LONGEST_SHARE and all(
        each.isascii() and each.isdigit() for each in figures
    )
    if not sound or (slash and not int(below)):
        raise InvalidRecordError.of("", "not_a_share", "is not a share", text, "such as 17/31")
    return Fraction(int(over), int(below or 1))


def totals_with_bases(
    totals: Sequence[tuple[Vat, int, int | None]], lines: Iterable[RawLine]
) -> list[RawTotal]:
    """Return VAT totals; a base that is not written is the sum of the net prices (A30)."""
    bases: dict[tuple[str, Decimal], int] = {}
    for figures, _, _ in lines if any(base is None for _, _, base in totals) else ():
        category = figures.vat.category
        bases[category] = bases.get(category, 0) + figures.net
    return [
        (vat, units, bases.get(vat.category, 0) if base is None else base)
        for vat, units, base in totals
    ]
