"""Items and lease terms: what fits together, which ids items have, what is refused as one."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import (
    AmountRecord,
    DescriptionRecord,
    Discount,
    InvalidInputError,
    LeaseTerms,
    QuantityRecord,
    VatRecord,
)
from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidDiscountError,
    InvalidPeriodError,
    InvalidRecordError,
)
from tests.support.refusals import faults
from tests.support.rents import EXEMPT, amount, day, fee, opening, price_from, rent


def refusal(error: InvalidInputError) -> list[tuple[str, str, str, str]]:
    """Return path, code, value met and what would be right of each problem."""
    return [(each.path, each.code, each.met, each.expected) for each in error.problems]


def test_an_item_needs_no_quantity_discount_records_or_ends() -> None:
    item = rent()

    assert (None, None, (), None, None) == (
        item.quantity,
        item.discount,
        item.amount_records,
        item.cancelled_on,
        item.ended_on,
    )


@pytest.mark.parametrize("late", [1, 30])
def test_a_first_due_date_after_the_opening_due_date_is_refused(late: int) -> None:
    """`startedOn` is the item's first due date (A12)."""
    with pytest.raises(InvalidPeriodError) as caught:
        rent(started_on=day("2026-01-15") + timedelta(days=late))

    assert [
        (
            "started_on",
            "started_after_opening_due_date",
            (day("2026-01-15") + timedelta(days=late)).isoformat(),
            "2026-01-15 or earlier",
        )
    ] == refusal(caught.value)


def test_a_first_due_date_before_the_opening_due_date_is_accepted() -> None:
    """It brings a notice when it is billed, no refusal (A12)."""
    assert day("2026-01-01") == rent(started_on=day("2026-01-01")).started_on


def test_a_credit_is_an_item_with_a_negative_amount() -> None:
    """Negative amounts are allowed (A26)."""
    assert amount("-250") == rent("-250.00").amount


def test_an_opening_period_has_the_currency_of_the_item() -> None:
    """Two currencies never meet in one sum (A2)."""
    with pytest.raises(CurrencyMismatchError) as caught:
        rent("8500.00 EUR")

    assert [
        (
            "first_billing_period_bill_item.amount.currency",
            "currency_mismatch",
            "'DKK'",
            "EUR",
        )
    ] == refusal(caught.value)


def test_every_later_amount_has_the_currency_of_the_item() -> None:
    """Each record is judged, and named by its place (A2)."""
    records = (price_from("2026-05-01", "9000"), price_from("2026-06-01", "1200 EUR"))

    with pytest.raises(CurrencyMismatchError) as caught:
        rent(amount_records=records)

    assert ["amount_records[1].value.currency"] == [each.path for each in caught.value.problems]


@pytest.mark.parametrize(
    ("discount", "kind", "code"),
    [
        (Discount(amount=amount("8500.01")), InvalidDiscountError, "discount_above_amount"),
        (Discount(amount=amount("1 EUR")), CurrencyMismatchError, "currency_mismatch"),
    ],
)
def test_a_discount_by_amount_fits_the_amount(
    discount: Discount, kind: type[InvalidInputError], code: str
) -> None:
    """In its currency and not above it (A2, A22)."""
    with pytest.raises(kind) as caught:
        rent(discount=discount)

    assert code == caught.value.code


def test_a_credit_may_have_a_discount_by_percentage() -> None:
    """Only an amount taken off would mean nothing (A22)."""
    discount = Discount(percentage=Decimal("0.10"))

    assert discount == rent("-250.00", discount=discount).discount


@pytest.mark.parametrize("price", ["9000.00", "8500.00"])
def test_a_discount_up_to_the_amount_is_accepted(price: str) -> None:
    """As large as the amount makes lines of 0 (A22)."""
    discount = Discount(amount=amount("8500"))

    assert discount == rent(price, discount=discount).discount


def test_a_quantity_of_0_is_refused() -> None:
    """It bills nothing (A21)."""
    with pytest.raises(InvalidRecordError) as caught:
        rent(quantity=0)

    assert [("quantity", "zero_quantity", "0", "any other number")] == refusal(caught.value)


def test_a_negative_quantity_is_accepted() -> None:
    """It is a credit, which brings a notice (A21)."""
    assert Decimal(-1) == rent(quantity=Decimal(-1)).quantity


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        (
            "amount_records",
            price_from("2026-05-01", "1"),
            AmountRecord(id="b", value=amount("2"), start=day("2026-05-01")),
        ),
        (
            "vat_records",
            VatRecord(value=EXEMPT, start=day("2026-05-01")),
            VatRecord(value=EXEMPT, start=day("2026-05-01")),
        ),
        (
            "description_records",
            DescriptionRecord(value="a", start=day("2026-05-01")),
            DescriptionRecord(value="b", start=day("2026-05-01")),
        ),
        (
            "quantity_records",
            QuantityRecord(value=Decimal(1), start=day("2026-05-01")),
            QuantityRecord(value=Decimal(2), start=day("2026-05-01")),
        ),
    ],
)
def test_two_records_that_start_on_one_day_are_refused(
    name: str, first: object, second: object
) -> None:
    """Nobody could say which of them holds (A18)."""
    with pytest.raises(InvalidRecordError) as caught:
        rent(**dict[str, Any]({name: (first, second)}))

    assert [(f"{name}[1].start", "equal_starts", "2026-05-01", "a day of its own")] == refusal(
        caught.value
    )


def test_records_of_different_kinds_may_start_on_one_day() -> None:
    """A new price and a new text often do (A18)."""
    item = rent(
        amount_records=(price_from("2026-05-01", "9000"), price_from("2026-06-01", "9100")),
        description_records=(DescriptionRecord(value="Rent", start=day("2026-05-01")),),
    )

    assert (2, 1) == (len(item.amount_records), len(item.description_records))


def test_everything_that_does_not_fit_is_told_at_once() -> None:
    """A late start, a foreign opening, a discount too large, a quantity of 0, equal starts."""
    records = (price_from("2026-05-01", "1"), price_from("2026-05-01", "2"))

    with pytest.raises(InvalidInputError) as caught:
        rent(
            started_on=day("2026-03-01"),
            first_billing_period_bill_item=opening(price="1 EUR"),
            discount=Discount(amount=amount("9000")),
            quantity=0,
            amount_records=records,
        )

    assert [
        "started_after_opening_due_date",
        "currency_mismatch",
        "discount_above_amount",
        "zero_quantity",
        "equal_starts",
    ] == [each.code for each in caught.value.problems]


def test_a_one_time_fee_of_quantity_0_is_refused() -> None:
    """As in a recurring item (A21, A55)."""
    assert [("quantity", "zero_quantity")] == faults(
        lambda: fee(quantity=Decimal(0)), InvalidRecordError
    )


def test_terms_may_be_empty() -> None:
    assert () == LeaseTerms().item_ids


def test_items_without_an_id_are_known_by_their_position() -> None:
    """Recurring ones before one-time ones, each counted from 1 (A57)."""
    terms = LeaseTerms(
        recurring_bill_items=(rent(), rent(id="garage"), rent()),
        one_time_bill_items=(fee(), fee(id="key")),
    )

    assert ("recurring-1", "garage", "recurring-3", "one-time-1", "key") == terms.item_ids


@pytest.mark.parametrize(
    ("recurring", "once", "path"),
    [
        (("a", "a"), (), "recurring_bill_items[1].id"),
        (("recurring-2", None), (), "recurring_bill_items[1].id"),
        (("a",), ("a",), "one_time_bill_items[0].id"),
        ((None,), ("recurring-1",), "one_time_bill_items[0].id"),
    ],
)
def test_two_items_never_share_an_id(
    recurring: tuple[str | None, ...], once: tuple[str | None, ...], path: str
) -> None:
    """Neither a given one nor one that follows from the position (A57)."""
    assert [(path, "duplicate_id")] == faults(
        lambda: LeaseTerms(
            recurring_bill_items=tuple(rent(id=each) for each in recurring),
            one_time_bill_items=tuple(fee(id=each) for each in once),
        ),
        InvalidRecordError,
    )


def test_terms_of_a_currency_hold_items_of_that_currency_only() -> None:
    """Each item of another one is named (A2)."""
    with pytest.raises(CurrencyMismatchError) as caught:
        LeaseTerms(
            currency="EUR",
            recurring_bill_items=(rent(),),
            one_time_bill_items=(fee("1.00 EUR"), fee()),
        )

    assert [
        ("recurring_bill_items[0].amount.currency", "currency_mismatch", "'DKK'", "EUR"),
        ("one_time_bill_items[1].amount.currency", "currency_mismatch", "'DKK'", "EUR"),
    ] == refusal(caught.value)


def test_terms_without_a_currency_may_hold_several() -> None:
    """A bill is made for each of them (A16)."""
    terms = LeaseTerms(recurring_bill_items=(rent(),), one_time_bill_items=(fee("1.00 EUR"),))

    assert 2 == len(terms.item_ids)


def test_a_contract_that_ends_before_it_starts_is_refused() -> None:
    """With the day from which on it would be right (A17)."""
    with pytest.raises(InvalidPeriodError) as caught:
        LeaseTerms(contract_start=day("2026-02-01"), contract_end=day("2026-01-31"))

    assert [("contract_end", "reversed_period", "2026-01-31", "2026-02-01 or later")] == refusal(
        caught.value
    )


@pytest.mark.parametrize("end", [None, "2026-02-01"])
def test_a_contract_may_be_open_or_of_one_day(end: str | None) -> None:
    """The last day paid for is included (A17)."""
    last = None if end is None else day(end)

    assert last == LeaseTerms(contract_start=day("2026-02-01"), contract_end=last).contract_end


def test_misfits_are_found_beside_items_that_cannot_be_read() -> None:
    with pytest.raises(InvalidInputError) as caught:
        LeaseTerms.model_validate(
            {
                "contractStart": "2026-02-01",
                "contractEnd": "2026-01-01",
                "recurringBillItems": [{}],
            }
        )

    assert {"contractEnd", "recurringBillItems[0].productKey"} <= {
        each.path for each in caught.value.problems
    }
