"""The sample data of `serve --demo`: what each lease is, from its number alone.

Laws: the same number gives the same lease, whatever was made before it; all of it goes through the
operations that a caller has, so that it is as sound as anything that is created; nothing is filled
twice.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from rentbilling.codec import loads
from rentbilling.indices import IndexSeries
from rentbilling.interface import ENDPOINTS, Product, Tenancy
from rentbilling.records import write_json
from rentbilling.service import OPERATIONS, Context, Store, Stores
from rentbilling.values import day_in_month

OWNER: Final = "demo"
"""Whose data it is."""
COUNT: Final = 25
"""How many tenancies there are, with a lease each."""
_MADE: Final = datetime(2026, 1, 1, 9, tzinfo=UTC)
"""When all of it was made: the same moment each time."""
_PRODUCTS: Final = (
    ("key:rent", "Rent", "Husleje", "Huur", "Miete"),
    ("key:heating", "Heating on account", "A conto varme", "Voorschot verwarming", "Heizkosten"),
    ("key:parking", "Parking", "Parkering", "Parkeren", "Stellplatz"),
    ("key:deposit", "Deposit", "Depositum", "Waarborgsom", "Kaution"),
)
_PLACES: Final = (
    ("Nørregade", "1165", "København"),
    ("Store Kongensgade", "1264", "København"),
    ("Mejlgade", "8000", "Aarhus"),
    ("Vestergade", "5000", "Odense"),
    ("Boulevarden", "9000", "Aalborg"),
    ("Skomagergade", "4000", "Roskilde"),
)
_SURNAMES: Final = ("Jensen", "Nielsen", "Hansen", "Andersen", "Christensen", "Larsen", "Holm")
_EXEMPT: Final = MappingProxyType({"taxMode": "Exempt"})
_ON_TOP: Final = MappingProxyType({"taxMode": "Exclusive", "taxRate": Decimal("0.25")})
_MONTHLY: Final = MappingProxyType({"timeUnit": "Month", "periodLength": 1, "start": 1})
_MONTHS_OF_30: Final = (4, 6, 9, 11)


def fill(stores: Stores, indices: Iterable[IndexSeries]) -> None:
    """Keep products and tenancies that are not there yet, each tenancy whole or not at all."""
    series = tuple(indices)
    with stores.writing(OWNER) as store:
        _record_products(store)
    for number in range(1, COUNT + 1):
        with stores.writing(OWNER) as store:
            if store.find(Tenancy, f"tenancy-{number}") is None:
                DemoLease.of(number).keep(store, series)


def _record_products(store: Store) -> None:
    for at, (key, en, da, nl, de) in enumerate(_PRODUCTS, start=1):
        if not store.belonging(Product, [key]).get(key):
            names = {"en": en, "da": da, "nl": nl, "de": de}
            asked = {"productKey": key, "productName": names, "position": at}
            _do(store, "record_product", asked, f"product-{at}")


@dataclass(frozen=True, slots=True)
class DemoLease:
    """A lease of the demo.

    Examples:
        >>> DemoLease.of(1) == DemoLease.of(1), DemoLease.of(1).rent, DemoLease.of(2).rent
        (True, 14100, 14950)
    """

    number: int
    place: tuple[str, str, str]
    """Street, postal code, town."""
    house: int
    moved_in: date
    """The first of a month, or the sixteenth of one of thirty days: half a month's rent then."""
    rent: int
    heating: int
    tenant: str
    area: int

    @classmethod
    def of(cls, number: int) -> "DemoLease":
        # No secret is drawn, and a text is hashed alike everywhere.
        chance = random.Random(f"1:{number}")  # noqa: S311
        # A rent by index begins early enough to follow the index that comes with the package.
        last = _LAST_BY_INDEX - 1 if _by_index(number) else 2025
        year, month = chance.randint(2022, last), chance.randint(1, 12)
        is_half = month in _MONTHS_OF_30 and chance.random() < 1 / 2
        return cls(
            number=number,
            place=chance.choice(_PLACES),
            house=chance.randint(1, 120),
            moved_in=date(year, month, 16 if is_half else 1),
            rent=50 * chance.randint(120, 320),
            heating=50 * chance.randint(10, 26),
            tenant=f"{chance.choice('ABEIKLMS')}. {chance.choice(_SURNAMES)}",
            area=chance.randint(38, 140),
        )

    @property
    def is_business(self) -> bool:
        """Whether it is let to a business, with VAT on the rent."""
        return self.number % 8 == 0

    @property
    def has_parking(self) -> bool:
        """Whether a parking space goes with it, cheaper in its first half year."""
        return self.number % 3 == 1

    @property
    def rises_by(self) -> str | None:
        """How its rent rises: `index`, `steps`, or nothing."""
        if _by_index(self.number):
            return "index"
        return "steps" if self.number % 3 == 2 else None  # noqa: PLR2004

    @property
    def state(self) -> str:
        if self.number % 20 == 19:  # noqa: PLR2004
            return "Archived"
        return {0: "Draft", 7: "Ended"}.get(self.number % 10, "Active")

    def keep(self, store: Store, indices: Iterable[IndexSeries]) -> None:
        """Keep the tenancy with its lease and all that belongs to it."""
        number, do = self.number, partial(_do, store, indices=tuple(indices))
        of_tenancy, of_lease = {"tenancyId": f"tenancy-{number}"}, {"leaseId": f"lease-{number}"}
        do("create_tenancy", self._tenancy(), *of_tenancy.values(), *of_lease.values())
        do("change_tenancy", of_tenancy | self._unit())
        for name, item in self._items():
            asked = of_lease | {"recurringBillItem": item}
            do("create_recurring_bill_item", asked, f"{name}-{number}")
        once = of_lease | {"oneTimeBillItem": self._deposit()}
        do("create_one_time_bill_item", once, f"moving-in-{number}")
        if self.rises_by:
            plan = of_lease | {"rentAdjustmentPlan": self._plan()}
            do("create_rent_adjustment_plan", plan, f"plan-{number}")
        for change in self._life():
            do("change_lease", of_lease | change, f"deposit-{number}")
        if self.state == "Archived":
            do("archive_tenancy", of_tenancy)
        do("record_payout", self._payout(), f"payout-{number}")

    def _tenancy(self) -> dict[str, Any]:
        street, postal_code, city = self.place
        address = {"streetName": street, "streetNumber": str(self.house), "country": "DK"}
        purpose = "key:commercial" if self.is_business else "key:residential"
        return {"purpose": purpose, "address": {**address, "postalCode": postal_code, "city": city}}

    def _unit(self) -> dict[str, Any]:
        area = {"value": self.area, "unit": "m2"}
        if self.is_business:
            return {"unitType": "OFFICE", "totalArea": area, "businessArea": area}
        rooms = [{"type": "BEDROOM", "count": 1 + self.area // 60}]
        return {"unitType": "APARTMENT", "totalArea": area, "roomCounts": rooms}

    def _items(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Give what is billed each month, with the name of each."""
        street, _, _ = self.place
        vat = _ON_TOP if self.is_business else _EXEMPT
        yield "rent", self._monthly("key:rent", self.rent, vat, f"Rent, {street} {self.house}")
        yield "heating", self._monthly("key:heating", self.heating, vat, "Heating on account")
        if self.has_parking:
            parking = self._monthly("key:parking", 600, _ON_TOP, f"Parking space {self.number}")
            until = _last_day(self._month + 5)
            discount = {
                "percentage": Decimal("0.10"),
                "description": "10 % off at first",
                "endDate": until,
            }
            yield "parking", {**parking, "discount": discount}

    @property
    def _month(self) -> int:
        """The number of the month of moving in, counted from the year 0."""
        return self.moved_in.year * 12 + self.moved_in.month - 1

    def _monthly(
        self, product: str, amount: int, vat: Mapping[str, Any], description: str
    ) -> dict[str, Any]:
        """Return an item that is billed by the month; half of it where half a month is left."""
        first = amount if self.moved_in.day == 1 else amount // 2
        opening = f"{self.moved_in}/{_last_day(self._month)}"
        return {
            "productKey": product,
            "description": description,
            "amount": _dkk(amount),
            "vat": dict(vat),
            "dueDateRule": {"dayOfPeriod": 1},
            "billingCycle": dict(_MONTHLY),
            "startedOn": self.moved_in,
            "firstBillingPeriodBillItem": {
                "amount": _dkk(first),
                "dueDate": self.moved_in,
                "accountingPeriod": opening,
            },
        }

    def _deposit(self) -> dict[str, Any]:
        """Return the deposit as it is billed: three months' rent."""
        return {
            "productKey": "key:deposit",
            "description": "Deposit of three months' rent",
            "amount": _dkk(3 * self.rent),
            "vat": dict(_EXEMPT),
            "dueDate": self.moved_in,
            "accountingPeriod": f"{self.moved_in}/{self.moved_in}",
        }

    def _plan(self) -> dict[str, Any]:
        """Return what raises the rent: 2 % a year, after the index as far as it is published."""
        begin = self.moved_in.year + 1
        rules: list[dict[str, Any]] = []
        if self.rises_by == "index":
            rules.append(
                {
                    "adjustmentType": "Index",
                    "adjustmentMonth": 1,
                    "indexMonth": 10,
                    "firstYear": str(begin),
                    "lastYear": str(_LAST_BY_INDEX),
                    "minimumPercentage": Decimal(0),
                    "maximumPercentage": Decimal("0.04"),
                }
            )
            begin = _LAST_BY_INDEX + 1
        step = {"year": str(begin), "percentage": Decimal("0.02"), "recurrence": "Recurring"}
        rules.append(
            {
                "adjustmentType": "Increment",
                "adjustmentMonth": 1,
                "firstYear": str(begin),
                "increments": [step],
            }
        )
        return {"adjusteeRef": f"rent-{self.number}", "rentAdjustmentRules": rules}

    def _life(self) -> Iterator[dict[str, Any]]:
        """Give the changes of the lease: signed, begun, ended."""
        contact = f"contact-{self.number}"
        yield {
            "contractStart": self.moved_in,
            "primaryTenantContactName": self.tenant,
            "tenantIds": [contact],
            "primaryTenantId": contact,
            "balances": [{"balanceChargeType": "deposit", "amount": _dkk(3 * self.rent)}],
        }
        if self.state == "Draft":
            return
        yield {"operationalState": "Active"}
        if self.state != "Active":
            yield {"operationalState": "Ended", "contractEnd": date(2025, 12, 31)}

    def _payout(self) -> dict[str, Any]:
        """Return the payout of the first bill, less a fee."""
        gross, fee = Decimal(self.rent + self.heating), Decimal("12.50")
        return {
            "payoutReason": "Payment",
            "payoutDate": self.moved_in + timedelta(days=3),
            "gross": _dkk(gross),
            "fees": _dkk(fee),
            "net": _dkk(gross - fee),
            "bankStatement": f"PO-{self.moved_in.year}-{self.number:04d}",
        }


_LAST_BY_INDEX: Final = 2024
"""The last January whose October before is in the series that comes with the package."""


def _by_index(number: int) -> bool:
    return number % 3 == 1


def _last_day(month: int) -> date:
    """Return the last day of a month, which is counted from the year 0."""
    return date.fromordinal(day_in_month(month, 31))


def _dkk(amount: int | Decimal) -> dict[str, Any]:
    return {"currency": "DKK", "amount": amount}


def _do(
    store: Store,
    operation: str,
    asked: Mapping[str, Any],
    *ids: str,
    indices: tuple[IndexSeries, ...] = (),
) -> None:
    """Take an operation as a caller would have sent it, with ids and at the moment of the demo."""
    request = loads(write_json(dict(asked)), ENDPOINTS[operation].request)
    context = Context(moment=_MADE, new_id=iter(ids).__next__, indices=indices)
    OPERATIONS[operation](request, store, context)
