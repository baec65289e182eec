"""What is known of a record's fields beyond their types, as their schemas say it.

Law: a fact is named by its record and the field's name on the wire, and says what the reader
demands of the field alone.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from rentbilling.records.value_schemas import YEAR


def _facts(description: str = "", **known: Any) -> Mapping[str, Any]:  # noqa: ANN401
    """Return what is known of a field alone, as its schema says it."""
    return MappingProxyType({"description": description, **known} if description else known)


_NOT_ZERO: Final = MappingProxyType({"not": MappingProxyType({"const": 0})})
_CALENDAR_MONTH: Final = MappingProxyType({"minimum": 1, "maximum": 12})
_YEAR_TEXT: Final = MappingProxyType({"pattern": f"^{YEAR}$"})
_PERCENTAGE: Final = _facts("A fraction: 0.04 is four percent.", minimum=-1, maximum=10)
_NOT_BELOW_ZERO: Final = MappingProxyType({"minimum": 0})
_ABOVE_ZERO: Final = MappingProxyType({"exclusiveMinimum": 0})
_AMOUNT_ABOVE_ZERO: Final = MappingProxyType(
    {"properties": MappingProxyType({"amount": _ABOVE_ZERO})}
)


def _between(least: int, most: int | None = None, description: str = "") -> Mapping[str, Any]:
    """Return the facts of a number within bounds that belong to it."""
    bounds = {"minimum": least} if most is None else {"minimum": least, "maximum": most}
    return _facts(description, **bounds)


_LIMIT: Final = _facts("Objects on the page.", minimum=1, maximum=100)
_CURSOR: Final = _facts("Id of the last object of the page before; absent for the first page.")
_NOTHING: Final = MappingProxyType({"type": "null"})
_NEW: Final = _facts(
    "Without an id, which who keeps it gives.",
    properties=MappingProxyType({"id": _NOTHING}),
)
_NEW_PLAN: Final = _facts(
    "Without an id, which who keeps it gives, and a next adjustment, which follows from the rules.",
    properties=MappingProxyType({"id": _NOTHING, "nextAdjustmentDate": _NOTHING}),
)
_NAMED: Final = MappingProxyType({"type": "string", "minLength": 1})
_SOME_NAME: Final = MappingProxyType(
    {
        "anyOf": tuple(
            MappingProxyType(
                {"properties": MappingProxyType({language: _NAMED}), "required": (language,)}
            )
            for language in ("en", "da", "nl", "de")
        )
    }
)


FIELD_FACTS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "AdjustmentEffect.calculatedPercentage": _facts(
            "The raw change as a fraction; absent for amounts."
        ),
        "AdjustmentEffect.appliedPercentage": _facts("The fraction that was applied."),
        "Balance.balanceChargeType": _facts("Such as deposit or prepaidRent."),
        "Balance.months": _facts("Months of rent that it stands for.", **_ABOVE_ZERO, maximum=1200),
        "BillingCycle.timeUnit": _facts(
            "Written like this, read in any case.", enum=("Month", "Year", "Week", "Day")
        ),
        "BillingCycle.periodLength": _facts(minimum=1, maximum=1200),
        "BillingCycle.start": _facts(
            "Month and Year: calendar month of a start; Week: ISO weekday.", minimum=1, maximum=12
        ),
        "BillingCycle.startDay": _facts(
            "Day of the month on which cycles start.", minimum=1, maximum=31
        ),
        "Area.value": _NOT_BELOW_ZERO,
        "ChangeLease.operationalState": _facts(
            "The state it goes to; Active needs a contract start, Ended an end too."
        ),
        "ChangeLease.balances": _facts(
            "All deposits and prepaid rents; one of the lease's own has its id, a new one has none."
        ),
        "ChangeLease.contractEnd": _facts("The last day paid for, included."),
        "ChangeOneTimeBillItem.quantity": _NOT_ZERO,
        "ChangeProduct.productName": _facts("At least one name, whole.", **_SOME_NAME),
        "ChangeRecurringBillItem.amountRecords": _facts(
            "Later amounts, added to those there; one of a day that has one takes its place."
        ),
        "ChangeRecurringBillItem.vatRecords": _facts("Later VATs, added in the same way."),
        "ChangeRecurringBillItem.descriptionRecords": _facts("Later texts, added in the same way."),
        "ChangeRecurringBillItem.quantityRecords": _facts(
            "Later quantities, added in the same way."
        ),
        "ChangeRecurringBillItem.discount": _facts("Another discount, whole."),
        "ChangeRecurringBillItem.cancelledOn": _facts("Nothing falls due on or after it."),
        "ChangeRecurringBillItem.endedOn": _facts("The last day paid for, included."),
        "ChangeRentAdjustmentPlan.cancelledOn": _facts("No adjustment on or after it."),
        "ChangeRentAdjustmentPlan.endedOn": _facts("No adjustment after it."),
        "CreateOneTimeBillItem.oneTimeBillItem": _NEW,
        "CreateRecurringBillItem.recurringBillItem": _NEW,
        "CreateRentAdjustmentPlan.rentAdjustmentPlan": _NEW_PLAN,
        "Discount.amount": _facts("Taken off each unit; either amount or percentage is given."),
        "Discount.percentage": _facts("A fraction: 0.10 is ten percent.", minimum=0, maximum=1),
        "Discount.endDate": _facts("Last day with the discount, included."),
        "DueDateRule.dayOfPeriod": _facts(
            "1 is the period's first day, -1 the day before it.",
            minimum=-36_525,
            maximum=36_525,
            **_NOT_ZERO,
        ),
        "DueDateRule.relativeTo": _facts("end counts from the period's end."),
        "FirstBillingPeriodBillItem.amount": _facts("Price of one unit for the opening period."),
        "Increment.year": _YEAR_TEXT,
        "Increment.amount": _facts(
            "Added to the whole line; exactly one of amount, percentage and level is given."
        ),
        "Increment.percentage": _PERCENTAGE,
        "Increment.level": _facts("What the whole line costs from then on."),
        "Increment.recurrence": _facts(
            "Written like this, read in any case.", enum=("OneTime", "Recurring", None)
        ),
        "IndexClause.lowerOf": _facts(
            "Further series: the lowest change counts.",
        ),
        "IndexClause.lagMonths": _between(0, 120),
        "IndexClause.yearOffset": _between(0, 10),
        "IndexClause.indexQuarter": _between(1, 4),
        "IndexClause.fromLagMonths": _between(1, 1200),
        "IndexClause.startIndex": _ABOVE_ZERO,
        "IndexClause.meanOf": _between(1, 120),
        "IndexClause.meanDecimals": _between(0, 10),
        "IndexClause.intervalYears": _between(1, 100),
        "IndexClause.intervalMonths": _between(1, 1200),
        "IndexClause.percentageDecimals": _between(0, 10, "Of the percentage in percent."),
        "IndexClause.threshold": _between(0),
        "IndexClause.share": _between(0, 10, "Part of the change: 0.75 is 75 percent."),
        "IndexClause.excessOver": _between(0, 10, "A fraction."),
        "IndexClause.excessShare": _between(0, 1),
        "IndexClause.surcharge": _between(-1, 1, "0.01 is one percentage point."),
        "IndexClause.limitMonths": _between(1, 120),
        "IndexClause.proRataMonths": _between(1, 120),
        "IndexClause.indexedShare": _between(0, 1, "Part of the amount that follows the index."),
        "IndexClause.indexedAmount": _AMOUNT_ABOVE_ZERO,
        "IndexClause.correctionFactor": _ABOVE_ZERO,
        "IndexClause.amountQuantum": _ABOVE_ZERO,
        "LeaseTerms.currency": _facts(
            "The one currency of all items; absent where there are several."
        ),
        "LeaseTerms.contractEnd": _facts("The last day paid for, included."),
        "Lease.operationalState": _facts("Draft, Active, Ended or Archived."),
        "Lease.contractPeriodState": _facts("Upcoming, Active or Expired."),
        "Lease.contractEnd": _facts("The last day paid for, included."),
        "Lease.monthlyRentLevel": _facts("Rent of a month, before discount."),
        "LeasePartsRequest.leaseId": _facts("Only what belongs to this lease."),
        "LeasePartsRequest.limit": _LIMIT,
        "LeasePartsRequest.startingAfter": _CURSOR,
        "LeasesRequest.limit": _LIMIT,
        "LeasesRequest.startingAfter": _CURSOR,
        "LeasesRequest.tenancyId": _facts("Only leases of this tenancy."),
        "NewArea.value": _NOT_BELOW_ZERO,
        "NewRoomCount.count": _NOT_BELOW_ZERO,
        "NewTenancyAddress.country": _facts("Country code, such as DK.", pattern="^[A-Z]{2,3}$"),
        "NewTenancyAddress.co": _facts("Care-of line."),
        "OneTimeBillItem.quantity": _NOT_ZERO,
        "QuantityRecord.value": _NOT_ZERO,
        "PageRequest.limit": _LIMIT,
        "PageRequest.startingAfter": _CURSOR,
        "Payout.payoutReason": _facts("Payment or Refund."),
        "PendingBillsRequest.period": _facts("Both ends are included."),
        "RecordPayout.net": _facts("Gross less fees."),
        "RecordProduct.productKey": _facts("Key, by which items name it."),
        "RecordProduct.productName": _facts("At least one name.", **_SOME_NAME),
        "RecurringBillItem.amount": _facts(
            "Price of one unit for one cycle, in the item's tax mode."
        ),
        "RecurringBillItem.quantity": _NOT_ZERO,
        "RecurringBillItem.startedOn": _facts("First due date; not after the opening due date."),
        "RecurringBillItem.cancelledOn": _facts("Nothing falls due on or after it."),
        "RecurringBillItem.endedOn": _facts("The last day paid for, included."),
        "RentAdjustment.year": _YEAR_TEXT,
        "RentAdjustmentPlan.adjusteeRef": _facts(
            "Id of the item or balance; absent where the lease has only one."
        ),
        "RentAdjustmentPlan.cancelledOn": _facts("No adjustment on or after it."),
        "RentAdjustmentPlan.endedOn": _facts("No adjustment after it."),
        "RoomCount.count": _NOT_BELOW_ZERO,
        "TenancyAddress.street": _facts("Street name and number."),
        "TenancyAddress.co": _facts("Care-of line."),
        "RentAdjustmentRule.adjustmentType": _facts(
            "Index, or Increment; another word with increments is read as that."
        ),
        "RentAdjustmentRule.adjustmentMonth": _CALENDAR_MONTH,
        "RentAdjustmentRule.firstYear": _YEAR_TEXT,
        "RentAdjustmentRule.lastYear": _YEAR_TEXT,
        "RentAdjustmentRule.indexMonth": _CALENDAR_MONTH,
        "RentAdjustmentRule.minimumPercentage": _PERCENTAGE,
        "RentAdjustmentRule.maximumPercentage": _PERCENTAGE,
    }
)
"""What is known of a field beyond its type, by its record and its name on the wire."""
