"""Bills read from JSON, as a service returns them: checked, every problem named at once.

Laws: fields that we do not know are passed over (A50); those that we know are read or refused; a
tax mode that we do not know is read as it came, to be listed as a difference (A27); a bill read
from a service compares equal with one computed here when the figures are (A56).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Final, TypeVar, cast, get_args

from rentbilling.billing import (
    BillingResult,
    Kind,
    LineDiscount,
    Payer,
    PendingBill,
    PendingBillLineItem,
    VatTotal,
)
from rentbilling.billing.wire.quick_bills import QuickBills, share_of_text, totals_with_bases
from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    Problem,
    Refusals,
    UnknownTaxModeError,
    check_word,
    other_currency,
)
from rentbilling.policy import BillingPolicy
from rentbilling.records import LEFT, LONE_SURROGATE, JsonData, amount_from, vat_from
from rentbilling.terms import RentAdjustment
from rentbilling.values import (
    CURRENCIES,
    Amount,
    Notice,
    Period,
    UnknownVat,
    Vat,
    minor_units,
    number,
    parse_date,
    units_of,
)

T = TypeVar("T")
Fields = Mapping[str, Any]

_KINDS: Final = get_args(Kind)
_NO_FIGURE: Final = (
    "not_there",
    "is no figure that a split corrects",
    "another path",
    "vatTotals[…].amount or pendingBillLineItems[…].netPrice of this bill",
)
_ENOUGH: Final = 1000
"""Reading stops after so many problems: such input is no list of bills."""


def _vat(value: object) -> Vat:
    """Return a VAT; an unknown mode is returned unchanged (A27)."""
    try:
        return vat_from(value, lenient=True)
    except UnknownTaxModeError:
        found = _unknown_vat(value)
        if found is None:
            raise
        return found


def _unknown_vat(value: object) -> UnknownVat | None:
    """Return a VAT of any mode and rate; None where it has no mode, or a rate that is no number."""
    given = value if isinstance(value, Mapping) else {}
    mode, rate = given.get("taxMode"), given.get("taxRate")
    if not isinstance(mode, str) or LONE_SURROGATE.search(mode):
        return None
    try:
        return UnknownVat(str(mode), None if rate is None else number(rate))
    except InvalidInputError:
        return None


def bills_of(data: JsonData, policy: BillingPolicy) -> BillingResult:
    """Return the bills of plain data, as a service returns them (A50).

    Raises:
        InvalidInputError: Something is missing or wrong; `problems` has all of it.
    """
    top = _object(data)
    reader = _Reader(policy)
    bills = [reader.bill(each, where) for where, each in reader.objects(top, "bills", "")]
    period = reader.optional(top, "period", "", reader.period)
    lease = reader.optional(top, "leaseId", "", _text)
    fingerprint = reader.optional(top, "policyFingerprint", "", _text)
    notices: list[Notice] = []
    if top.get("notices") is not None:
        notices = [reader.notice(each, at) for at, each in reader.objects(top, "notices", "")]
    reader.finish()
    return BillingResult(
        tuple(bill for bill in bills if bill is not None),
        tuple(notices),
        period,
        None,
        lease,
        policy_fingerprint=fingerprint,
        adjustments=_adjustments(top.get("adjustments"), policy),
    )


def _adjustments(listed: JsonData, policy: BillingPolicy) -> Iterable[RentAdjustment]:
    """Return the adjustments of the full form (A56)."""
    if listed is None:
        return ()
    from rentbilling.adjustments import AdjustmentResult  # noqa: PLC0415 - most bills have none

    context = {
        "currencies": policy.currencies,
        "period_end": policy.period_end,
        "from_service": True,
    }
    return AdjustmentResult.of_data({"adjustments": listed}, context)


def notice_of(data: JsonData, policy: BillingPolicy) -> Notice:
    """Return the notice of plain data, as in the full form of a result (A56).

    Raises:
        InvalidInputError: Something is missing or wrong.
    """
    reader = _Reader(policy)
    notice = reader.notice(_object(data), "")
    reader.finish()
    return notice


def bill_of(data: JsonData, policy: BillingPolicy) -> PendingBill:
    """Return the bill of plain data, as in a list of bills (A50).

    Raises:
        InvalidInputError: Something is missing or wrong; `problems` has all of it.
    """
    reader = _Reader(policy)
    bill = reader.bill(_object(data), "")
    reader.finish()
    return cast("PendingBill", bill)


def line_of(data: JsonData, policy: BillingPolicy) -> PendingBillLineItem:
    """Return the line of plain data, as in a bill (A50).

    Raises:
        InvalidInputError: Something is missing or wrong; `problems` has all of it.
    """
    reader = _Reader(policy)
    parts = reader.line(_object(data), "")
    reader.finish()
    return PendingBillLineItem(**parts, policy=policy)


def vat_total_of(data: JsonData, policy: BillingPolicy) -> VatTotal:
    """Return the VAT total of plain data; a base that is not written is 0.

    Raises:
        InvalidInputError: Something is missing or wrong; `problems` has all of it.
    """
    reader = _Reader(policy)
    amount = reader.amount(_object(data), "amount", "")
    vat, units, base = reader.vat_total(data, "")
    reader.finish()
    currency = cast("Amount", amount).currency
    return VatTotal(vat, units, base or 0, currency, minor_units(currency, policy.currencies))


class _Reader(Refusals):
    """Reads bills from plain data, collecting every problem on the way."""

    def __init__(self, policy: BillingPolicy) -> None:
        super().__init__(_ENOUGH)
        self._policy = policy
        self._quick = QuickBills(policy)
        self._amount = partial(amount_from, currencies=policy.currencies, lenient=True)
        self.period = partial(Period.parse_days, period_end=policy.period_end)
        # Of the bill that is being read, by its total.
        self._currency: str | None = None

    def value(self, data: Fields, key: str, path: str, read: Callable[[Any], T]) -> T | None:
        """Return a field's value, or None with a problem noted."""
        given = data.get(key)
        if given is None:
            missing = Problem(f"{path}{key}", "missing", "is required", "nothing", "a value")
            self.add(InvalidRecordError((missing,)))
            return None
        try:
            return read(given)
        except InvalidInputError as error:
            self.add(error, f"{path}{key}")
            return None

    def optional(self, data: Fields, key: str, path: str, read: Callable[[Any], T]) -> T | None:
        """Return a field's value, None where it is absent or a problem was noted."""
        return None if data.get(key) is None else self.value(data, key, path, read)

    def objects(self, data: Fields, key: str, path: str) -> list[tuple[str, Fields]]:
        """Return the objects of a list, each with the path of its fields."""
        found: list[tuple[str, Fields]] = []
        for at, each in enumerate(self.value(data, key, path, _list) or ()):
            try:
                found.append((f"{path}{key}[{at}].", _object(each)))
            except InvalidInputError as error:
                self.add(error, f"{path}{key}[{at}]")
        return found

    def amount(self, data: Fields, key: str, path: str) -> Amount | None:
        """Return an amount of the bill, or None with a problem noted."""
        amount, right = self.value(data, key, path, self._amount), self._currency
        if amount is not None and right is not None and amount.currency != right:
            self.add(other_currency(f"{path}{key}.currency", amount.currency, right))
        return amount

    def in_units(self, amount: Amount | None, path: str) -> int | None:
        """Return an amount that was read in minor units, or None with a problem noted."""
        try:
            return None if amount is None else units_of(amount, self._policy.currencies)
        except InvalidInputError as error:
            self.add(error, f"{path}.amount")
            return None

    def units(self, data: Fields, key: str, path: str) -> int | None:
        """Return an amount of the bill in minor units, or None with a problem noted."""
        return self.in_units(self.amount(data, key, path), f"{path}{key}")

    def optional_units(self, data: Fields, key: str, path: str) -> int | None:
        """Return an amount in minor units, None where it is absent or a problem was noted."""
        return None if data.get(key) is None else self.units(data, key, path)

    def bill(self, data: Fields, path: str) -> PendingBill | None:
        """Return a bill, or None with problems noted."""
        try:
            return self._quick.bill(data)
        except LEFT:
            return self._looked_at(data, path)

    def _looked_at(self, data: Fields, path: str) -> PendingBill | None:
        before = len(self.problems)
        self._currency = currency = self._currency_of(data.get("total"))
        due = self.value(data, "dueDate", path, parse_date)
        lines = [
            self.line(each, where)
            for where, each in self.objects(data, "pendingBillLineItems", path)
        ]
        subtotal, total = self.units(data, "subtotal", path), self.units(data, "total", path)
        totals = [
            self.vat_total(each, where) for where, each in self.objects(data, "vatTotals", path)
        ]
        cash = self.optional_units(data, "cashRounding", path)
        # The payable amount follows from the others; only its form is checked.
        self.optional_units(data, "payable", path)
        payer = self.payer(data, path, len(lines), len(totals))
        if len(self.problems) > before or currency is None or due is None:
            return None
        places = minor_units(currency, self._policy.currencies)
        made = [PendingBillLineItem(**parts, policy=self._policy) for parts in lines]
        raw = tuple(line.raw for line in made)
        sums: Any = subtotal, total, cash
        raw_totals = totals_with_bases(totals, raw)
        return PendingBill(due.toordinal(), currency, places, raw, raw_totals, sums, payer)

    def payer(self, data: Fields, path: str, lines: int, totals: int) -> Payer | None:
        """Return the payer of a part of a bill, None for a whole one (A68)."""
        given = self.optional(data, "corrections", path, _object) or {}
        name = self.optional(data, "payer", path, _filled)
        here, known = f"{path}corrections.", set(_corrected_paths(lines, totals))
        found = {key: self.units(given, key, here) for key in given if key in known}
        unknown = [Problem(f"{here}{key}", *_NO_FIGURE) for key in given if key not in known]
        if given and name is None:
            unknown.append(Problem(f"{path}payer", "missing", "is required", "nothing", "a name"))
        if unknown:
            self.add(InvalidRecordError(unknown))
        return None if name is None else Payer(name, {k: v for k, v in found.items() if v})

    def _currency_of(self, total: object) -> str | None:
        """Return the currency of a bill's total, None where it is not a known one."""
        code = total.get("currency") if isinstance(total, Mapping) else None
        if isinstance(code, str) and (code in CURRENCIES or code in self._policy.currencies):
            return code
        return None

    def vat_total(self, data: Fields, path: str) -> tuple[Any, Any, int | None]:
        """Return the parts of a VAT total, None for those with problems noted."""
        vat = self.value(data, "vat", path, _vat)
        return vat, self.units(data, "amount", path), self.optional_units(data, "base", path)

    def line(self, data: Fields, path: str) -> dict[str, Any]:
        """Return the parts of a line item, those that are there and sound."""
        parts: dict[str, Any] = {
            "product_key": self.value(data, "productKey", path, _filled),
            "amount": self.amount(data, "amount", path),
            "quantity": self.optional(data, "quantity", path, _quantity),
            "unit_net_price": self.amount(data, "unitNetPrice", path),
            "net_price": self.amount(data, "netPrice", path),
            "vat": self.value(data, "vat", path, _vat),
            "accounting_period": self.value(data, "accountingPeriod", path, self.period),
            "item_id": self.optional(data, "itemId", path, _text),
            "kind": self.optional(data, "kind", path, _kind),
            "description": self.optional(data, "description", path, _text),
            "discount_text": self.optional(data, "discountText", path, _text),
            "discounts": None if data.get("discounts") is None else self.discounts(data, path),
            "share": self.optional(data, "share", path, _share),
            "counted": self.optional(data, "counted", path, _text),
            "regular_period": self.optional(data, "regularPeriod", path, self.period),
        }
        self.in_units(parts["net_price"], f"{path}netPrice")
        return {name: part for name, part in parts.items() if part is not None}

    def discounts(self, data: Fields, path: str) -> list[LineDiscount]:
        """Return the discounts of a line, without those with problems noted."""
        found: list[LineDiscount] = []
        for where, each in self.objects(data, "discounts", path):
            text = self.optional(each, "description", where, _text)
            rate = self.optional(each, "percentage", where, number)
            taken_off = self.amount(each, "takenOff", where)
            if self.in_units(taken_off, f"{where}takenOff") is not None and taken_off is not None:
                found.append(LineDiscount(text, rate, taken_off))
        return found

    def notice(self, data: Fields, path: str) -> Notice:
        """Return a notice; None with a problem noted."""
        facts = self.optional(data, "facts", path, _object) or {}
        pairs = [(name, self.value(facts, name, f"{path}facts.", _text)) for name in facts]
        return Notice(
            self.value(data, "code", path, _filled) or "",
            self.value(data, "message", path, _text) or "",
            self.optional(data, "itemId", path, _text),
            tuple((name, fact) for name, fact in pairs if fact is not None),
        )


def _corrected_paths(lines: int, totals: int) -> Iterator[str]:
    """Give the paths of the figures that a split may correct (A68)."""
    yield from (f"vatTotals[{at}].amount" for at in range(totals))
    yield from (f"pendingBillLineItems[{at}].netPrice" for at in range(lines))


def _object(data: Any) -> Fields:  # noqa: ANN401
    if not isinstance(data, Mapping):
        raise InvalidRecordError.of("", "not_an_object", "is not an object", data, "an object")
    return data


def _list(data: Any) -> list[Any]:  # noqa: ANN401
    if not isinstance(data, list):
        raise InvalidRecordError.of("", "not_a_list", "is not a list", data, "a list")
    return data


def _text(data: Any) -> str:  # noqa: ANN401
    if not isinstance(data, str):
        raise InvalidRecordError.of("", "not_a_text", "is not a text", data, "a text")
    return data


def _filled(data: Any) -> str:  # noqa: ANN401
    text = _text(data)
    if not text:
        raise InvalidRecordError.of("", "empty_text", "is empty", data, "a text")
    return text


def _kind(data: Any) -> str:  # noqa: ANN401
    """Return which period of its item a line is."""
    check_word("", data, _KINDS)
    return _text(data)


def _quantity(data: Any) -> Decimal:  # noqa: ANN401
    """Return a quantity of something (A21)."""
    quantity = number(data)
    if not quantity:
        said, expected = "bills nothing", "any other number"
        raise InvalidRecordError.of("", "zero_quantity", said, quantity, expected)
    return quantity


def _share(data: Any) -> Fraction:  # noqa: ANN401
    """Return a share such as 17/31."""
    return share_of_text(_text(data))
