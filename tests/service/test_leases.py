"""Leases: their states, what changes of them, their figures, and their pending bills."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial
from typing import Any

import pytest

from rentbilling import BillingPolicy, LeaseTerms, dumps, loads, pending_bills
from rentbilling.adapters.fair_cache import FairCache
from rentbilling.billing import CompiledItem
from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.interface import Lease
from rentbilling.service import Context
from tests.conformance.proving import proves
from tests.support import operated
from tests.support.plans import octobers
from tests.support.rows import rows

START = "2026-01-15"
FIRST_HALF = "2026-01-01/2026-06-30"


def in_state(state: str) -> tuple[operated.Service, str]:
    service = operated.Service()
    lease_id = service.lease(operated.rent())
    if state in ("Active", "Ended"):
        service("change_lease", lease_id, operationalState="Active", contractStart=START)
    if state == "Ended":
        service("change_lease", lease_id, operationalState="Ended", contractEnd="2026-12-31")
    if state == "Archived":
        service("archive_lease", lease_id)
    return service, lease_id


@pytest.mark.parametrize(
    ("state", "wanted"),
    [
        ("Draft", "Draft"),
        ("Draft", "Active"),
        ("Active", "Active"),
        ("Active", "Ended"),
        ("Ended", "Ended"),
        ("Ended", "Active"),
    ],
)
@proves("States and transitions 4")
def test_a_lease_goes_to_the_next_state(state: str, wanted: str) -> None:
    """Draft, Active, Ended, and back to Active; staying is no change (A48)."""
    service, lease_id = in_state(state)
    dates: dict[str, Any] = {"contractStart": START, "contractEnd": "2026-12-31"}
    changed = service("change_lease", lease_id, operationalState=wanted, **dates)

    assert wanted == changed.operational_state
    assert changed == service("retrieve_lease", lease_id)


@pytest.mark.parametrize(
    ("state", "wanted"), [("Draft", "Ended"), ("Active", "Draft"), ("Ended", "Draft")]
)
@proves("States and transitions 4")
def test_a_lease_goes_nowhere_else(state: str, wanted: str) -> None:
    """A conflict that names where it is and where it should go (A48)."""
    service, lease_id = in_state(state)
    before = service("retrieve_lease", lease_id)
    error = service.refused("change_lease", lease_id, operationalState=wanted)

    assert ConflictError("wrong_state", lease=lease_id, state=state, wanted=wanted) == error
    assert f"is {state}, and does not become {wanted}" in str(error)
    assert before == service("retrieve_lease", lease_id)


def test_an_active_lease_has_a_contract_start() -> None:
    service, lease_id = in_state("Draft")

    assert [("contractStart", "missing")] == service.paths(
        "change_lease", lease_id, operationalState="Active"
    )
    service("change_lease", lease_id, operationalState="Active", contractStart=START)
    assert [("contractStart", "missing")] == service.paths(
        "change_lease", lease_id, clear=["contractStart"]
    )


def test_an_ended_lease_has_both_dates() -> None:
    service, lease_id = in_state("Active")

    assert [("contractEnd", "missing")] == service.paths(
        "change_lease", lease_id, operationalState="Ended"
    )
    service, lease_id = in_state("Ended")
    assert [("contractStart", "missing"), ("contractEnd", "missing")] == service.paths(
        "change_lease", lease_id, clear=["contractStart", "contractEnd"]
    )
    changed = service("change_lease", lease_id, operationalState="Active", clear=["contractEnd"])
    assert changed.contract_end is None


@rows("state", ["Draft", "Ended"])
def test_a_lease_that_is_not_active_is_archived(state: str) -> None:
    """The moment is kept; the contract's state stays what its dates say, the rent goes (A48)."""
    service, lease_id = in_state(state)
    before = service("retrieve_lease", lease_id)
    archived = service("archive_lease", lease_id)

    assert "8500.00 DKK" == str(before.monthly_rent_level)
    assert (
        before.evolve(
            operational_state="Archived", archived_at=operated.NOON, monthly_rent_level=None
        )
        == archived
    )


def test_archiving_twice_changes_nothing() -> None:
    service, lease_id = in_state("Archived")
    once = service("retrieve_lease", lease_id)

    assert once == service("archive_lease", lease_id)
    assert 0 == service.calls["replace"]


@rows(
    ("operation", "body"),
    [
        ("change_lease", {"purpose": "key:office"}),
        ("change_lease", {"operationalState": "Active", "contractStart": START}),
        ("create_recurring_bill_item", {"recurringBillItem": operated.rent()}),
        ("create_one_time_bill_item", {"oneTimeBillItem": operated.fee()}),
        ("create_rent_adjustment_plan", {"rentAdjustmentPlan": operated.by_percent(0.02)}),
    ],
)
def test_nothing_of_an_archived_lease_changes(operation: str, body: dict[str, Any]) -> None:
    """Neither the lease nor what belongs to it (A48)."""
    service, lease_id = in_state("Archived")
    before = service("retrieve_lease_terms", lease_id)
    error = service.refused(operation, body, leaseId=lease_id)

    assert ConflictError("archived_lease", lease=lease_id) == error
    assert before == service("retrieve_lease_terms", lease_id)


@pytest.mark.parametrize(
    ("day", "state"),
    [
        ("2026-01-14", "Upcoming"),
        ("2026-01-15", "Active"),
        ("2026-12-31", "Active"),
        ("2027-01-01", "Expired"),
    ],
)
@proves("States and transitions 3")
def test_the_contract_has_a_state_on_each_day(day: str, state: str) -> None:
    """Its first and its last day belong to it, whatever the lease's own state (A48)."""
    service, lease_id = in_state("Ended")
    service.day = date.fromisoformat(day)

    assert state == service("retrieve_lease", lease_id).contract_period_state


def test_what_a_change_does_not_name_stays() -> None:
    service = operated.Service()
    lease_id = service.lease(
        primaryTenantContactName="Ida Holm",
        tenantIds=["tenant-1", "tenant-2"],
        associatedContactIds=["contact-1"],
        primaryTenantId="tenant-1",
        billingContactId="contact-1",
        balance=operated.money(120.5),
    )
    changed = service(
        "change_lease",
        lease_id,
        purpose="key:office",
        tenantIds=["tenant-3"],
        associatedContactIds=[],
        clear=["billingContactId"],
    )

    assert (
        '{"id": "id-2", "tenancyId": "id-1", "operationalState": "Draft", '
        '"contractPeriodState": "Upcoming", "primaryTenantContactName": "Ida Holm", '
        '"tenantIds": ["tenant-3"], "associatedContactIds": [], "primaryTenantId": "tenant-1", '
        '"balance": {"currency": "DKK", "amount": 120.50}, "purpose": "key:office"}'
    ) == dumps(changed)
    assert changed == service("retrieve_lease", lease_id)


def test_everything_that_may_be_cleared_is_cleared() -> None:
    service = operated.Service()
    lease_id = service.lease()
    before = service("retrieve_lease", lease_id)
    service(
        "change_lease",
        lease_id,
        primaryTenantContactName="Ida Holm",
        tenantIds=["tenant-1"],
        associatedContactIds=["contact-1"],
        primaryTenantId="tenant-1",
        billingContactId="contact-1",
        balance=operated.money(1),
        contractStart=START,
        contractEnd="2026-12-31",
        balances=[operated.DEPOSIT],
    )
    cleared = service(
        "change_lease",
        lease_id,
        clear=[
            *("primaryTenantContactName", "tenantIds", "associatedContactIds", "primaryTenantId"),
            *("billingContactId", "balance", "contractStart", "contractEnd", "balances"),
        ],
    )

    assert before == cleared
    assert before == service("retrieve_lease", lease_id)
    assert LeaseTerms(lease_id=lease_id) == service("retrieve_lease_terms", lease_id)


def test_a_contract_never_ends_before_it_starts() -> None:
    service = operated.Service()
    lease_id = service.lease(contractStart=START)

    assert [("contractEnd", "reversed_period")] == service.paths(
        "change_lease", lease_id, contractEnd="2026-01-14"
    )


def test_figures_of_a_lease_are_of_the_day() -> None:
    """8,500 a month becomes 8,670 on 1 January 2027; three months of it are 26,010 (A39)."""
    service = operated.Service(day="2026-12-31")
    lease_id = service.lease(
        operated.rent(),
        contractStart=START,
        balances=[
            {**operated.DEPOSIT, "months": 3},
            {"balanceChargeType": "prepaidRent", "amount": operated.money(8_500)},
        ],
    )
    both: dict[str, Any] = {
        "adjustsRecurringBillItem": True,
        "adjustsBalance": True,
        "balanceChargeType": "deposit",
    }
    service.plan(lease_id, operated.by_percent(0.02, **both))

    assert ("8500.00 DKK", "25500.00 DKK", "8500.00 DKK") == told(service, lease_id)
    service.day = date(2027, 1, 1)
    assert ("8670.00 DKK", "26010.00 DKK", "8500.00 DKK") == told(service, lease_id)
    assert 25_500 == service("retrieve_lease_terms", lease_id).balances[0].amount.amount


def told(service: operated.Service, lease_id: str) -> tuple[str, ...]:
    lease = service("retrieve_lease", lease_id)
    return tuple(map(str, (lease.monthly_rent_level, lease.deposit_balance, lease.prepaid_balance)))


def test_a_missing_index_value_leaves_a_figure_out_and_not_the_page() -> None:
    """The lease beside it is listed with all it has (A41)."""
    service = operated.Service(day="2027-01-01", indices=octobers(100, 110))
    lease_id = service.lease(operated.rent())
    service.plan(lease_id, operated.by_index())
    other = service.lease(operated.rent(9000))
    leases = service("list_leases").leases

    assert [lease_id, other] == operated.ids(leases)
    assert [None, "9000.00 DKK"] == [
        each.monthly_rent_level and str(each.monthly_rent_level) for each in leases
    ]


def test_balances_are_replaced_whole() -> None:
    service = operated.Service()
    keys = {"balanceChargeType": "keys", "amount": operated.money(200)}
    lease_id = service.lease(balances=[operated.DEPOSIT, keys])
    first, _ = service("retrieve_lease_terms", lease_id).balances
    service(
        "change_lease",
        lease_id,
        balances=[
            {"balanceChargeType": "prepaidRent", "amount": operated.money(8_500)},
            {**operated.DEPOSIT, "id": first.id, "amount": operated.money(26_000)},
        ],
    )
    balances = service("retrieve_lease_terms", lease_id).balances

    assert [(first.id, "deposit", 26_000), ("id-5", "prepaidRent", 8_500)] == [
        (each.id, each.balance_charge_type, each.amount.amount) for each in balances
    ]


def test_a_balance_of_another_lease_is_no_balance_of_this_one() -> None:
    service = operated.Service()
    other = service.lease(balances=[operated.DEPOSIT])
    (theirs,) = service("retrieve_lease_terms", other).balances
    lease_id = service.lease(balances=[operated.DEPOSIT])
    (own,) = service("retrieve_lease_terms", lease_id).balances
    balances = [{**operated.DEPOSIT, "id": each} for each in (theirs.id, own.id, "id-99")]

    assert [("balances[0].id", "unknown_id"), ("balances[2].id", "unknown_id")] == service.paths(
        "change_lease", lease_id, balances=balances
    )
    twice = [{**operated.DEPOSIT, "id": own.id}] * 2
    assert [("balances[1].id", "duplicate_id")] == service.paths(
        "change_lease", lease_id, balances=twice
    )
    assert (own,) == service("retrieve_lease_terms", lease_id).balances


def test_a_balance_that_a_plan_moves_stays() -> None:
    service = operated.Service()
    lease_id = service.lease(operated.rent(), balances=[operated.DEPOSIT])
    service.plan(lease_id, operated.by_percent(0.02, **operated.OF_BALANCE))
    error = service.refused("change_lease", lease_id, clear=["balances"])

    assert [("balances", "unknown_adjustee")] == service.paths(
        "change_lease", lease_id, clear=["balances"]
    )
    assert "does not fit the lease, whose adjusteeRef of plan id-5 names no" in str(error)


def test_pending_bills_are_those_of_the_terms() -> None:
    service = operated.Service(day="2027-01-01", indices=octobers(100, 110, first=2025))
    lease_id = service.lease(operated.rent(), contractStart=START, contractEnd="2027-03-15")
    service("create_one_time_bill_item", lease_id, oneTimeBillItem=operated.fee())
    service.plan(lease_id, operated.by_index())
    period = "2026-01-01/2026-12-31"
    terms = service("retrieve_lease_terms", lease_id)
    found = service("list_pending_bills", lease_id, period=period)

    assert pending_bills(terms, period, indices=service.indices) == found
    assert dumps(pending_bills(terms, period, indices=service.indices)) == dumps(found)
    assert terms == loads(dumps(terms))
    # The opening on 15 January; February with the fee; ten more months.
    assert (12, "8600.00 DKK", lease_id) == (len(found), str(found[1].total), found.lease_id)


def test_pending_bills_follow_the_policy_of_the_service() -> None:
    """Half up by default; the policy stands on the answer (A3, A59)."""
    policy = BillingPolicy(business_day="following")
    service = operated.Service(policy=policy)
    lease_id = service.lease(operated.rent())
    found = service("list_pending_bills", lease_id, period="2026-02-01/2026-02-28")

    # 1 February 2026 is a Sunday.
    assert [date(2026, 2, 2)] == [bill.due_date for bill in found]
    assert policy.fingerprint == found.policy_fingerprint


@rows("state", ["Draft", "Active", "Ended"])
def test_bills_follow_the_terms_and_not_the_state(state: str) -> None:
    """These are tied to no bills; the items' own dates and the contract end decide (A44)."""
    service, lease_id = in_state(state)
    found = service("list_pending_bills", lease_id, period=FIRST_HALF)

    assert 6 == len(found)


@rows(
    ("state", "period_state", "due"),
    [
        # The first day of the contract lies ahead of 15 March, and cuts nothing (A17).
        ("Active", "Upcoming", ["2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01"]),
        # It has ended in the owner's word, and is billed up to the last day of the contract.
        ("Ended", "Active", ["2026-02-01", "2026-03-01", "2026-04-01"]),
    ],
)
def test_a_state_is_the_owners_word_and_dates_say_what_is_billed(
    state: str, period_state: str, due: list[str]
) -> None:
    """A lease is Active before its start, or Ended before its end: no date forbids it (A48)."""
    service = operated.Service()
    start = "2026-06-01" if period_state == "Upcoming" else "2026-01-15"
    lease_id = service.lease(operated.rent(), operationalState="Active", contractStart=start)
    if state == "Ended":
        end = "2026-04-30"
        service("change_lease", lease_id, operationalState=state, contractEnd=end)
    lease = service("retrieve_lease", lease_id)
    found = service("list_pending_bills", lease_id, period="2026-02-01/2026-05-31")

    assert (state, period_state) == (lease.operational_state, lease.contract_period_state)
    assert due == [str(bill.due_date) for bill in found]


@rows(
    ("period", "due"),
    [
        (FIRST_HALF, ["2026-01-15", "2026-02-01", "2026-03-01"]),
        ("2026-03-15/2026-03-31", []),
        ("2026-03-16/2026-12-31", []),
        ("2026-02-01/2026-03-15", ["2026-02-01", "2026-03-01"]),
    ],
)
def test_of_an_archived_lease_nothing_falls_due_after_that_day(period: str, due: list[str]) -> None:
    """Archived on 15 March 2026: what was due by then is billed as before (A48)."""
    service, lease_id = in_state("Archived")
    found = service("list_pending_bills", lease_id, period=period)

    assert due == [str(bill.due_date) for bill in found]
    assert lease_id == found.lease_id


def test_a_lease_is_archived_on_the_day_of_its_own_offset() -> None:
    """31 January 23:30 UTC is 1 February in Copenhagen, where February falls due that day."""
    found = []
    for hours in (0, 1):
        service, lease_id = in_state("Archived")
        late = datetime(2026, 1, 31, 23, 30, tzinfo=UTC).astimezone(
            timezone(timedelta(hours=hours))
        )
        with service.stores.writing("home") as store:
            kept = store.find(Lease, lease_id)
            assert kept is not None
            store.replace(kept._replace(record=kept.record.evolve(archived_at=late)))
        found.append(service("list_pending_bills", lease_id, period=FIRST_HALF))

    assert [1, 2] == [len(each) for each in found]


def test_a_period_is_bounded() -> None:
    """3,660 days are answered, 3,661 are too many (A60)."""
    service, lease_id = in_state("Draft")
    most, more = "2026-01-01/2036-01-08", "2026-01-01/2036-01-09"

    assert service("list_pending_bills", lease_id, period=most)
    assert [("period", "too_many_days")] == service.paths(
        "list_pending_bills", lease_id, period=more
    )


@rows(
    ("operation", "body"),
    [
        ("retrieve_lease", {}),
        ("retrieve_lease_terms", {}),
        ("list_pending_bills", {"period": FIRST_HALF}),
        ("change_lease", {}),
        ("archive_lease", {}),
        ("create_recurring_bill_item", {"recurringBillItem": operated.rent()}),
        ("create_one_time_bill_item", {"oneTimeBillItem": operated.fee()}),
        ("create_rent_adjustment_plan", {"rentAdjustmentPlan": operated.by_percent(0.02)}),
        ("list_recurring_bill_items", {}),
        ("list_one_time_bill_items", {}),
        ("list_rent_adjustment_plans", {}),
    ],
)
def test_an_unknown_lease_is_not_found(operation: str, body: dict[str, Any]) -> None:
    """Also where it stands in a body or in a filter (A46)."""
    error = operated.Service().refused(operation, body, leaseId="id-9")

    assert NotFoundError("unknown_id", kind="lease", id="id-9") == error


def test_leases_are_listed_of_one_tenancy() -> None:
    service = operated.Service()
    lease_id, _ = service.lease(), service.lease()

    assert [lease_id] == operated.ids(service("list_leases", tenancyId="id-1").leases)
    assert NotFoundError("unknown_id", kind="tenancy", id="id-9") == service.refused(
        "list_leases", tenancyId="id-9"
    )


class Remembering(operated.Service):
    """A service that remembers what was made, as that over HTTP does."""

    def __init__(self) -> None:
        super().__init__()
        self.cache = FairCache[Any](1_000)

    @property
    def facts(self) -> Context:
        return replace(super().facts, remembered=partial(self.cache.value_of, "home"))


def test_what_recurs_is_compiled_once_whatever_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rents, a fee in March: 2 items are compiled for all months, 2 more for the figures.

    A change of a contact compiles nothing; after another item, both need 3.
    """
    compiled = 0
    usual = CompiledItem.__init__

    def counting(*given: Any) -> None:  # noqa: ANN401
        nonlocal compiled
        compiled += 1
        usual(*given)

    monkeypatch.setattr(CompiledItem, "__init__", counting)
    service = Remembering()
    lease_id = service.lease(operated.rent(), operated.rent())
    service(
        "create_one_time_bill_item", lease_id, oneTimeBillItem=operated.fee(dueDate="2026-03-01")
    )
    months = [f"2026-0{month}-01/2026-0{month}-28" for month in (2, 3, 4)]

    def asked() -> tuple[list[str], int]:
        before = compiled
        bills = [dumps(service("list_pending_bills", lease_id, period=each)) for each in months]
        return [*bills, dumps(service("retrieve_lease", lease_id))], compiled - before

    first, again = asked(), asked()
    assert (4, 0, first[0]) == (first[1], again[1], again[0])
    terms = service("retrieve_lease_terms", lease_id)
    assert [dumps(pending_bills(terms, each)) for each in months] == first[0][:3]
    service("change_lease", lease_id, primaryTenantContactName="A. Jensen")
    assert 0 == asked()[1]
    service("create_recurring_bill_item", lease_id, recurringBillItem=operated.rent())
    assert 6 == asked()[1]
