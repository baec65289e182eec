"""Short ways to run operations: a service in memory for one moment, and what is said to it.

The moment is noon of 15 March 2026; ids are `id-1`, `id-2` … in the order in which they are given.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import count
from typing import Any, TypeVar

import pytest

from rentbilling import BillingPolicy, InvalidInputError, RentBillingError
from rentbilling.adapters.stores import MemoryStores
from rentbilling.indices import AnyIndices
from rentbilling.interface import ENDPOINTS
from rentbilling.records import Record
from rentbilling.service import OPERATIONS, Context, Store, Stored
from rentbilling.values import Period

K = TypeVar("K", bound=Record)

NOON = datetime(2026, 3, 15, 12, tzinfo=UTC)
Body = dict[str, Any]
Asked = Body | str | None
"""What an operation is asked: a body, or the id of a lease."""

EXEMPT: Body = {"taxMode": "Exempt"}
ADDRESS: Body = {
    "streetName": "Nygade",
    "streetNumber": "7",
    "postalCode": "1164",
    "city": "København",
    "country": "DK",
}
HOME: Body = {"purpose": "key:residential", "address": ADDRESS}


def money(amount: object, currency: str = "DKK") -> Body:
    return {"currency": currency, "amount": amount}


def rent(amount: object = 8500, currency: str = "DKK", **changes: Any) -> Body:  # noqa: ANN401
    """Return a monthly rent, moved in on 15 January 2026: 8500 x 17/31 = 4661.29 to begin with."""
    opening = {
        "amount": money(4661, currency),
        "dueDate": "2026-01-15",
        "accountingPeriod": "2026-01-15/2026-01-31",
    }
    return {
        "productKey": "key:rent",
        "amount": money(amount, currency),
        "vat": EXEMPT,
        "dueDateRule": {"dayOfPeriod": 1},
        "billingCycle": {"timeUnit": "Month", "periodLength": 1, "start": 1},
        "startedOn": "2026-01-15",
        "firstBillingPeriodBillItem": opening,
        **changes,
    }


def fee(**changes: Any) -> Body:  # noqa: ANN401
    """Return a fee of 100 DKK, due on 1 February 2026."""
    return {
        "productKey": "key:fee",
        "amount": money(100),
        "vat": EXEMPT,
        "dueDate": "2026-02-01",
        "accountingPeriod": "2026-02-01/2026-02-28",
        **changes,
    }


def by_index(**changes: Any) -> Body:  # noqa: ANN401
    rule = {"adjustmentType": "Index", "adjustmentMonth": 1, "indexMonth": 10}
    return {"rentAdjustmentRules": [rule], **changes}


DEPOSIT: Body = {"balanceChargeType": "deposit", "amount": money(25_500)}
OF_BALANCE: Body = {"adjustsRecurringBillItem": False, "adjustsBalance": True}
"""Fields of a plan that adjusts a balance and no item."""


def by_step(year: str, month: int = 1, first: str | None = None, **step: Any) -> Body:  # noqa: ANN401
    """Return a plan of one increment, by two percent unless told otherwise."""
    increments = [{"year": year, **(step or {"percentage": 0.02})}]
    rule = {"adjustmentType": "Increment", "adjustmentMonth": month, "increments": increments}
    return {"rentAdjustmentRules": [rule if first is None else {**rule, "firstYear": first}]}


def by_percent(percentage: object = 0, month: int = 1, **changes: Any) -> Body:  # noqa: ANN401
    """Return a plan that adds a percentage each year from 2027 on."""
    return {**by_step("2027", month, percentage=percentage, recurrence="Recurring"), **changes}


class CountedStore:
    """A store that counts its calls."""

    def __init__(self, store: Store, calls: Counter[str]) -> None:
        self._store = store
        self._calls = calls

    def add(self, stored: Stored[K]) -> None:
        self._calls["add"] += 1
        self._store.add(stored)

    def replace(self, stored: Stored[K]) -> None:
        self._calls["replace"] += 1
        self._store.replace(stored)

    def remove(self, kind: type[K], object_id: str) -> None:
        self._calls["remove"] += 1
        self._store.remove(kind, object_id)

    def find(self, kind: type[K], object_id: str) -> Stored[K] | None:
        self._calls["find"] += 1
        return self._store.find(kind, object_id)

    def several(self, kind: type[K], ids: Sequence[str]) -> Mapping[str, Stored[K]]:
        self._calls["several"] += 1
        return self._store.several(kind, ids)

    def page(
        self, kind: type[K], *, limit: int, after: str | None = None, belongs_to: str | None = None
    ) -> Sequence[Stored[K]]:
        self._calls["page"] += 1
        return self._store.page(kind, limit=limit, after=after, belongs_to=belongs_to)

    def belonging(
        self, kind: type[K], to: Sequence[str], *, days: Period | None = None
    ) -> Mapping[str, Sequence[Stored[K]]]:
        self._calls["belonging"] += 1
        return self._store.belonging(kind, to, days=days)

    def count(self, kind: type[K], belongs_to: str) -> int:
        self._calls["count"] += 1
        return self._store.count(kind, belongs_to)


class Service:
    """A service in memory, called by the names of its operations."""

    def __init__(
        self,
        *,
        day: str | None = None,
        indices: AnyIndices = None,
        policy: BillingPolicy | None = None,
    ) -> None:
        self.stores = MemoryStores()
        self.calls: Counter[str] = Counter()
        """Calls of the store by the latest operation."""
        self.ids = count(1)
        self.indices = indices
        self.policy = policy or BillingPolicy()
        self.day = None if day is None else date.fromisoformat(day)

    @property
    def facts(self) -> Context:
        return Context(
            moment=NOON,
            new_id=lambda: f"id-{next(self.ids)}",
            today=self.day,
            indices=self.indices,
            policy=self.policy,
        )

    def __call__(self, operation: str, body: Asked = None, **told: Any) -> Any:  # noqa: ANN401
        """Run an operation with a body, or with the id of a lease, for `home` or another owner."""
        owner = told.pop("by", "home")
        endpoint = ENDPOINTS[operation]
        given = {"leaseId": body} if isinstance(body, str) else body or {}
        request = endpoint.request.model_validate({**given, **told})
        self.calls = Counter()
        opened = self.stores.reading if endpoint.method == "GET" else self.stores.writing
        with opened(owner) as store:
            counted = CountedStore(store, self.calls)
            return OPERATIONS[operation](request, counted, self.facts)

    def refused(self, operation: str, body: Asked = None, **told: Any) -> RentBillingError:  # noqa: ANN401
        with pytest.raises(RentBillingError) as caught:
            self(operation, body, **told)
        return caught.value

    def paths(self, operation: str, body: Asked = None, **told: Any) -> list[tuple[str, str]]:  # noqa: ANN401
        """Return path and code of every problem with what an operation was sent."""
        error = self.refused(operation, body, **told)
        assert isinstance(error, InvalidInputError)
        return [(problem.path, problem.code) for problem in error.problems]

    def lease(self, *items: Body, by: str = "home", **changes: Any) -> str:  # noqa: ANN401
        """Return the id of a new lease with items, and with fields changed."""
        lease_id: str = self("create_tenancy", HOME, by=by).lease_id
        for item in items:
            self("create_recurring_bill_item", lease_id, recurringBillItem=item, by=by)
        if changes:
            self("change_lease", lease_id, by=by, **changes)
        return lease_id

    def totals(self, lease_id: str, period: str) -> list[str]:
        """Return the totals of the bills of a lease that fall due in a period."""
        return [str(each.total) for each in self("list_pending_bills", lease_id, period=period)]

    def plan(self, lease_id: str, plan: Body) -> str:
        created = self("create_rent_adjustment_plan", lease_id, rentAdjustmentPlan=plan)
        found: str = created.rent_adjustment_plan_id
        return found

    def keep(self, *kept: Stored[Any], by: str = "home") -> None:
        """Keep objects that no operation makes, as an embedder's own store may hold them."""
        with self.stores.writing(by) as store:
            for each in kept:
                store.add(each)

    def kept(self, kind: type[K], by: str = "home") -> list[K]:
        with self.stores.reading(by) as store:
            return [each.record for each in store.page(kind, limit=10_000)]


def ids(objects: Sequence[Any]) -> list[str]:
    return [each.id for each in objects]
