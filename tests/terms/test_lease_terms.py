"""Items and lease terms: what fits together, which ids items have, what is refused as one."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import rentbilling as rb
from tests.support.refusals import faults, refusing
from tests.support.rents import EXEMPT, amount, day, fee, opening, price_from, rent
from tests.support.rows import rows
from tests.support.sentences import Said, assert_said

MAY = day("2026-05-01")
EQUAL_STARTS: dict[str, tuple[object, object]] = {
    "amount_records": (
        price_from("2026-05-01", "1"),
        rb.AmountRecord(id="b", value=amount("2"), start=MAY),
    ),
    "vat_records": (rb.VatRecord(value=EXEMPT, start=MAY), rb.VatRecord(value=EXEMPT, start=MAY)),
    "description_records": (
        rb.DescriptionRecord(value="a", start=MAY),
        rb.DescriptionRecord(value="b", start=MAY),
    ),
    "quantity_records": (
        rb.QuantityRecord(value=Decimal(1), start=MAY),
        rb.QuantityRecord(value=Decimal(2), start=MAY),
    ),
}
"""It would not be known which of the two is in force (A18)."""


def item(*price: str, **fields: Any) -> Said:  # noqa: ANN401
    return refusing(lambda: rent(*price, **fields))


def terms(**fields: Any) -> Said:  # noqa: ANN401
    return refusing(lambda: rb.LeaseTerms(**fields))


REFUSED: dict[str, Said] = {
    # `startedOn` is the item's first due date, and the opening one is 15 January (A12).
    **{
        f"a first due date on {late}, after the opening one": item(started_on=day(late))
        for late in ("2026-01-16", "2026-02-14")
    },
    # Two currencies are never in one sum (A2).
    "an opening period in another currency": item("8500.00 EUR"),
    "a later amount in another currency": item(
        amount_records=(price_from("2026-05-01", "9000"), price_from("2026-06-01", "1200 EUR"))
    ),
    # A discount by amount is in the currency of the amount and not above it (A2, A22).
    "a discount above the amount": item(discount=rb.Discount(amount=amount("8500.01"))),
    "a discount in another currency": item(discount=rb.Discount(amount=amount("1 EUR"))),
    # It bills nothing (A21, A55).
    "a quantity of 0": item(quantity=0),
    "a one-time fee of quantity 0": refusing(lambda: fee(quantity=Decimal(0))),
    **{f"{name} that start on one day": item(**{name: two}) for name, two in EQUAL_STARTS.items()},
    "everything that does not fit, at once": item(
        started_on=day("2026-03-01"),
        first_billing_period_bill_item=opening(price="1 EUR"),
        discount=rb.Discount(amount=amount("9000")),
        quantity=0,
        amount_records=(price_from("2026-05-01", "1"), price_from("2026-05-01", "2")),
    ),
    # Neither a given id is shared nor one that follows from the position (A57).
    **{
        f"an id that is taken: {recurring}, {once}": terms(
            recurring_bill_items=tuple(rent(id=each) for each in recurring),
            one_time_bill_items=tuple(fee(id=each) for each in once),
        )
        for recurring, once in (
            (("a", "a"), ()),
            (("recurring-2", None), ()),
            (("a",), ("a",)),
            ((None,), ("recurring-1",)),
        )
    },
    # Each item of another currency than that of the terms is named (A2).
    "items in another currency": terms(
        currency="EUR",
        recurring_bill_items=(rent(),),
        one_time_bill_items=(fee("1.00 EUR"), fee()),
    ),
    # With the day from which on it would be right (A17).
    "a contract that ends before it starts": terms(
        contract_start=day("2026-02-01"), contract_end=day("2026-01-31")
    ),
}


def test_items_and_terms_that_do_not_fit_are_refused(request: pytest.FixtureRequest) -> None:
    assert_said(request, Path(__file__), REFUSED)


def test_what_does_not_fit_is_found_beside_items_that_cannot_be_read() -> None:
    data = {
        "contractStart": "2026-02-01",
        "contractEnd": "2026-01-01",
        "recurringBillItems": [{}],
    }

    assert {("contractEnd",), ("recurringBillItems[0].productKey",)} <= {
        *faults(lambda: rb.LeaseTerms.model_validate(data), fields="path")
    }


def test_an_item_needs_no_quantity_discount_records_or_ends() -> None:
    plain = rent()

    assert (None, None, (), None, None) == (
        plain.quantity,
        plain.discount,
        plain.amount_records,
        plain.cancelled_on,
        plain.ended_on,
    )


TENTH = rb.Discount(percentage=Decimal("0.10"))
MOST = rb.Discount(amount=amount("8500"))


@rows(
    ("price", "name", "value"),
    [
        # It brings a notice when it is billed, no refusal (A12).
        ("8500.00", "started_on", day("2026-01-01")),
        # Negative amounts are allowed; only an amount taken off would mean nothing (A22, A26).
        ("-250.00", "amount", amount("-250")),
        ("-250.00", "discount", TENTH),
        # As large as the amount makes lines of 0 (A22).
        ("9000.00", "discount", MOST),
        ("8500.00", "discount", MOST),
        # It is a credit, which brings a notice (A21).
        ("8500.00", "quantity", Decimal(-1)),
    ],
)
def test_an_item_may_start_early_and_be_a_credit_or_free(
    price: str, name: str, value: object
) -> None:
    fields: dict[str, Any] = {} if name == "amount" else {name: value}

    assert value == getattr(rent(price, **fields), name)


def test_records_of_different_kinds_may_start_on_one_day() -> None:
    """A new price and a new text often do (A18)."""
    changed = rent(
        amount_records=(price_from("2026-05-01", "9000"), price_from("2026-06-01", "9100")),
        description_records=(rb.DescriptionRecord(value="Rent", start=MAY),),
    )

    assert (2, 1) == (len(changed.amount_records), len(changed.description_records))


@rows(
    ("fields", "ids"),
    [
        ({}, ()),
        # Recurring ones before one-time ones, each counted from 1 (A57).
        (
            {
                "recurring_bill_items": (rent(), rent(id="garage"), rent()),
                "one_time_bill_items": (fee(), fee(id="key")),
            },
            ("recurring-1", "garage", "recurring-3", "one-time-1", "key"),
        ),
        # Terms without a currency may have several, of which each has its bill (A16).
        (
            {"recurring_bill_items": (rent(),), "one_time_bill_items": (fee("1.00 EUR"),)},
            ("recurring-1", "one-time-1"),
        ),
    ],
    ids=["none", "ids and positions", "two currencies"],
)
def test_items_without_an_id_are_known_by_their_position(
    fields: dict[str, Any], ids: tuple[str, ...]
) -> None:
    assert ids == rb.LeaseTerms(**fields).item_ids


@rows("end", [None, day("2026-02-01")])
def test_a_contract_may_be_open_or_of_one_day(end: Any) -> None:  # noqa: ANN401
    """The last day paid for is included (A17)."""
    assert end == rb.LeaseTerms(contract_start=day("2026-02-01"), contract_end=end).contract_end
