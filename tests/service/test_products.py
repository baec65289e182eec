"""Products and payouts: recorded, listed, changed and withdrawn."""

from rentbilling import dumps
from rentbilling.errors import ConflictError, NotFoundError
from rentbilling.interface import ProductName
from tests.support.operated import Service, money, rent
from tests.support.rows import rows

SAUNA = {"productKey": "key:sauna", "productName": {"en": "Sauna", "da": "Sauna"}}
PAYOUT = {
    "payoutReason": "Payment",
    "payoutDate": "2026-02-01",
    "net": money(980),
    "fees": money(20),
    "gross": money(1000),
    "bankStatement": "RENT 02",
}


def test_a_product_is_the_owners_own_unless_it_says_otherwise() -> None:
    service = Service()
    created = service("record_product", SAUNA)

    assert '{"productId": "id-1"}' == dumps(created)
    assert (
        '{"products": [{"productKey": "key:sauna", "productId": "id-1", '
        '"productName": {"en": "Sauna", "da": "Sauna"}, "archived": false, "custom": true, '
        '"isDefaultProduct": false}]}'
    ) == dumps(service("list_products"))


def test_a_key_names_one_product() -> None:
    service = Service()
    service("record_product", SAUNA)
    error = service.refused("record_product", SAUNA, archived=True)

    assert ConflictError("duplicate_product", product_key="key:sauna") == error
    assert 1 == len(service("list_products").products)
    assert service("record_product", SAUNA, by="other")
    assert service("record_product", {**SAUNA, "productKey": "key:sauna-2"})


def test_a_product_is_found_by_its_key() -> None:
    service = Service()
    for key in ("key:sauna", "key:sauna/2", "1"):
        service("record_product", {**SAUNA, "productKey": key})
    listed = service("list_products").products

    assert list(listed) == [
        service("retrieve_product", productKey=each.product_key) for each in listed
    ]
    for key, owner in (("id-1", "home"), ("1", "other")):
        error = service.refused("retrieve_product", productKey=key, by=owner)
        assert NotFoundError("unknown_product", product_key=key) == error
        assert f"there is no product with the key {key}" == str(error)


def test_a_product_changes_but_for_its_key() -> None:
    service = Service()
    service("record_product", SAUNA, position=3)
    key = SAUNA["productKey"]
    changed = service(
        "change_product", productKey=key, productName={"de": "Sauna"}, isDefaultProduct=True
    )

    assert ProductName(de="Sauna") == changed.product_name
    assert (3, True, False, True, "id-1") == (
        changed.position,
        changed.custom,
        changed.archived,
        changed.is_default_product,
        changed.product_id,
    )
    assert changed == service("retrieve_product", productKey=key)
    archived = service("change_product", productKey=key, archived=True, clear=["position"])
    assert changed.evolve(archived=True, position=None) == archived
    again = service("change_product", productKey=key, archived=False, isDefaultProduct=False)
    assert (False, False) == (again.archived, again.is_default_product)
    assert (again,) == service("list_products").products


def test_a_change_of_nothing_keeps_nothing() -> None:
    service = Service()
    service("record_product", SAUNA)

    assert "id-1" == service("change_product", productKey="key:sauna").product_id
    assert 0 == service.calls["replace"]


def test_a_product_that_nobody_recorded_does_not_change() -> None:
    service = Service()
    service("record_product", SAUNA, by="other")
    error = service.refused("change_product", productKey="key:sauna", archived=True)

    assert NotFoundError("unknown_product", product_key="key:sauna") == error


def test_an_archived_product_keeps_its_key() -> None:
    service = Service()
    lease_id = service.lease(rent())
    service("record_product", {**SAUNA, "productKey": "key:rent"})
    before = service("list_pending_bills", lease_id, period="2026-02-01/2026-02-28")
    service("change_product", productKey="key:rent", archived=True)
    error = service.refused("record_product", {**SAUNA, "productKey": "key:rent"})

    assert ConflictError("duplicate_product", product_key="key:rent") == error
    period = "2026-02-01/2026-02-28"
    assert before == service("list_pending_bills", lease_id, period=period)


def test_a_payout_is_told_as_it_is_listed() -> None:
    service = Service()
    service("record_payout", PAYOUT)
    (listed,) = service("list_payouts").payouts

    assert listed == service("retrieve_payout", payoutId="id-1")


def test_a_payout_that_was_recorded_in_error_is_withdrawn() -> None:
    """The answer is what it was; the others stay, and a page begins after it as before (A43)."""
    service = Service()
    for day in ("2026-02-01", "2026-02-02", "2026-02-03"):
        service("record_payout", PAYOUT, payoutDate=day)
    before = service("list_payouts").payouts

    assert before[1] == service("withdraw_payout", payoutId="id-2")
    assert (before[0], before[2]) == service("list_payouts").payouts
    assert before[2:] == service("list_payouts", startingAfter="id-2").payouts
    assert "id-4" == service("record_payout", PAYOUT).payout_id


@rows("operation", ["retrieve_payout", "withdraw_payout"])
def test_a_payout_that_is_not_there_is_not_found(operation: str) -> None:
    """One that was withdrawn, and one of another owner (A45, A46)."""
    service = Service()
    for owner in ("home", "other"):
        service("record_payout", PAYOUT, by=owner)
    service("withdraw_payout", payoutId="id-1")

    for payout_id in ("id-1", "id-2"):
        error = service.refused(operation, payoutId=payout_id)
        assert NotFoundError("unknown_id", kind="payout", id=payout_id) == error
