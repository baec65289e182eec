"""Bills read from JSON, as a service returns them: checked, every problem named at once.

Law: fields that we do not know are passed over (A50), and a bill read from a service compares equal
with one computed here when the figures are (A56).
What does not live here: writing bills (`bill_texts`), JSON texts in general (`json_text`).
"""

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

from rentbilling.currencies import minor_units
from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    Problem,
    error_of,
)
from rentbilling.figures import Notice
from rentbilling.json_text import JsonData
from rentbilling.line_items import PendingBillLineItem
from rentbilling.money import Amount, number, units_of
from rentbilling.periods import Period, parse_date
from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.results import BillingResult, PendingBill
from rentbilling.tax import Vat

T = TypeVar("T")


class _Reader:
    """Reads bills from plain data, collecting every problem on the way."""

    def __init__(self, policy: BillingPolicy) -> None:
        self._policy = policy
        self.problems: list[Problem] = []
        self.kinds: list[type[InvalidInputError]] = []

    def value(
        self, data: Mapping[str, Any], key: str, path: str, read: Callable[[Any], T]
    ) -> T | None:
        """Return a field's value, or None with a problem noted."""
        if data.get(key) is None:
            self.problems.append(
                Problem(f"{path}{key}", "missing", "is required", "nothing", "a value")
            )
            self.kinds.append(InvalidRecordError)
            return None
        return self.optional(data, key, path, read)

    def optional(
        self, data: Mapping[str, Any], key: str, path: str, read: Callable[[Any], T]
    ) -> T | None:
        """Return a field's value, None where it is absent or a problem was noted."""
        if data.get(key) is None:
            return None
        try:
            return read(data[key])
        except InvalidInputError as error:
            self.note(error.under(f"{path}{key}"))
            return None

    def note(self, error: InvalidInputError) -> None:
        """Keep the problems of an error."""
        self.problems += error.problems
        self.kinds.append(type(error))

    def items(
        self, data: Mapping[str, Any], key: str, path: str
    ) -> list[tuple[str, Mapping[str, Any]]]:
        """Return the objects of a list field with their paths."""
        found = self.value(data, key, path, _list) or []
        objects: list[tuple[str, Mapping[str, Any]]] = []
        for at, each in enumerate(found):
            where = f"{path}{key}[{at}]"
            if isinstance(each, Mapping):
                objects.append((f"{where}.", each))
            else:
                self.note(
                    InvalidRecordError.of(
                        where, "not_an_object", "is not an object", each, "an object"
                    )
                )
        return objects

    def amount(self, data: Any) -> Amount:  # noqa: ANN401
        """Return an amount object."""
        if not isinstance(data, Mapping):
            raise InvalidRecordError.of(
                "", "not_an_object", "is not an object", data, "an amount object"
            )
        problems: list[Problem] = []
        kinds: list[type[InvalidInputError]] = []
        exact = Decimal(0)
        currency = data.get("currency")
        try:
            if not isinstance(currency, str):
                raise InvalidRecordError.of(
                    "currency", "not_a_text", "is not a text", currency, "DKK"
                )
            minor_units(currency, self._policy.currencies)
        except InvalidInputError as error:
            problems = [each._replace(path="currency") for each in error.problems]
            kinds = [type(error)]
        try:
            exact = number(data.get("amount"))
        except InvalidInputError as error:
            problems = [*problems, *error.under("amount").problems]
            kinds = [*kinds, type(error)]
        if problems:
            raise error_of(problems, kinds)
        return Amount.of(exact, str(currency))

    def period(self, data: Any) -> Period:  # noqa: ANN401
        """Return a period."""
        return Period.parse(data, period_end=self._policy.period_end)

    def bill(self, data: Mapping[str, Any], path: str) -> PendingBill | None:
        """Return a bill, or None with problems noted."""
        before = len(self.problems)
        due = self.value(data, "dueDate", path, parse_date)
        lines = [
            self.line(each, where) for where, each in self.items(data, "pendingBillLineItems", path)
        ]
        subtotal = self.value(data, "subtotal", path, self.amount)
        total_sum = self.value(data, "total", path, self.amount)
        totals = [
            self.vat_total(each, where) for where, each in self.items(data, "vatTotals", path)
        ]
        cash = self.optional(data, "cashRounding", path, self.amount)
        if len(self.problems) > before or due is None or subtotal is None or total_sum is None:
            return None
        try:
            return self._bill(
                due,
                [line for line in lines if line],
                [each for each in totals if each],
                subtotal,
                total_sum,
                cash,
            )
        except InvalidInputError as error:
            self.note(error.under(path.rstrip(".")))
            return None

    def _bill(
        self,
        due: date,
        lines: list[PendingBillLineItem],
        totals: list[tuple[Vat, Amount, Amount | None]],
        subtotal: Amount,
        total: Amount,
        cash: Amount | None,
    ) -> PendingBill:
        """Return a bill of parts that were read."""
        currency, policy = total.currency, self._policy
        places = minor_units(currency, policy.currencies)
        for path, other in (
            ("subtotal", subtotal.currency),
            *(
                (f"pendingBillLineItems[{at}]", line.figures.currency)
                for at, line in enumerate(lines)
            ),
            *((f"vatTotals[{at}]", each[1].currency) for at, each in enumerate(totals)),
        ):
            if other != currency:
                raise InvalidRecordError.of(
                    path, "currency_mismatch", "is in another currency", other, currency
                )
        bases: dict[tuple[str, Decimal], int] = {}
        for line in lines:
            category = line.vat.category
            bases[category] = bases.get(category, 0) + line.figures.net
        own = policy.currencies
        found = [
            (
                vat,
                units_of(amount, own),
                bases.get(vat.category, 0) if base is None else units_of(base, own),
            )
            for vat, amount, base in totals
        ]
        rounding = None if cash is None else units_of(cash, own)
        sums = units_of(subtotal, own), units_of(total, own), rounding
        raw = tuple(line.raw for line in lines)
        return PendingBill(due.toordinal(), currency, places, raw, found, sums)

    def vat_total(
        self, data: Mapping[str, Any], path: str
    ) -> tuple[Vat, Amount, Amount | None] | None:
        """Return the parts of a VAT total, or None with problems noted."""
        vat = self.value(data, "vat", path, _vat)
        amount = self.value(data, "amount", path, self.amount)
        base = self.optional(data, "base", path, self.amount)
        return None if vat is None or amount is None else (vat, amount, base)

    def line(self, data: Mapping[str, Any], path: str) -> PendingBillLineItem | None:
        """Return a line item, or None with problems noted."""
        product = self.value(data, "productKey", path, _text)
        amount = self.value(data, "amount", path, self.amount)
        quantity = self.optional(data, "quantity", path, number)
        unit_net = self.value(data, "unitNetPrice", path, self.amount)
        net = self.value(data, "netPrice", path, self.amount)
        vat = self.value(data, "vat", path, _vat)
        period = self.value(data, "accountingPeriod", path, self.period)
        regular = self.optional(data, "regularPeriod", path, self.period)
        share = self.optional(data, "share", path, _share)
        if product is None or amount is None or net is None or vat is None or period is None:
            return None
        try:
            return PendingBillLineItem(
                product_key=product,
                amount=amount,
                quantity=Decimal(1) if quantity is None else quantity,
                unit_net_price=unit_net,
                net_price=net,
                vat=vat,
                accounting_period=period,
                item_id=self.optional(data, "itemId", path, _text),
                kind=self.optional(data, "kind", path, _text) or "regular",  # type: ignore[arg-type]
                description=self.optional(data, "description", path, _text),
                discount_text=self.optional(data, "discountText", path, _text),
                share=Fraction(1) if share is None else share,
                regular_period=regular,
                policy=self._policy,
            )
        except InvalidInputError as error:
            self.note(error.under(path.rstrip(".")))
            return None


def _list(data: Any) -> list[Any]:  # noqa: ANN401
    """Return a list."""
    if not isinstance(data, list):
        raise InvalidRecordError.of("", "not_a_list", "is not a list", data, "a list")
    return data


def _text(data: Any) -> str:  # noqa: ANN401
    """Return a text."""
    if not isinstance(data, str):
        raise InvalidRecordError.of("", "not_a_text", "is not a text", data, "a text")
    return data


def _no_object(met: object, expected: str) -> InvalidRecordError:
    """Return the refusal of what is no object."""
    return InvalidRecordError.of("", "not_an_object", "is not an object", met, expected)


def _code(data: object) -> str:
    """Return a currency code, not looked up yet."""
    if not isinstance(data, str):
        raise InvalidRecordError.of("", "not_a_text", "is not a text", data, "such as DKK")
    return data


def _share(data: Any) -> Fraction:  # noqa: ANN401
    """Return a share such as 17/31."""
    over, _, below = _text(data).partition("/")
    if not (over.isascii() and over.isdigit() and len(data) < 60) or (  # noqa: PLR2004
        below and not (below.isascii() and below.isdigit() and int(below))
    ):
        raise InvalidRecordError.of("", "not_a_share", "is not a share", data, "such as 17/31")
    return Fraction(int(over), int(below or 1))


def _vat(data: Any) -> Vat:  # noqa: ANN401
    """Return a VAT object; fields we do not know are passed over (A50)."""
    if not isinstance(data, Mapping):
        raise _no_object(data, "a VAT object")
    return Vat(data.get("taxMode"), data.get("taxRate"))  # type: ignore[arg-type]


def bills_of(data: JsonData, policy: BillingPolicy | None = None) -> BillingResult:
    """Return the bills that plain data holds, as a service returns them (A50).

    Args:
        data: An object with the key `bills`; fields that we do not know are passed over.
        policy: For half-open periods and private currencies.

    Returns:
        The result; it compares equal with one computed here when the figures are.

    Raises:
        InvalidInputError: Something is missing or wrong; `problems` has all of it.
    """
    if not isinstance(data, Mapping):
        raise InvalidRecordError.of(
            "", "not_an_object", "is not an object", data, 'an object with "bills"'
        )
    reader = _Reader(policy or DEFAULT)
    bills = [reader.bill(each, where) for where, each in reader.items(data, "bills", "")]
    period = reader.optional(data, "period", "", reader.period)
    lease = reader.optional(data, "leaseId", "", _text)
    notices = [
        _notice_of(each)
        for _, each in reader.items({"notices": data.get("notices") or []}, "notices", "")
    ]
    if reader.problems:
        raise error_of(reader.problems, reader.kinds)
    return BillingResult(
        tuple(bill for bill in bills if bill), tuple(notices), period, policy, lease
    )


def _notice_of(data: Mapping[str, Any]) -> Notice:
    """Return a notice from plain data."""
    facts = data.get("facts")
    pairs = (
        tuple((str(key), str(value)) for key, value in facts.items())
        if isinstance(facts, Mapping)
        else ()
    )
    item = data.get("itemId")
    return Notice(
        str(data.get("code")), str(data.get("message")), None if item is None else str(item), pairs
    )
