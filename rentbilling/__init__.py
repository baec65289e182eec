"""Rent billing: recurring bill items and a period go in, exact pending bills come out.

Everything public is reachable from here and loaded when it is first used, so that importing the
package costs nothing.

Examples:
    >>> import rentbilling
    >>> rentbilling.Period.parse("2026-01-01/2026-01-31").days
    31
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rentbilling.bills import (
        CompiledTerms as CompiledTerms,
    )
    from rentbilling.bills import (
        bill_period as bill_period,
    )
    from rentbilling.bills import (
        compile_terms as compile_terms,
    )
    from rentbilling.bills import (
        pending_bills as pending_bills,
    )
    from rentbilling.codec import (
        dumps as dumps,
    )
    from rentbilling.codec import (
        loads as loads,
    )
    from rentbilling.currencies import (
        minor_units as minor_units,
    )
    from rentbilling.errors import (
        ConflictError as ConflictError,
    )
    from rentbilling.errors import (
        CurrencyMismatchError as CurrencyMismatchError,
    )
    from rentbilling.errors import (
        InvalidAdjustmentRuleError as InvalidAdjustmentRuleError,
    )
    from rentbilling.errors import (
        InvalidAmountError as InvalidAmountError,
    )
    from rentbilling.errors import (
        InvalidCycleError as InvalidCycleError,
    )
    from rentbilling.errors import (
        InvalidDiscountError as InvalidDiscountError,
    )
    from rentbilling.errors import (
        InvalidDueDateRuleError as InvalidDueDateRuleError,
    )
    from rentbilling.errors import (
        InvalidInputError as InvalidInputError,
    )
    from rentbilling.errors import (
        InvalidPeriodError as InvalidPeriodError,
    )
    from rentbilling.errors import (
        InvalidPolicyError as InvalidPolicyError,
    )
    from rentbilling.errors import (
        InvalidRecordError as InvalidRecordError,
    )
    from rentbilling.errors import (
        InvalidVatError as InvalidVatError,
    )
    from rentbilling.errors import (
        MissingFactError as MissingFactError,
    )
    from rentbilling.errors import (
        MissingIndexError as MissingIndexError,
    )
    from rentbilling.errors import (
        NotAllowedError as NotAllowedError,
    )
    from rentbilling.errors import (
        NotFoundError as NotFoundError,
    )
    from rentbilling.errors import (
        Problem as Problem,
    )
    from rentbilling.errors import (
        RentBillingError as RentBillingError,
    )
    from rentbilling.errors import (
        UnknownWordError as UnknownWordError,
    )
    from rentbilling.errors import (
        UnsupportedCaseError as UnsupportedCaseError,
    )
    from rentbilling.figures import (
        Notice as Notice,
    )
    from rentbilling.line_items import (
        PendingBillLineItem as PendingBillLineItem,
    )
    from rentbilling.money import (
        Amount as Amount,
    )
    from rentbilling.money import (
        divide_rounded as divide_rounded,
    )
    from rentbilling.money import (
        rounded as rounded,
    )
    from rentbilling.opening import (
        first_billing_period as first_billing_period,
    )
    from rentbilling.periods import (
        Period as Period,
    )
    from rentbilling.periods import (
        YearMonth as YearMonth,
    )
    from rentbilling.policy import (
        BillingPolicy as BillingPolicy,
    )
    from rentbilling.records import (
        AmountRecord as AmountRecord,
    )
    from rentbilling.records import (
        BillingCycle as BillingCycle,
    )
    from rentbilling.records import (
        DescriptionRecord as DescriptionRecord,
    )
    from rentbilling.records import (
        Discount as Discount,
    )
    from rentbilling.records import (
        DueDateRule as DueDateRule,
    )
    from rentbilling.records import (
        FirstBillingPeriodBillItem as FirstBillingPeriodBillItem,
    )
    from rentbilling.records import (
        QuantityRecord as QuantityRecord,
    )
    from rentbilling.records import (
        VatRecord as VatRecord,
    )
    from rentbilling.results import (
        BillingResult as BillingResult,
    )
    from rentbilling.results import (
        PendingBill as PendingBill,
    )
    from rentbilling.results import (
        VatTotal as VatTotal,
    )
    from rentbilling.schedule import (
        accounting_periods as accounting_periods,
    )
    from rentbilling.schedule import (
        due_date as due_date,
    )
    from rentbilling.shares import (
        period_share as period_share,
    )
    from rentbilling.sharing import (
        share_out as share_out,
    )
    from rentbilling.tax import (
        Vat as Vat,
    )
    from rentbilling.terms import (
        LeaseTerms as LeaseTerms,
    )
    from rentbilling.terms import (
        OneTimeBillItem as OneTimeBillItem,
    )
    from rentbilling.terms import (
        RecurringBillItem as RecurringBillItem,
    )
    from rentbilling.vat import (
        vat_totals as vat_totals,
    )

__all__ = (
    "Amount",
    "AmountRecord",
    "BillingCycle",
    "BillingPolicy",
    "BillingResult",
    "CompiledTerms",
    "ConflictError",
    "CurrencyMismatchError",
    "DescriptionRecord",
    "Discount",
    "DueDateRule",
    "FirstBillingPeriodBillItem",
    "InvalidAdjustmentRuleError",
    "InvalidAmountError",
    "InvalidCycleError",
    "InvalidDiscountError",
    "InvalidDueDateRuleError",
    "InvalidInputError",
    "InvalidPeriodError",
    "InvalidPolicyError",
    "InvalidRecordError",
    "InvalidVatError",
    "LeaseTerms",
    "MissingFactError",
    "MissingIndexError",
    "NotAllowedError",
    "NotFoundError",
    "Notice",
    "OneTimeBillItem",
    "PendingBill",
    "PendingBillLineItem",
    "Period",
    "Problem",
    "QuantityRecord",
    "RecurringBillItem",
    "RentBillingError",
    "UnknownWordError",
    "UnsupportedCaseError",
    "Vat",
    "VatRecord",
    "VatTotal",
    "YearMonth",
    "accounting_periods",
    "bill_period",
    "compile_terms",
    "divide_rounded",
    "due_date",
    "dumps",
    "first_billing_period",
    "loads",
    "minor_units",
    "pending_bills",
    "period_share",
    "rounded",
    "share_out",
    "vat_totals",
)

# Which room owns which names.
_ROOMS: Final = MappingProxyType(
    {
        "errors": (
            "ConflictError CurrencyMismatchError InvalidAdjustmentRuleError InvalidAmountError "
            "InvalidCycleError InvalidDiscountError InvalidDueDateRuleError InvalidInputError "
            "InvalidPeriodError InvalidPolicyError InvalidRecordError InvalidVatError "
            "MissingFactError MissingIndexError NotAllowedError NotFoundError Problem "
            "RentBillingError UnknownWordError UnsupportedCaseError"
        ),
        "currencies": "minor_units",
        "money": "Amount divide_rounded rounded",
        "sharing": "share_out",
        "periods": "Period YearMonth",
        "tax": "Vat",
        "policy": "BillingPolicy",
        "figures": "Notice",
        "line_items": "PendingBillLineItem",
        "results": "BillingResult PendingBill VatTotal",
        "records": (
            "AmountRecord BillingCycle DescriptionRecord Discount DueDateRule "
            "FirstBillingPeriodBillItem QuantityRecord VatRecord"
        ),
        "terms": "LeaseTerms OneTimeBillItem RecurringBillItem",
        "shares": "period_share",
        "schedule": "accounting_periods due_date",
        "vat": "vat_totals",
        "bills": "CompiledTerms bill_period compile_terms pending_bills",
        "opening": "first_billing_period",
        "codec": "dumps loads",
    }
)
_ROOM_OF: Final = MappingProxyType(
    {name: room for room, names in _ROOMS.items() for name in names.split()}
)


def __getattr__(name: str) -> object:
    """Load a public name from the room that owns it."""
    room = _ROOM_OF.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{room}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
