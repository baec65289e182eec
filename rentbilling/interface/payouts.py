"""Payouts: as they are listed, requested and recorded."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from rentbilling.errors import InvalidAmountError, Problem, shown
from rentbilling.interface.request import SentRecord
from rentbilling.records import (
    ABSENT,
    AmountField,
    AnyCase,
    CheckedRecord,
    DateField,
    IdField,
    Listed,
    OptionalDateField,
    Problems,
    TextField,
)
from rentbilling.tables import PageRecord, TabularRecord
from rentbilling.terms import currency_mismatch


class Payout(TabularRecord):
    """Money that was paid out."""

    # Interface: payout
    id: IdField
    """Identifier."""
    payout_reason: TextField | None = None
    """Payment or Refund; other words of a service stay as they came."""
    payout_date: OptionalDateField = ABSENT
    """Day on which it was made."""
    net: AmountField | None = None
    """The sum paid out."""
    fees: AmountField | None = None
    """The sum deducted."""
    gross: AmountField | None = None
    """The sum received."""
    bank_statement: TextField | None = None
    """Reference on the bank statement."""


class PayoutPage(PageRecord):
    """A page of payouts."""

    # Interface: payouts
    payouts: Annotated[tuple[Payout, ...], Listed]
    """The payouts, in order of creation."""


class PayoutRequest(SentRecord):
    """A request about one payout."""

    # Ours
    payout_id: IdField
    """Its identifier."""


class RecordPayout(SentRecord):
    """A payout that was made."""

    # Ours
    payout_reason: Annotated[Literal["Payment", "Refund"], AnyCase("Payment", "Refund")]
    """Why."""
    payout_date: DateField
    """Day on which it was made."""
    net: AmountField
    """What was paid out: gross less fees."""
    fees: AmountField
    """The sum deducted."""
    gross: AmountField
    """The sum received."""
    bank_statement: TextField | None = None
    """Reference on the bank statement."""

    @classmethod
    def cross_field_problems(cls, parts: Mapping[str, Any]) -> Problems:
        gross, fees, net = parts.get("gross"), parts.get("fees"), parts.get("net")
        if gross is None:
            return
        others = [(name, each) for name, each in (("fees", fees), ("net", net)) if each is not None]
        strangers = [(name, each) for name, each in others if each.currency != gross.currency]
        for name, each in strangers:
            yield currency_mismatch(f"{name}.currency", each.currency, gross.currency)
        if not strangers and fees is not None and net is not None:
            due = gross.amount - fees.amount
            if due != net.amount:
                expected = f"{due:f}"
                problem = Problem(
                    "net.amount", "wrong_sum", "is not gross less fees", shown(net.amount), expected
                )
                yield InvalidAmountError, problem


class PayoutRecorded(CheckedRecord):
    """A payout was recorded."""

    # Ours
    payout_id: IdField
    """The payout."""
