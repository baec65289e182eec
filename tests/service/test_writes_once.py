"""One-time bill items: retrieved, changed and withdrawn, also where they were billed before."""

from collections.abc import Sequence
from typing import Any

from rentbilling import BillingResult, OneTimeBillItem, UnsupportedCaseError, dumps, pending_bills
from rentbilling.errors import ConflictError, NotFoundError
from tests.support.operated import Body, Service, fee, money, rent
from tests.support.rows import rows

ITEM = {"oneTimeBillItemId": "id-4"}
CHANGE, WITHDRAW = "change_one_time_bill_item", "withdraw_one_time_bill_item"
FEBRUARY = "2026-02-01/2026-02-28"
MARCH = "2026-03-01/2026-03-31"


def with_fee(**changes: Any) -> Service:  # noqa: ANN401
    """Return a service whose lease id-2 has the rent id-3 and a fee of 100 in February, id-4."""
    service = Service()
    lease_id = service.lease(rent())
    service("create_one_time_bill_item", lease_id, oneTimeBillItem=fee(**changes))
    return service


def totals(service: Service, period: str) -> list[tuple[str, str]]:
    found = service("list_pending_bills", "id-2", period=period)
    return [(str(each.due_date), str(each.total)) for each in found]


def made_up(service: Service, billed: BillingResult, period: str = MARCH) -> Sequence[Body]:
    """Return the lines of later bills that are no rent, where some bills were made before."""
    terms = service("retrieve_lease_terms", "id-2")
    bills = pending_bills(terms, period, already_billed=[billed])
    return [
        {
            "product": line.product_key,
            "kind": line.kind,
            "net": str(line.net_price),
            "due": str(bill.due_date),
        }
        for bill in bills
        for line in bill.lines
        if line.product_key != "key:rent"
    ]


def line(net: str, product: str = "key:fee") -> Body:
    return {"product": product, "kind": "correction", "net": net, "due": "2026-03-01"}


def test_an_item_is_told_as_it_is_listed() -> None:
    """With its lease, and with no more than it was given (A6); a recurring one alike."""
    service = with_fee(description="Keys")
    (listed,) = service("list_one_time_bill_items").one_time_bill_items
    (recurring,) = service("list_recurring_bill_items").recurring_bill_items

    assert listed == service("retrieve_one_time_bill_item", ITEM)
    assert recurring == service("retrieve_recurring_bill_item", recurringBillItemId="id-3")
    assert '"leaseId": "id-2"' in dumps(listed)
    assert 0 == service.calls["replace"]


@rows(
    ("operation", "asked", "kind"),
    [
        ("retrieve_recurring_bill_item", {"recurringBillItemId": "id-4"}, "recurring bill item"),
        ("retrieve_one_time_bill_item", {"oneTimeBillItemId": "id-3"}, "one-time bill item"),
        (CHANGE, {"oneTimeBillItemId": "id-9", "quantity": 2}, "one-time bill item"),
        (WITHDRAW, {"oneTimeBillItemId": "id-2"}, "one-time bill item"),
    ],
)
def test_an_id_of_nothing_or_of_another_kind_is_not_found(
    operation: str, asked: Body, kind: str
) -> None:
    """The refusal names what there is none of (A46)."""
    error = with_fee().refused(operation, asked)

    (object_id, *_) = asked.values()
    assert NotFoundError("unknown_id", kind=kind, id=object_id) == error


def test_an_item_is_billed_as_it_stands_after_a_change() -> None:
    """Three units of 50 at 25 percent in March: 50 x 3 x 1.25 = 187.50, beside 8,500 of rent."""
    service = with_fee(description="Two keys", quantity=2)
    assert [("2026-02-01", "8700.00 DKK")] == totals(service, FEBRUARY)
    changed = service(
        CHANGE,
        ITEM,
        amount=money(50),
        quantity=3,
        vat={"taxMode": "Exclusive", "taxRate": 0.25},
        dueDate="2026-03-01",
        accountingPeriod=MARCH,
        clear=["description"],
    )

    assert [("2026-02-01", "8500.00 DKK")] == totals(service, FEBRUARY)
    assert [("2026-03-01", "8687.50 DKK")] == totals(service, MARCH)
    assert ("id-4", "id-2", "key:fee", None) == (
        changed.id,
        changed.lease_id,
        changed.product_key,
        changed.description,
    )
    assert changed == service("retrieve_one_time_bill_item", ITEM)


def test_what_a_change_does_not_name_stays() -> None:
    service = with_fee(quantity=2)
    service(CHANGE, ITEM, description="Keys")

    (kept,) = service.kept(OneTimeBillItem)
    expected = OneTimeBillItem.model_validate(fee(id="id-4", quantity=2, description="Keys"))
    assert expected == kept
    assert "Keys" == service(CHANGE, ITEM).description
    assert 0 == service.calls["replace"]


def test_the_other_items_of_the_lease_stay_in_their_places() -> None:
    service = with_fee()
    for name in ("key:b", "key:c"):
        item = fee(productKey=name)
        service("create_one_time_bill_item", "id-2", oneTimeBillItem=item)
    service(CHANGE, oneTimeBillItemId="id-5", productKey="key:other", amount=money(7))
    items = service("list_one_time_bill_items").one_time_bill_items

    assert ["key:fee", "key:other", "key:c"] == [each.product_key for each in items]
    assert ["100 DKK", "7 DKK", "100 DKK"] == [str(each.amount) for each in items]


def test_a_change_that_could_never_be_billed_is_refused_where_it_was_written() -> None:
    """A currency that nobody knows, and a line of more than 15 digits; nothing is kept (A1, A2)."""
    service = with_fee()
    before = service.kept(OneTimeBillItem)
    changes = {"description": "Tokens", "amount": money(1, "TOK")}
    assert [("amount.currency", "unknown_currency")] == service.paths(CHANGE, ITEM, **changes)
    error = service.refused(CHANGE, ITEM, description="Many", quantity=10**14, amount=money(10**14))

    assert isinstance(error, UnsupportedCaseError)
    assert before == service.kept(OneTimeBillItem)


@rows(
    ("changes", "lines"),
    [
        # 130 are owed and 100 were billed.
        ({"amount": money(130)}, [line("30.00 DKK")]),
        ({"amount": money(60)}, [line("-40.00 DKK")]),
        ({"quantity": 3}, [line("200.00 DKK")]),
        ({"description": "Keys"}, []),
        ({"dueDate": "2026-02-15"}, []),
        # Products are never set off against each other: one comes back, the other is made up.
        (
            {"productKey": "key:other"},
            [line("-100.00 DKK"), line("100.00 DKK", product="key:other")],
        ),
    ],
)
def test_what_was_billed_of_an_item_before_its_change_is_corrected(
    changes: Body, lines: list[Body]
) -> None:
    """On the next bill, where bills are made with those of February (A53)."""
    service = with_fee()
    billed = service("list_pending_bills", "id-2", period="2026-01-01/2026-02-28")
    service(CHANGE, ITEM, **changes)

    found = made_up(service, billed)
    assert sorted(lines, key=str) == sorted(found, key=str)


def test_an_item_of_an_archived_lease_does_not_change() -> None:
    """A48: of what is archived nothing changes any more."""
    service = with_fee()
    service("archive_lease", "id-2")
    for operation, changes in ((CHANGE, {"quantity": 2}), (WITHDRAW, {})):
        error = service.refused(operation, ITEM, **changes)

        assert ConflictError("archived_lease", lease="id-2") == error
    assert "id-4" == service("retrieve_one_time_bill_item", ITEM).id


def test_a_withdrawn_item_falls_due_no_more() -> None:
    service = with_fee(description="Keys")
    before = service("retrieve_one_time_bill_item", ITEM)

    assert before == service(WITHDRAW, ITEM)
    assert {"remove": 1} == {name: n for name, n in service.calls.items() if name != "find"}
    assert [("2026-02-01", "8500.00 DKK")] == totals(service, FEBRUARY)
    assert () == service("list_one_time_bill_items", "id-2").one_time_bill_items
    for operation in ("retrieve_one_time_bill_item", CHANGE, WITHDRAW):
        error = service.refused(operation, ITEM)
        assert NotFoundError("unknown_id", kind="one-time bill item", id="id-4") == error


def test_what_was_billed_of_a_withdrawn_item_comes_back() -> None:
    """100 of February on the bill of March, as a correction (A53); without those bills nothing."""
    service = with_fee()
    billed = service("list_pending_bills", "id-2", period="2026-01-01/2026-02-28")
    service(WITHDRAW, ITEM)

    assert [line("-100.00 DKK")] == made_up(service, billed)
    assert [("2026-03-01", "8500.00 DKK")] == totals(service, MARCH)


def test_a_page_begins_after_an_item_that_was_withdrawn() -> None:
    """Its place is kept (A43), and its id is not given again."""
    service = with_fee()
    service("create_one_time_bill_item", "id-2", oneTimeBillItem=fee())
    service(WITHDRAW, ITEM)
    page = service("list_one_time_bill_items", startingAfter="id-4").one_time_bill_items

    assert ["id-5"] == [each.id for each in page]
