"""Lease terms: recurring items, one-time items, plans and balances.

Law: an item's parts fit together (one currency, an opening period that is not after its start), and
a refusal names every problem at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date  # noqa: TC003 - the docstring example uses it
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any, Final, Self

from rentbilling.errors import InvalidPeriodError, InvalidRecordError, Problem, shown
from rentbilling.records import (
    ABSENT,
    AmountField,
    CheckedRecord,
    CurrencyField,
    DateField,
    IdField,
    Listed,
    LongTextField,
    OptionalDateField,
    OptionalQuantityField,
    PeriodField,
    Problems,
    VatField,
)
from rentbilling.tables import TabularRecord
from rentbilling.terms.adjustees import balance_ids, is_plainly_adjusted, plan_problems
from rentbilling.terms.item_parts import (
    AmountRecord,
    BillingCycle,
    DescriptionRecord,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    PartPeriodField,
    PricePer,
    QuantityRecord,
    VatRecord,
    currency_mismatch,
    discount_problems,
    other_currencies,
    prices_a_year,
    prices_in_a_cycle,
)
from rentbilling.terms.plans import Balance, RentAdjustmentPlan, plan_ids, twins


class RecurringBillItem(TabularRecord):
    """An item that is billed in cycles: price, VAT, cycle, due date rule and opening period.

    Raises:
        InvalidInputError: A field is missing or wrong, or two of them contradict each other.

    Examples:
        >>> from decimal import Decimal
        >>> from rentbilling import Amount, Period, Vat
        >>> rent = RecurringBillItem(
        ...     product_key="key:rent",
        ...     amount=Amount(8500, "DKK"),
        ...     vat=Vat("Exempt"),
        ...     due_date_rule=DueDateRule(day_of_period=1),
        ...     billing_cycle=BillingCycle(time_unit="Month", period_length=1, start=1),
        ...     started_on=date(2026, 1, 15),
        ...     first_billing_period_bill_item=FirstBillingPeriodBillItem(
        ...         amount=Amount(Decimal("4661.29"), "DKK"),
        ...         due_date=date(2026, 1, 15),
        ...         accounting_period=Period.parse("2026-01-15/2026-01-31"),
        ...     ),
        ... )
        >>> rent.amount
        Amount(Decimal('8500'), 'DKK')
    """

    silent_defaults = ("price_per",)

    # Interface: recurringBillItem
    id: IdField | None = None
    """Identifier, where a service lists the item; given by position otherwise (A57)."""
    product_key: IdField
    """Key of the product billed."""
    description: LongTextField | None = None
    """Text on the bill."""
    amount: AmountField
    """Price of one unit for one cycle, in the item's tax mode; negative for a credit (A26)."""
    quantity: OptionalQuantityField = ABSENT
    """Units; absent is 1, negative is a credit with a notice, 0 is refused (A21)."""
    vat: VatField
    """Tax mode and rate (A27, A28)."""
    due_date_rule: DueDateRule
    """On which day of a period its bill falls due."""
    billing_cycle: BillingCycle
    """How often it is billed."""
    price_per: PricePer = "cycle"
    """What the amount is for, whatever the cycle: a cycle, a month or a year (ours, A65)."""
    part_period: PartPeriodField | None = None
    """How its part periods are counted, a word or one for each end (ours, A66)."""
    started_on: DateField
    """First due date; not after the opening due date (A12)."""
    first_billing_period_bill_item: FirstBillingPeriodBillItem
    """The opening period, taken as given (A12)."""
    discount: Discount | None = None
    """Discount on the amount (A22)."""
    discounts: Annotated[tuple[Discount, ...], Listed] = ()
    """Several discounts in the order in which they come off, instead of the one (A61)."""
    amount_records: Annotated[tuple[AmountRecord, ...], Listed] = ()
    """Later amounts, in any order (A18)."""
    vat_records: Annotated[tuple[VatRecord, ...], Listed] = ()
    """Later VATs."""
    description_records: Annotated[tuple[DescriptionRecord, ...], Listed] = ()
    """Later texts."""
    quantity_records: Annotated[tuple[QuantityRecord, ...], Listed] = ()
    """Later quantities."""
    cancelled_on: OptionalDateField = ABSENT
    """Nothing falls due on or after it (A17)."""
    ended_on: OptionalDateField = ABSENT
    """The last day paid for, included (A17)."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems between fields (A2, A12, A18, A21, A22)."""
        amount, discount = parts.get("amount"), parts.get("discount")
        opening, started = parts.get("first_billing_period_bill_item"), parts.get("started_on")
        if opening is not None and started is not None and started > opening.due_date:
            code = "started_after_opening_due_date"
            said = "lies after the due date of the opening period"
            expected = f"{opening.due_date} or earlier"
            yield InvalidPeriodError, Problem("startedOn", code, said, str(started), expected)
        if amount is not None:
            yield from _currency_problems(amount.currency, opening, parts)
            cycle, times = parts.get("billing_cycle"), Fraction(1)
            if cycle is not None:
                times = prices_in_a_cycle(cycle, parts.get("price_per", "cycle"))
            yield from discount_problems(amount, discount, parts.get("discounts") or (), times)
        yield from cls.bound_problems(parts)
        yield from record_problems(parts)

    @classmethod
    def fits(cls, parts: Mapping[str, Any]) -> bool:
        """Return whether all fields are there and nothing is wrong between them.

        What most items are is seen at a glance.
        """
        if parts["vat_records"] or parts["description_records"] or parts["quantity_records"]:
            return super().fits(parts)
        currency, opening = parts["amount"].currency, parts["first_billing_period_bill_item"]
        discount, quantity = parts["discount"], parts["quantity"]
        listed, records = parts["discounts"], parts["amount_records"]
        if listed and (discount or [each for each in listed if each.amount is not None]):
            return super().fits(parts)
        for each in records:
            if each.value.currency != currency:
                return False
        return (
            parts["started_on"] <= opening.due_date
            and opening.amount.currency == currency
            and (quantity is None or bool(quantity))
            and (len(records) < 2 or len({each.start for each in records}) == len(records))  # noqa: PLR2004
            and (discount is None or discount.amount is None or super().fits(parts))
        )

    @property
    def prices_a_year(self) -> Fraction:
        """How many of its stated amounts a year costs (A38, A65)."""
        return prices_a_year(self.billing_cycle, self.price_per)

    @property
    def all_discounts(self) -> tuple[Discount, ...]:
        """Its discounts in the order in which they come off: the one, or the list (A61)."""
        return self.discounts if self.discount is None else (self.discount,)


RECORDS: Final = (
    ("amount_records", "amountRecords"),
    ("vat_records", "vatRecords"),
    ("description_records", "descriptionRecords"),
    ("quantity_records", "quantityRecords"),
)
"""Fields of an item whose records replace a value from a day on, and their names on the wire."""


def record_problems(parts: Mapping[str, Any]) -> Problems:
    """Find records of an item that start on the same day (A18)."""
    for name, path in RECORDS:
        records = parts.get(name) or ()
        if len(records) > 1:
            yield from _equal_starts(path, records)


def _currency_problems(
    currency: str, opening: FirstBillingPeriodBillItem | None, parts: Mapping[str, Any]
) -> Problems:
    """Find the amounts of another currency than the item's (A2)."""
    if opening is not None and opening.amount.currency != currency:
        path = "firstBillingPeriodBillItem.amount.currency"
        yield currency_mismatch(path, opening.amount.currency, currency)
    for at, record in enumerate(parts.get("amount_records", ())):
        if record.value.currency != currency:
            path = f"amountRecords[{at}].value.currency"
            yield currency_mismatch(path, record.value.currency, currency)


class OneTimeBillItem(TabularRecord):
    """An item that is billed once: a line on the bill of its due date (assumption A55).

    It is never cut by an end and never stopped.
    """

    id: IdField | None = None
    """Identifier; given by position where absent (A57)."""
    product_key: IdField
    """Key of the product billed."""
    description: LongTextField | None = None
    """Text on the bill."""
    amount: AmountField
    """Price of one unit, in the item's tax mode."""
    quantity: OptionalQuantityField = ABSENT
    """Units; absent is 1."""
    vat: VatField
    """Tax mode and rate."""
    due_date: DateField
    """When it falls due."""
    accounting_period: PeriodField
    """The days it belongs to."""


class LeaseTerms(CheckedRecord):
    """A lease with everything that is billed for it; its file form is assumption A57.

    Raises:
        InvalidInputError: Two items share an id, an item is not in the lease's currency, or a plan
            adjusts what the lease does not have.

    Examples:
        >>> LeaseTerms(lease_id="lease-1").recurring_bill_items
        ()
    """

    sparse = True
    always_written = ("recurring_bill_items",)

    lease_id: IdField | None = None
    """Identifier of the lease."""
    currency: CurrencyField | None = None
    """The one currency of all items; absent where there may be several."""
    contract_start: OptionalDateField = ABSENT
    """Contract start; it cuts nothing (A17)."""
    contract_end: OptionalDateField = ABSENT
    """Contract end: the last day paid for, included (A17)."""
    recurring_bill_items: Annotated[tuple[RecurringBillItem, ...], Listed] = ()
    """Items billed in cycles, in the order of their lines."""
    one_time_bill_items: Annotated[tuple[OneTimeBillItem, ...], Listed] = ()
    """Items billed once; their lines come after the recurring ones."""
    rent_adjustment_plans: Annotated[tuple[RentAdjustmentPlan, ...], Listed] = ()
    """Plans by which items and balances are adjusted; one month has one plan for an item (A37)."""
    balances: Annotated[tuple[Balance, ...], Listed] = ()
    """Deposits and prepaid rents before their plans adjust them (A39)."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        """Return the problems between fields (A2, A17, A57)."""
        yield from contract_problems(parts)
        recurring = parts.get("recurring_bill_items", ())
        once = parts.get("one_time_bill_items", ())
        currency = parts.get("currency")
        if currency is not None:
            named = _places(recurring, once)
            amounts = ((f"{path}.amount", each.amount) for path, each in named)
            yield from other_currencies(amounts, currency)
        ids = _ids(recurring, once)
        if len(ids) != len(set(ids)):
            places = [path for path, _ in _places(recurring, once)]
            yield from _id_problems(places, ids, "item")
        plans, balances = parts.get("rent_adjustment_plans", ()), parts.get("balances", ())
        if plans or balances:
            yield from _plan_and_balance_problems(plans, balances, currency)
            yield from plan_problems(parts, recurring, ids[: len(recurring)])

    @classmethod
    def fits(cls, parts: Mapping[str, Any]) -> bool:
        """Return whether all fields are there and nothing is wrong between them.

        Of a lease with nothing but items, and a plan by an index, only ids are compared.
        """
        items, plans = parts["recurring_bill_items"], parts["rent_adjustment_plans"]
        if parts["currency"] or parts["contract_end"] or parts["balances"] or len(plans) > 1:
            return super().fits(parts)
        once, named = parts["one_time_bill_items"], [each for each in items if each.id is not None]
        if not (plans or once or named):
            return True
        ids = _ids(items, once)
        if len(ids) != len(set(ids)):
            return False
        if not plans or is_plainly_adjusted(plans[0], ids[: len(items)]):
            return True
        return super().fits(parts)

    @classmethod
    def of(
        cls,
        *parts: RecurringBillItem | OneTimeBillItem | RentAdjustmentPlan | Balance,
        **fields: Any,  # noqa: ANN401 - whatever the record takes
    ) -> Self:
        """Return a lease with some items, plans and balances; each list in the given order.

        `**fields` are the other fields, such as `lease_id` or `contract_end`.

        Raises:
            InvalidInputError: The parts contradict each other, or two items without an id are the
                same, which would bill an item twice (A141).
            TypeError: A part is something else, such as a list of items.

        Examples:
            >>> from rentbilling import Amount
            >>> LeaseTerms.of(Balance(amount=Amount(25500, "DKK")), lease_id="lease-1").lease_id
            'lease-1'
        """
        lists: dict[str, list[object]] = {name: [] for name in _PARTS.values()}
        items: set[RecurringBillItem | OneTimeBillItem] = set()
        for at, part in enumerate(parts):
            if type(part) not in _PARTS:
                kinds = " or ".join(kind.__name__ for kind in _PARTS)
                raise TypeError(f"pass each {kinds} by itself, not {shown(part)}")
            if isinstance(part, (RecurringBillItem, OneTimeBillItem)) and part.id is None:
                if part in items:
                    said, expected = "is the same item again", "quantity=2, or an id for each"
                    code, met = "duplicate_item", part.product_key
                    raise InvalidRecordError.of(f"parts[{at}]", code, said, met, expected)
                items.add(part)
            lists[_PARTS[type(part)]].append(part)
        return cls(**{**lists, **fields})

    def __str__(self) -> str:
        """Return the lease as a table: its items, plans and balances."""
        from rentbilling.terms.lease_tables import lease_text  # noqa: PLC0415 - it reads this

        return lease_text(self)

    def _repr_html_(self) -> str:
        from rentbilling.terms.lease_tables import lease_html  # noqa: PLC0415 - it reads this

        return lease_html(self)

    @property
    def item_ids(self) -> tuple[str, ...]:
        """Ids of all items, recurring before one-time; by position where absent (A57).

        Examples:
            >>> LeaseTerms().item_ids
            ()
        """
        return _ids(self.recurring_bill_items, self.one_time_bill_items)


_PARTS: Final[Mapping[type, str]] = MappingProxyType(
    {
        RecurringBillItem: "recurring_bill_items",
        OneTimeBillItem: "one_time_bill_items",
        RentAdjustmentPlan: "rent_adjustment_plans",
        Balance: "balances",
    }
)
"""The list of a lease that each kind of part is in."""


def contract_problems(parts: Mapping[str, Any]) -> Problems:
    """Find a contract that ends before it starts."""
    start, end = parts.get("contract_start"), parts.get("contract_end")
    if start is not None and end is not None and end < start:
        said, expected = "lies before the start of the contract", f"{start} or later"
        problem = Problem("contractEnd", "reversed_period", said, str(end), expected)
        yield InvalidPeriodError, problem


def _ids(
    recurring: Sequence[RecurringBillItem], once: Sequence[OneTimeBillItem]
) -> tuple[str, ...]:
    """Return the items' ids, by position where absent (A57)."""
    ids = [item.id or f"recurring-{at}" for at, item in enumerate(recurring, 1)]
    if once:
        ids += [item.id or f"one-time-{at}" for at, item in enumerate(once, 1)]
    return tuple(ids)


def _places(
    recurring: Sequence[RecurringBillItem], once: Sequence[OneTimeBillItem]
) -> Iterator[tuple[str, RecurringBillItem | OneTimeBillItem]]:
    for at, item in enumerate(recurring):
        yield f"recurringBillItems[{at}]", item
    for at, each in enumerate(once):
        yield f"oneTimeBillItems[{at}]", each


def _id_problems(places: Sequence[str], ids: Sequence[str], what: str) -> Problems:
    """Find those whose id another one has already."""
    for at in twins(ids):
        said = f"is the id of another {what}"
        problem = Problem(f"{places[at]}.id", "duplicate_id", said, shown(ids[at]), "an own id")
        yield InvalidRecordError, problem


def _plan_and_balance_problems(
    plans: Sequence[RentAdjustmentPlan], balances: Sequence[Balance], currency: str | None
) -> Problems:
    """Find plans or balances that share an id, and balances in another currency (A2, A57)."""
    named = (
        ("plan", "rentAdjustmentPlans", plan_ids(plans)),
        ("balance", "balances", balance_ids(balances)),
    )
    for what, path, ids in named:
        yield from _id_problems([f"{path}[{at}]" for at in range(len(ids))], ids, what)
    if currency is not None:
        amounts = ((f"balances[{at}].amount", each.amount) for at, each in enumerate(balances))
        yield from other_currencies(amounts, currency)


def _equal_starts(
    path: str, records: Sequence[AmountRecord | VatRecord | DescriptionRecord | QuantityRecord]
) -> Problems:
    """Find two records that start on the same day (A18)."""
    seen: set[date] = set()
    for at, record in enumerate(records):
        if record.start in seen:
            where, said = f"{path}[{at}].start", "is the start of another record"
            met, expected = record.start.isoformat(), "a day of its own"
            yield InvalidRecordError, Problem(where, "equal_starts", said, met, expected)
        seen.add(record.start)
