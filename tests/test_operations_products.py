"""Products and payouts: recorded and listed."""

from rentbilling import ConflictError, dumps
from tests.operated import Service, money

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
    """It is offered, and no default."""
    service = Service()
    created = service("record_product", SAUNA)

    assert '{"productId": "id-1"}' == dumps(created)
    assert (
        '{"products": [{"productKey": "key:sauna", "productId": "id-1", '
        '"productName": {"en": "Sauna", "da": "Sauna"}, "archived": false, "custom": true, '
        '"isDefaultProduct": false}]}'
    ) == dumps(service("list_products"))


def test_a_product_keeps_what_is_said_of_it() -> None:
    """Flags and place as they were given."""
    service = Service()
    service("record_product", SAUNA, archived=True, custom=False, position=3, isDefaultProduct=True)
    (product,) = service("list_products").products

    assert (True, False, 3, True) == (
        product.archived,
        product.custom,
        product.position,
        product.is_default_product,
    )


def test_a_key_names_one_product() -> None:
    """Of one owner; another one has products of his own."""
    service = Service()
    service("record_product", SAUNA)
    error = service.refused("record_product", SAUNA, archived=True)

    assert ConflictError("duplicate_product", product_key="key:sauna") == error
    assert 1 == len(service("list_products").products)
    assert service("record_product", SAUNA, by="other")
    assert service("record_product", {**SAUNA, "productKey": "key:sauna-2"})


def test_a_payout_is_listed_as_it_was_made() -> None:
    """With an id of its own."""
    service = Service()

    assert '{"payoutId": "id-1"}' == dumps(service("record_payout", PAYOUT))
    assert (
        '{"payouts": [{"id": "id-1", "payoutReason": "Payment", "payoutDate": "2026-02-01", '
        '"net": {"currency": "DKK", "amount": 980.00}, '
        '"fees": {"currency": "DKK", "amount": 20.00}, '
        '"gross": {"currency": "DKK", "amount": 1000.00}, "bankStatement": "RENT 02"}]}'
    ) == dumps(service("list_payouts"))
