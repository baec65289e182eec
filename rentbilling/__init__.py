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
        bill_period as bill_period,
        compile_terms as compile_terms,
        pending_bills as pending_bills,
    )
    from rentbilling.codec import dumps as dumps, loads as loads
    from rentbilling.currencies import minor_units as minor_units
    from rentbilling.errors import (
        ConflictError as ConflictError,
        CurrencyMismatchError as CurrencyMismatchError,
        InvalidAdjustmentRuleError as InvalidAdjustmentRuleError,
        InvalidAmountError as InvalidAmountError,
        InvalidCycleError as InvalidCycleError,
        InvalidDiscountError as InvalidDiscountError,
        InvalidDueDateRuleError as InvalidDueDateRuleError,
        InvalidInputError as InvalidInputError,
        InvalidPeriodError as InvalidPeriodError,
        InvalidPolicyError as InvalidPolicyError,
        InvalidRecordError as InvalidRecordError,
        InvalidVatError as InvalidVatError,
        MissingFactError as MissingFactError,
        MissingIndexError as MissingIndexError,
        NotAllowedError as NotAllowedError,
        NotFoundError as NotFoundError,
        Problem as Problem,
        RentBillingError as RentBillingError,
        UnknownTaxModeError as UnknownTaxModeError,
        UnknownTimeUnitError as UnknownTimeUnitError,
        UnknownWordError as UnknownWordError,
        UnsupportedCaseError as UnsupportedCaseError,
    )
    from rentbilling.figures import Notice as Notice
    from rentbilling.line_items import PendingBillLineItem as PendingBillLineItem
    from rentbilling.money import (
        Amount as Amount,
        divide_rounded as divide_rounded,
        rounded as rounded,
    )
    from rentbilling.opening import first_billing_period as first_billing_period
    from rentbilling.periods import Period as Period, YearMonth as YearMonth
    from rentbilling.policy import BillingPolicy as BillingPolicy
    from rentbilling.records import (
        AmountRecord as AmountRecord,
        BillingCycle as BillingCycle,
        DescriptionRecord as DescriptionRecord,
        Discount as Discount,
        DueDateRule as DueDateRule,
        FirstBillingPeriodBillItem as FirstBillingPeriodBillItem,
        QuantityRecord as QuantityRecord,
        VatRecord as VatRecord,
    )
    from rentbilling.results import (
        BillingResult as BillingResult,
        PendingBill as PendingBill,
        VatTotal as VatTotal,
    )
    from rentbilling.schedule import accounting_periods as accounting_periods, due_date as due_date
    from rentbilling.schemas import SCHEMA_NAMES as SCHEMA_NAMES, schema_of as schema_of
    from rentbilling.shares import period_share as period_share
    from rentbilling.sharing import share_out as share_out
    from rentbilling.tax import Vat as Vat
    from rentbilling.terms import (
        LeaseTerms as LeaseTerms,
        OneTimeBillItem as OneTimeBillItem,
        RecurringBillItem as RecurringBillItem,
    )
    from rentbilling.vat import vat_totals as vat_totals

__all__ = (
    "SCHEMA_NAMES",
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
    "UnknownTaxModeError",
    "UnknownTimeUnitError",
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
    "schema_of",
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
            "RentBillingError UnknownTaxModeError UnknownTimeUnitError UnknownWordError "
            "UnsupportedCaseError"
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
        "schemas": "SCHEMA_NAMES schema_of",
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
