"""What one bills: recurring items, one-time items, and the terms of a lease that hold them.

Law: an item's parts fit together (one currency, an opening period that is not after its start), and
a refusal names every problem at once.
What does not live here: the parts (`records`), JSON texts (`codec`), billing (`bills`).
"""

from collections.abc import Iterator, Sequence
from datetime import date  # noqa: TC003 - the docstring example uses it
from typing import Annotated, Any, Self

from pydantic import Field, model_validator
from pydantic.alias_generators import to_camel

from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidDiscountError,
    InvalidInputError,
    InvalidPeriodError,
    InvalidRecordError,
    Problem,
    UnsupportedCaseError,
    shown,
)
from rentbilling.money import Amount
from rentbilling.reading import (
    AmountField,
    CurrencyField,
    DateField,
    NumberField,
    PeriodField,
    TextField,
    VatField,
)
from rentbilling.records import (
    AmountRecord,
    BillingCycle,
    DescriptionRecord,
    Discount,
    DueDateRule,
    Faults,
    FirstBillingPeriodBillItem,
    QuantityRecord,
    Record,
    VatRecord,
    quantity_faults,
    raise_all,
)


class RecurringBillItem(Record):
    """What a lease bills again and again: its price, VAT, cycle, due date rule and opening period.

    Raises:
        InvalidInputError: A field is missing or wrong, or two of them contradict each other.

    Examples:
        >>> from decimal import Decimal
        >>> from rentbilling import Period, Vat
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

    # Interface: recurringBillItem
    id: TextField | None = None
    """Identifier, where a service lists the item; given by position otherwise (A57)."""
    product_key: Annotated[TextField, Field(min_length=1)]
    """Key of the product billed."""
    description: TextField | None = None
    """Text on the bill."""
    amount: AmountField
    """Price of one unit for one cycle, in the item's tax mode; negative for a credit (A26)."""
    quantity: NumberField | None = None
    """Units; absent is 1, negative is a credit with a notice, 0 is refused (A21)."""
    vat: VatField
    """Tax mode and rate (A27, A28)."""
    due_date_rule: DueDateRule
    """On which day of a period its bill falls due."""
    billing_cycle: BillingCycle
    """How often it is billed."""
    started_on: DateField
    """First due date; not after the opening due date (A12)."""
    first_billing_period_bill_item: FirstBillingPeriodBillItem
    """The opening period, taken as given (A12)."""
    discount: Discount | None = None
    """What is taken off the amount (A22)."""
    amount_records: tuple[AmountRecord, ...] = ()
    """Later amounts, in any order (A18)."""
    vat_records: tuple[VatRecord, ...] = ()
    """Later VATs."""
    description_records: tuple[DescriptionRecord, ...] = ()
    """Later texts."""
    quantity_records: tuple[QuantityRecord, ...] = ()
    """Later quantities."""
    cancelled_on: DateField | None = None
    """Nothing falls due on or after it (A17)."""
    ended_on: DateField | None = None
    """The last day paid for, included (A17)."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        faults: Faults = []
        opening = self.first_billing_period_bill_item
        if self.started_on > opening.due_date:
            problem = Problem(
                "startedOn",
                "started_after_opening_due_date",
                "lies after the due date of the opening period",
                self.started_on.isoformat(),
                f"{opening.due_date.isoformat()} or earlier",
            )
            faults.append((InvalidPeriodError, problem))
        if opening.amount.currency != self.amount.currency or self.amount_records or self.discount:
            faults += self._currency_faults()
        if self.quantity is not None:
            faults += quantity_faults("quantity", self.quantity)
        if self.discount is not None and self.discount.amount is not None:
            faults += self._discount_faults(self.discount.amount)
        for name in ("amount", "vat", "description", "quantity"):
            records = getattr(self, f"{name}_records")
            if len(records) > 1:
                faults += _equal_starts(f"{name}Records", records)
        raise_all(faults)
        return self

    def _currency_faults(self) -> Iterator[tuple[type[InvalidInputError], Problem]]:
        """Find the amounts of another currency than the item's (A2)."""
        amounts = [
            ("firstBillingPeriodBillItem.amount", self.first_billing_period_bill_item.amount)
        ]
        if self.discount is not None and self.discount.amount is not None:
            amounts.append(("discount.amount", self.discount.amount))
        amounts += (
            (f"amountRecords[{at}].value", record.value)
            for at, record in enumerate(self.amount_records)
        )
        for path, amount in amounts:
            if amount.currency != self.amount.currency:
                yield _mismatch(f"{path}.currency", amount.currency, self.amount.currency)

    def _discount_faults(
        self, discount: Amount
    ) -> Iterator[tuple[type[InvalidInputError], Problem]]:
        """Find an amount discount that would turn the sign (A22)."""
        if self.amount.amount < 0:
            what, code, expected = "meets a negative amount", "discount_on_credit", "a percentage"
        elif discount.amount > self.amount.amount:
            what, code = "is larger than the item's amount", "discount_above_amount"
            expected = f"at most {self.amount.amount:f}"
        else:
            return
        problem = Problem("discount.amount", code, what, shown(discount.amount), expected)
        yield InvalidDiscountError, problem


class OneTimeBillItem(Record):
    """What a lease bills once: a line on the bill of its due date (assumption A55).

    It is never cut by an end and never stopped.
    """

    id: TextField | None = None
    """Identifier; given by position where absent (A57)."""
    product_key: Annotated[TextField, Field(min_length=1)]
    """Key of the product billed."""
    description: TextField | None = None
    """Text on the bill."""
    amount: AmountField
    """Price of one unit, in the item's tax mode."""
    quantity: NumberField | None = None
    """Units; absent is 1."""
    vat: VatField
    """Tax mode and rate."""
    due_date: DateField
    """When it falls due."""
    accounting_period: PeriodField
    """The days it belongs to."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.quantity is not None:
            raise_all(list(quantity_faults("quantity", self.quantity)))
        return self


class LeaseTerms(Record):
    """A lease with everything that is billed for it; its file form is assumption A57.

    Raises:
        InvalidInputError: Two items share an id, or an item is not in the lease's currency.

    Examples:
        >>> LeaseTerms(lease_id="lease-1").recurring_bill_items
        ()
    """

    lease_id: TextField | None = None
    """Identifier of the lease."""
    currency: CurrencyField | None = None
    """The one currency of all items; absent where there may be several."""
    contract_start: DateField | None = None
    """Contract start; it cuts nothing (A17)."""
    contract_end: DateField | None = None
    """Contract end: the last day paid for, included (A17)."""
    recurring_bill_items: tuple[RecurringBillItem, ...] = ()
    """Items billed in cycles, in the order of their lines."""
    one_time_bill_items: tuple[OneTimeBillItem, ...] = ()
    """Items billed once; their lines come after the recurring ones."""
    rent_adjustment_plans: tuple[Any, ...] = ()
    """The place of rent adjustment plans; only an empty list is accepted so far."""
    balances: tuple[Any, ...] = ()
    """The place of deposit and prepaid balances; only an empty list is accepted so far."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for name in ("rent_adjustment_plans", "balances"):
            if getattr(self, name):
                raise UnsupportedCaseError("unsupported", case=f"{to_camel(name)} in lease terms")
        faults: Faults = []
        start, end = self.contract_start, self.contract_end
        if start is not None and end is not None and end < start:
            problem = Problem(
                "contractEnd",
                "reversed_period",
                "lies before contractStart",
                str(end),
                f"{start} or later",
            )
            faults.append((InvalidPeriodError, problem))
        if self.currency is not None:
            faults += self._currency_faults(self.currency)
        if len(self.item_ids) != len(set(self.item_ids)):
            faults += self._id_faults()
        raise_all(faults)
        return self

    @property
    def item_ids(self) -> tuple[str, ...]:
        """Ids of all items, recurring before one-time; by position where absent (A57).

        Examples:
            >>> LeaseTerms().item_ids
            ()
        """
        return (
            *(item.id or f"recurring-{at}" for at, item in enumerate(self.recurring_bill_items, 1)),
            *(item.id or f"one-time-{at}" for at, item in enumerate(self.one_time_bill_items, 1)),
        )

    def _places(self) -> Iterator[tuple[str, RecurringBillItem | OneTimeBillItem]]:
        """Give every item with its path."""
        for at, recurring in enumerate(self.recurring_bill_items):
            yield f"recurringBillItems[{at}]", recurring
        for at, once in enumerate(self.one_time_bill_items):
            yield f"oneTimeBillItems[{at}]", once

    def _currency_faults(self, currency: str) -> Iterator[tuple[type[InvalidInputError], Problem]]:
        """Find the items of another currency than the lease's (A2)."""
        for path, item in self._places():
            if item.amount.currency != currency:
                yield _mismatch(f"{path}.amount.currency", item.amount.currency, currency)

    def _id_faults(self) -> Iterator[tuple[type[InvalidInputError], Problem]]:
        """Find the items whose id another one has already."""
        seen: set[str] = set()
        for (path, _), item_id in zip(self._places(), self.item_ids, strict=True):
            if item_id in seen:
                problem = Problem(
                    f"{path}.id",
                    "duplicate_id",
                    "is the id of another item",
                    shown(item_id),
                    "an own id",
                )
                yield InvalidRecordError, problem
            seen.add(item_id)


def _mismatch(path: str, met: str, expected: str) -> tuple[type[InvalidInputError], Problem]:
    """Return the fault of an amount in another currency."""
    problem = Problem(path, "currency_mismatch", "is another currency", shown(met), expected)
    return CurrencyMismatchError, problem


def _equal_starts(
    path: str, records: Sequence[AmountRecord | VatRecord | DescriptionRecord | QuantityRecord]
) -> Iterator[tuple[type[InvalidInputError], Problem]]:
    """Find two records that start on the same day (A18)."""
    seen: set[date] = set()
    for at, record in enumerate(records):
        if record.start in seen:
            problem = Problem(
                f"{path}[{at}].start",
                "equal_starts",
                "is the start of another record",
                record.start.isoformat(),
                "a day of its own",
            )
            yield InvalidRecordError, problem
        seen.add(record.start)
