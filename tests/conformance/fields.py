"""The fields of the interface, as a register of our own: name, type, and whether it must be there.

`test_register` holds it against the interface's page where that is at hand; the proofs and the page
`tests/conformance.md` go by this register, so that they need no page of others.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


class Field(NamedTuple):
    """A field of a resource, of a request or of an answer."""

    section: str
    name: str
    """With the objects that it stands in, joined by dots."""
    kind: str
    """string, number, integer, boolean, date, date-time, amount, vat, object, array, strings."""
    need: str
    """Of a request `required`, `optional` or `either` of two; of others `applicable` or nothing."""

    @property
    def key(self) -> str:
        return f"{self.section}: {self.name}"


_TOLD: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Amount object": """
            currency string
            amount number
        """,
        "VAT object": """
            taxMode string
            taxRate number
        """,
        "Lease": """
            id string
            tenancyId string
            operationalState string
            contractPeriodState string
            primaryTenantContactName string
            tenantIds strings
            associatedContactIds strings
            primaryTenantId string
            billingContactId string
            balance amount
            depositBalance amount
            prepaidBalance amount
            contractStart date
            contractEnd date
            purpose string
            monthlyRentLevel amount
            archivedAt date-time
        """,
        "Tenancy": """
            id string
            address object
            groupId object
            currentLease object
            leaseIds array
            unitType string
            unitTypeName string
            roomCounts array
            roomCounts.type string
            roomCounts.count number
            totalArea object
            totalArea.value number
            totalArea.unit string
            businessArea object
            businessArea.value number
            businessArea.unit string
            archivedAt date-time
        """,
        "Tenancy address": """
            street string
            streetName string
            streetNumber string
            floor string applicable
            door string applicable
            subdivision string applicable
            postalCode string
            city string
            country string
        """,
        "Recurring bill item": """
            productKey string
            description string
            amount amount
            quantity number
            vat vat
            dueDateRule.dayOfPeriod integer
            billingCycle.timeUnit string
            billingCycle.periodLength number
            billingCycle.start number
            startedOn date
            firstBillingPeriodBillItem object
            firstBillingPeriodBillItem.amount amount
            firstBillingPeriodBillItem.dueDate date
            firstBillingPeriodBillItem.accountingPeriod string
            discount object
            discount.amount amount
            discount.percentage number
            discount.description string
            discount.endDate date
        """,
        "Rent adjustment plan": """
            id string
            leaseId string
            created date-time
            modified date-time
            adjusteeRef string
            balanceChargeType string applicable
            nextAdjustmentDate date applicable
            cancelledOn date applicable
            endedOn date applicable
            cancelledOrEndedOn date applicable
            adjustsRecurringBillItem boolean
            adjustsBalance boolean
            vat vat
            rentAdjustmentRules array
            adjustments array
        """,
        "Rent adjustment rule": """
            id string
            adjustmentType string
            adjustmentMonth integer
            firstYear string
            lastYear string
            indexMonth integer applicable
            minimumPercentage number applicable
            maximumPercentage number applicable
            increments array
            increments.year string
            increments.amount amount
            increments.percentage number
            increments.recurrence string
        """,
        "Rent adjustment": """
            id string
            adjustedOn date
            year string
            fromYearlyAmount amount
            toYearlyAmount amount
            yearlyAmountChange amount
            fromPeriodAmount amount
            toPeriodAmount amount
            periodAmountChange amount
            fromBalanceAmount amount
            toBalanceAmount amount
            balanceAmountChange amount
            adjustmentRulesEffects array
        """,
        "Effect": """
            rentAdjustmentRuleId string
            calculatedPercentage number applicable
            fromIndex number applicable
            toIndex number applicable
            fromYearMonth string applicable
            toYearMonth string applicable
            fromYearlyAmount amount
            toYearlyAmount amount
            yearlyAmountChange amount
            fromPeriodAmount amount
            toPeriodAmount amount
            periodAmountChange amount
            fromBalanceAmount amount
            toBalanceAmount amount
            balanceAmountChange amount
            minimumPercentage number applicable
            maximumPercentage number applicable
        """,
        "Product": """
            productKey string
            productId string applicable
            productName object
            productName.en string
            productName.da string
            productName.nl string
            productName.de string
            archived boolean
            custom boolean
            position integer
            isDefaultProduct boolean
        """,
        "Payout": """
            id string
            payoutReason string
            payoutDate date
            net amount
            fees amount
            gross amount
            bankStatement string
        """,
        "Pending bill": """
            dueDate date
            pendingBillLineItems array
            subtotal amount
            total amount
            vatTotals array
            vatTotals.vat vat
            vatTotals.amount amount
        """,
        "Line item": """
            productKey string
            amount amount
            quantity number
            unitNetPrice amount
            netPrice amount
            vat vat
            accountingPeriod string
        """,
        "POST /recurring-bill-items": """
            leaseId string required
            recurringBillItem object required
            recurringBillItem.productKey string required
            recurringBillItem.description string optional
            recurringBillItem.amount amount required
            recurringBillItem.quantity number optional
            recurringBillItem.vat vat required
            recurringBillItem.dueDateRule object required
            recurringBillItem.dueDateRule.dayOfPeriod integer required
            recurringBillItem.billingCycle object required
            recurringBillItem.billingCycle.timeUnit string
            recurringBillItem.billingCycle.periodLength number
            recurringBillItem.billingCycle.start number
            recurringBillItem.startedOn date required
            recurringBillItem.firstBillingPeriodBillItem object required
            recurringBillItem.firstBillingPeriodBillItem.amount amount required
            recurringBillItem.firstBillingPeriodBillItem.dueDate date required
            recurringBillItem.firstBillingPeriodBillItem.accountingPeriod string required
            recurringBillItem.discount object optional
            recurringBillItem.discount.amount amount either
            recurringBillItem.discount.percentage number either
            recurringBillItem.discount.description string optional
            recurringBillItem.discount.endDate date optional
        """,
        "POST /recurring-bill-items answer": """
            recurringBillItemId string
            firstDueDate date
        """,
        "POST /tenancies": """
            purpose string required
            address object required
            address.streetName string required
            address.streetNumber string required
            address.postalCode string required
            address.city string required
            address.country string required
            address.floor string optional
            address.door string optional
            address.subdivision string optional
            address.co string optional
        """,
        "POST /tenancies answer": """
            tenancyId string
            leaseId string
        """,
        "GET /rent-adjustment-plans answer": """
            rentAdjustmentPlans array
        """,
        "GET /tenancies answer": """
            tenancies array
        """,
        "GET /leases answer": """
            leases array
        """,
        "GET /leases/{leaseId}": """
            leaseId string required
        """,
        "GET /products answer": """
            products array
        """,
        "GET /payouts answer": """
            payouts array
        """,
        "GET /pending-bills answer": """
            bills array
        """,
    }
)


def _fields() -> Iterator[Field]:
    for section, told in _TOLD.items():
        for line in told.split("\n"):
            if words := line.split():
                name, kind, *need = words
                yield Field(section, name, kind, need[0] if need else "")


FIELDS: Final = tuple(_fields())
"""All fields."""

ROWS: Final = (
    "(no lease) POST /tenancies",
    "POST /recurring-bill-items",
    "POST /tenancies",
    "GET /rent-adjustment-plans",
    "GET /tenancies",
    "GET /leases",
    "GET /leases/{leaseId}",
    "GET /products",
    "GET /payouts",
    "GET /pending-bills",
)
"""Rows of tables that are no fields: the one transition, and the nine operations."""


def fields_of(*sections: str) -> tuple[Field, ...]:
    return tuple(field for field in FIELDS if field.section in sections)
