"""The laws of the operations: owners stay apart, pages are whole, refusals change nothing."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from hypothesis import given, strategies as st

import rentbilling as rb
from rentbilling.interface import ENDPOINTS
from rentbilling.records import Record, fields_of
from rentbilling.service import KINDS
from tests.support.billed_sums import billed
from tests.support.operated import HOME, Body, Service, by_percent, fee, money, rent

PAGED: Final = tuple(name for name, each in ENDPOINTS.items() if each.page_of is not None)
START = "2026-01-15"
DEPOSIT = {"balanceChargeType": "deposit", "amount": money(25_500)}

# ------------------------------------------------------------------------------ what is asked for

BEGINNING: Final[tuple[tuple[str, Body], ...]] = (
    ("create_tenancy", HOME),
    ("create_tenancy", HOME),
    ("create_recurring_bill_item", {"leaseId": "id-2", "recurringBillItem": rent()}),
    ("change_lease", {"leaseId": "id-4", "balances": [DEPOSIT], "contractStart": START}),
)
"""Two tenancies, id-1 and id-3, with the leases id-2 and id-4, the item id-5, the deposit id-6."""
NUMBERS = st.sampled_from((*range(1, 10), 30))
GUESSES: Final = {
    "leaseId": (*(2, 4) * 6, 1, 7, 8, 30),
    "tenancyId": (*(1, 3) * 6, 2, 7, 8, 30),
    "recurringBillItemId": (*(5,) * 6, 2, 7, 8, 9, 30),
    "oneTimeBillItemId": (*range(7, 12), 2, 30),
    "rentAdjustmentPlanId": (*range(6, 11), 2, 30),
    "payoutId": (*range(7, 12), 2, 30),
    "startingAfter": tuple(range(1, 10)),
}
"""Numbers of ids that are guessed, of what is there and what is not."""


def guessed(kind: str) -> st.SearchStrategy[Body]:
    return st.sampled_from(GUESSES[kind]).map(lambda number: {kind: f"id-{number}"})


def one_of(*bodies: Body, of: str) -> st.SearchStrategy[Body]:
    return st.tuples(st.sampled_from(bodies), guessed(of)).map(lambda both: {**both[0], **both[1]})


PAGE = st.one_of(
    st.just({}),
    NUMBERS.map(lambda limit: {"limit": limit}),
    st.tuples(NUMBERS, guessed("startingAfter")).map(lambda both: {"limit": both[0], **both[1]}),
)
PAGE_OF_LEASE = st.one_of(
    PAGE, st.tuples(PAGE, guessed("leaseId")).map(lambda both: both[0] | both[1])
)
PAGE_OF_TENANCY = st.one_of(
    PAGE, st.tuples(PAGE, guessed("tenancyId")).map(lambda both: both[0] | both[1])
)
A_KEY: Final = NUMBERS.map(lambda number: {"productKey": f"key:{number}"})
PRODUCT_CHANGES: Final[st.SearchStrategy[Body]] = st.sampled_from(
    (
        {"archived": True},
        {"productName": {"da": "Andet"}, "position": 2},
        {"clear": ["position"]},
    )
)
MONEY_OUT = {
    "payoutReason": "Refund",
    "payoutDate": "2026-02-01",
    "net": money(980),
    "fees": money(20),
    "gross": money(1000),
}

ASKED: Final[dict[str, st.SearchStrategy[Body]]] = {
    "create_tenancy": st.just(HOME),
    "create_lease": one_of({"purpose": "key:office"}, of="tenancyId"),
    "create_recurring_bill_item": one_of(
        {"recurringBillItem": rent()},
        {"recurringBillItem": rent(300, productKey="key:water")},
        {"recurringBillItem": rent(100, "EUR")},
        of="leaseId",
    ),
    "create_one_time_bill_item": one_of({"oneTimeBillItem": fee()}, of="leaseId"),
    "create_rent_adjustment_plan": one_of(
        {"rentAdjustmentPlan": by_percent(0.02)},
        {
            "rentAdjustmentPlan": by_percent(
                0.02, adjustsRecurringBillItem=False, adjustsBalance=True
            )
        },
        {"rentAdjustmentPlan": by_percent(0.02, adjusteeRef="id-5")},
        of="leaseId",
    ),
    "change_lease": one_of(
        {"operationalState": "Active", "contractStart": START},
        {"operationalState": "Ended", "contractEnd": "2026-12-31"},
        {"balances": [DEPOSIT]},
        {"balances": [{**DEPOSIT, "id": "id-6"}]},
        {"balances": [{**DEPOSIT, "amount": money(100, "EUR"), "months": 3}]},
        {"clear": ["contractStart", "contractEnd", "balances"]},
        {"purpose": "key:office", "contractEnd": "2025-12-31"},
        of="leaseId",
    ),
    "change_recurring_bill_item": one_of(
        {"endedOn": "2027-06-30"},
        {"cancelledOn": "2027-03-01", "discount": {"percentage": 0.1}},
        {"amountRecords": [{"value": money(9000), "start": "2026-07-01"}]},
        {"amountRecords": [{"value": money(100, "EUR"), "start": "2026-07-01"}]},
        {"clear": ["endedOn", "cancelledOn", "amountRecords"]},
        of="recurringBillItemId",
    ),
    "change_one_time_bill_item": one_of(
        {"amount": money(50), "dueDate": "2026-03-01"},
        {"productKey": "key:other", "quantity": 3, "accountingPeriod": "2026-03-01/2026-03-31"},
        {"amount": money(50, "EUR"), "description": "Other"},
        {"vat": {"taxMode": "Inclusive", "taxRate": 0.25}},
        {"clear": ["description", "quantity"]},
        of="oneTimeBillItemId",
    ),
    "withdraw_one_time_bill_item": guessed("oneTimeBillItemId"),
    "change_rent_adjustment_plan": one_of(
        {"endedOn": "2027-06-30"},
        {"cancelledOn": "2026-12-31"},
        {"clear": ["endedOn", "cancelledOn"]},
        of="rentAdjustmentPlanId",
    ),
    "change_tenancy": one_of({"unitType": "PARKING"}, {"clear": ["unitType"]}, of="tenancyId"),
    "archive_lease": guessed("leaseId"),
    "archive_tenancy": guessed("tenancyId"),
    "retrieve_lease": guessed("leaseId"),
    "retrieve_lease_terms": guessed("leaseId"),
    "retrieve_tenancy": guessed("tenancyId"),
    "retrieve_recurring_bill_item": guessed("recurringBillItemId"),
    "retrieve_one_time_bill_item": guessed("oneTimeBillItemId"),
    "retrieve_rent_adjustment_plan": guessed("rentAdjustmentPlanId"),
    "retrieve_payout": guessed("payoutId"),
    "withdraw_payout": guessed("payoutId"),
    "retrieve_product": A_KEY,
    "change_product": st.tuples(A_KEY, PRODUCT_CHANGES).map(lambda both: {**both[0], **both[1]}),
    "list_pending_bills": one_of({"period": "2026-01-01/2027-12-31"}, of="leaseId"),
    "list_tenancies": PAGE,
    "list_leases": PAGE_OF_TENANCY,
    "list_recurring_bill_items": PAGE_OF_LEASE,
    "list_one_time_bill_items": PAGE_OF_LEASE,
    "list_rent_adjustment_plans": PAGE_OF_LEASE,
    "list_products": PAGE,
    "list_payouts": PAGE,
    "list_audit_records": PAGE,
    "record_product": A_KEY.map(lambda key: {**key, "productName": {"en": "Any"}}),
    "record_payout": st.just(MONEY_OUT),
}
"""For each operation what is sent: some of it fits, some does not, most ids are guesses."""

OFTEN: Final = (
    *("create_rent_adjustment_plan", "change_lease", "create_recurring_bill_item"),
    *("change_recurring_bill_item", "change_rent_adjustment_plan"),
    *("create_one_time_bill_item", "change_one_time_bill_item"),
)
CALL = st.sampled_from((*sorted(ASKED), *OFTEN * 3)).flatmap(
    lambda name: ASKED[name].map(lambda body: (name, body))
)
Call = tuple[str, Body]
CALLS = st.lists(CALL, min_size=5, max_size=20).map(lambda calls: [*BEGINNING, *calls])
SINGLE: Final = (
    ("recurring_bill_item", "recurringBillItemId", "id"),
    ("one_time_bill_item", "oneTimeBillItemId", "id"),
    ("rent_adjustment_plan", "rentAdjustmentPlanId", "id"),
    ("product", "productKey", "product_key"),
    ("payout", "payoutId", "id"),
)
"""What is listed, and how one of them is asked for."""
ANSWERED: Final = ("home", "away")
OWNERS = st.sampled_from(ANSWERED)


IDS: Final = (
    *("recurringBillItemId", "oneTimeBillItemId", "rentAdjustmentPlanId", "payoutId", "productKey"),
    *("leaseId", "tenancyId", "startingAfter"),
)
"""What somebody may guess, the most special first."""
BESIDE: Final[dict[str, Body]] = {
    "list_pending_bills": {"period": "2026-01-01/2026-12-31"},
    "create_recurring_bill_item": {"recurringBillItem": rent()},
    "create_one_time_bill_item": {"oneTimeBillItem": fee()},
    "create_rent_adjustment_plan": {"rentAdjustmentPlan": by_percent(0.02)},
    "create_lease": {"purpose": "key:office"},
    "change_lease": {"purpose": "key:office"},
    "change_recurring_bill_item": {"description": "Mine"},
    "change_one_time_bill_item": {"description": "Mine"},
    "change_rent_adjustment_plan": {"endedOn": "2026-12-31"},
    "change_product": {"archived": True},
    "change_tenancy": {"unitType": "PARKING"},
}
OWN: Final = {"create_tenancy", "record_product", "record_payout"}
"""Operations that ask for no id."""


def guess(operation: str, number: int) -> Body:
    """Return what somebody asks who has nothing, and guesses an id."""
    known = {each.wire for each in fields_of(ENDPOINTS[operation].request)}
    name = next(each for each in IDS if each in known)
    own_id = f"key:{number}" if name == "productKey" else f"id-{number}"
    return {**BESIDE.get(operation, {}), name: own_id}


def everything(service: Service, owner: str) -> list[list[Record]]:
    return [service.kept(kind, by=owner) for kind in KINDS]


def outcome(service: Service, call: Call, owner: str) -> str:
    operation, body = call
    try:
        return rb.dumps(service(operation, body, by=owner))
    except rb.RentBillingError as error:
        return f"{type(error).__name__}: {error}"


def called(calls: Sequence[Call]) -> Service:
    service = Service()
    for call in calls:
        outcome(service, call, "home")
    return service


def alone(calls: Sequence[tuple[str, Call]], owner: str) -> list[str]:
    service = Service()
    return [outcome(service, call, owner) for by, call in calls if by == owner]


class _OwnIds:
    """Gives each owner ids of his own, whatever the others do."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._counts: dict[str, Any] = {}

    def of(self, owner: str) -> None:
        fresh = Service().ids
        self._service.ids = self._counts.setdefault(owner, fresh)


def test_every_operation_is_asked() -> None:
    assert ENDPOINTS.keys() == ASKED.keys()


@given(
    st.lists(st.tuples(OWNERS, CALL), min_size=8, max_size=30).map(
        lambda calls: [*((owner, call) for call in BEGINNING for owner in ANSWERED), *calls]
    )
)
def test_owners_never_see_each_other(calls: list[tuple[str, Call]]) -> None:
    """What an owner is answered is, word for word, what he is answered alone (A45).

    Both have the same ids, so that every guess of an id that is somebody else's is tried too.
    """
    service = Service()
    ids = _OwnIds(service)
    answers: dict[str, list[str]] = {owner: [] for owner in ANSWERED}
    for owner, call in calls:
        ids.of(owner)
        answers[owner].append(outcome(service, call, owner))

    assert {owner: alone(calls, owner) for owner in answers} == answers


@given(CALLS, st.sampled_from(sorted(ENDPOINTS.keys() - OWN)))
def test_an_id_of_somebody_else_is_like_none(calls: list[Call], operation: str) -> None:
    """A stranger who tries every id is answered as where nobody has anything (A45)."""
    service = called(calls)
    before = everything(service, "home")
    there = len([each for kept in before for each in kept])
    for number in range(1, there + 5):
        call = operation, guess(operation, number)
        assert outcome(Service(), call, "away") == outcome(service, call, "away")

    assert before == everything(service, "home")
    assert [] == [each for kept in everything(service, "away") for each in kept]


@given(CALLS)
def test_a_refusal_changes_nothing_and_a_question_neither(calls: list[Call]) -> None:
    service = Service()
    for call in calls:
        before = everything(service, "home")
        answer = outcome(service, call, "home")
        if ENDPOINTS[call[0]].method == "GET" or "Error: " in answer:
            assert before == everything(service, "home")


@given(CALLS)
def test_what_is_listed_is_what_is_retrieved(calls: list[Call]) -> None:
    """Each object by itself as on its page; a tenancy's current lease is the lease (A48)."""
    service = called(calls)
    for lease in service("list_leases", limit=100).leases:
        assert lease == service("retrieve_lease", leaseId=lease.id)
        terms = service("retrieve_lease_terms", leaseId=lease.id)
        listed = service("list_recurring_bill_items", leaseId=lease.id, limit=100)
        assert [each.id for each in terms.recurring_bill_items] == [
            each.id for each in listed.recurring_bill_items
        ]
        plans = service("list_rent_adjustment_plans", leaseId=lease.id, limit=100)
        kept = [
            told.evolve(next_adjustment_date=None, adjustments=each.adjustments)
            for told, each in zip(
                plans.rent_adjustment_plans, terms.rent_adjustment_plans, strict=True
            )
        ]
        assert list(terms.rent_adjustment_plans) == kept
    for what, parameter, field in SINGLE:
        (listed,) = (list(page) for _, page in service(f"list_{what}s", limit=100))
        for each in listed:
            asked = {parameter: getattr(each, field)}
            assert each == service(f"retrieve_{what}", asked)
    for tenancy in service("list_tenancies", limit=100).tenancies:
        assert tenancy == service("retrieve_tenancy", tenancyId=tenancy.id)
        open_leases = [
            each
            for each in service("list_leases", tenancyId=tenancy.id, limit=100).leases
            if each.operational_state != "Archived"
        ]
        assert tenancy.archived_at is None or [] == open_leases
        current = tenancy.current_lease
        if current is not None:
            assert current == service("retrieve_lease", leaseId=current.id)
            assert current.id in tenancy.lease_ids


@given(CALLS, st.dates(date(2026, 1, 1), date(2032, 12, 31)))
def test_what_is_told_of_plans_is_what_is_computed_of_the_lease(
    calls: list[Call], day: date
) -> None:
    service = called(calls)
    service.day = day
    for lease in service("list_leases", limit=100).leases:
        terms = service("retrieve_lease_terms", leaseId=lease.id)
        plans = service("list_rent_adjustment_plans", leaseId=lease.id, limit=100)
        plans = plans.rent_adjustment_plans
        told = [each for plan in plans for each in plan.adjustments]
        dates = [plan.next_adjustment_date for plan in plans if plan.next_adjustment_date]
        made = rb.rent_adjustments(terms, rb.Period(date(1, 1, 1), day))

        assert {(each.plan_id, each.adjusted_on): each for each in made} == {
            (each.plan_id, each.adjusted_on): each.evolve(id=None) for each in told
        }
        assert rb.next_adjustment_date(terms, day) == min(dates, default=None)
        assert len(told) == len({each.id for each in told})


@given(CALLS, CALLS)
def test_whatever_changes_after_bills_were_made_is_corrected(
    before: list[Call], after: list[Call]
) -> None:
    """Changed, ended, withdrawn, added: billed and corrected is what a fresh run gives (A53)."""
    service = called(before)
    first, both = "2026-01-01/2026-12-31", "2026-01-01/2027-06-30"
    sent = {
        lease.id: service("list_pending_bills", leaseId=lease.id, period=first)
        for lease in service("list_leases", limit=100).leases
        if lease.operational_state != "Archived"
    }
    for call in after[len(BEGINNING) :]:
        outcome(service, call, "home")
    for lease_id, done in sent.items():
        terms = service("retrieve_lease_terms", leaseId=lease_id)
        since = date(2026, 1, 1)
        more = rb.pending_bills(
            terms, "2027-01-01/2027-06-30", already_billed=[done], billed_since=since
        )

        assert billed(rb.pending_bills(terms, both)) == billed(done, more)


@given(
    st.integers(1, 12),
    st.integers(1, 7),
    st.lists(st.tuples(st.booleans(), st.integers(0, 30)), max_size=20),
)
def test_pages_cover_what_stays_once_and_in_order(
    objects: int, limit: int, meanwhile: list[tuple[bool, int]]
) -> None:
    """Whatever is created or removed between two pages (A43).

    Objects that are there from the first page to the last come exactly once; nothing comes twice.
    """
    service = Service()
    for _ in range(objects):
        service("record_payout", MONEY_OUT)
    kind = KINDS[-1]
    first = [each.id for each in service("list_payouts", limit=100).payouts]
    stays = set(first)
    met: list[str] = []
    changes = iter(meanwhile)
    while True:
        told: Body = {"startingAfter": met[-1]} if met else {}
        page = [each.id for each in service("list_payouts", limit=limit, **told).payouts]
        met += page
        if len(page) < limit:
            break
        creates, at = next(changes, (False, -1))
        there = [str(getattr(each, "id", "")) for each in service.kept(kind)]
        if creates:
            service("record_payout", MONEY_OUT)
        elif there and at >= 0:
            gone = there[at % len(there)]
            with service.stores.writing("home") as store:
                store.remove(kind, gone)
            stays.discard(gone)

    assert len(met) == len(set(met))
    assert stays <= set(met)
    assert sorted(met, key=lambda each: int(each.removeprefix("id-"))) == met


@given(
    st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=9),
    st.integers(0, 99),
    st.integers(0, 99),
    st.sampled_from(("due_date", "accounting_period")),
)
def test_what_is_read_of_some_days_is_billed_as_all_items_are(
    fees: list[tuple[int, int]],
    first: int,
    days: int,
    select: Any,  # noqa: ANN401
) -> None:
    """Of one-time items due on some days, for days from others on, by either (A15)."""
    service, start = Service(policy=rb.BillingPolicy(select=select)), date(2026, 1, 1).toordinal()
    lease_id = service.lease(rent())
    for due, begins in fees:
        period = str(rb.Period.unchecked(start + begins, start + 120))
        item = fee(dueDate=str(date.fromordinal(start + due)), accountingPeriod=period)
        service("create_one_time_bill_item", lease_id, oneTimeBillItem=item)
    asked = str(rb.Period.unchecked(start + first, start + first + days))
    terms = service("retrieve_lease_terms", lease_id)
    whole = rb.pending_bills(terms, asked, policy=service.policy)

    assert whole == service("list_pending_bills", lease_id, period=asked)
