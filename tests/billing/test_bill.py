"""Results are light, frozen, and equal when the interface's fields are (A56)."""

import pickle
from datetime import date
from decimal import Decimal
from typing import Final

import pytest

from rentbilling.billing import (
    BillingResult,
    PendingBill,
    PendingBillLineItem,
    VatTotal,
    compile_terms,
    pending_bills,
)
from rentbilling.policy import BillingPolicy
from rentbilling.terms import LeaseTerms
from rentbilling.testing import a_lease, a_rent, an_item
from rentbilling.values import Amount, Notice, Period, Vat

VAT: Final = Vat("Exclusive", Decimal("0.25"))
JANUARY: Final = Period.parse("2026-01-01/2026-01-31")
FIRST: Final = date(2026, 1, 1)


def line(net: int, item_id: str | None = None) -> PendingBillLineItem:
    return PendingBillLineItem(
        product_key="key:rent",
        amount=Amount(net, "DKK"),
        net_price=Amount(net, "DKK"),
        vat=VAT,
        accounting_period=JANUARY,
        item_id=item_id,
    )


def bill(
    due: date = FIRST,
    *,
    nets: tuple[int, ...] = (8500, 250),
    tax: int = 218_750,
    cash: int | None = None,
    item_id: str | None = None,
    base: int = 875_000,
) -> PendingBill:
    """Return a bill of so many kroner for each line: by default 8750.00 and a quarter of it."""
    subtotal = sum(nets) * 100
    return PendingBill(
        due.toordinal(),
        "DKK",
        2,
        [line(net, item_id).raw for net in nets],
        [(VAT, tax, base)],
        (subtotal, subtotal + tax, cash),
    )


BILL: Final = bill()
BILLS: Final = (BILL, bill(date(2026, 2, 1)), bill(date(2026, 3, 1)))
NOTICE: Final = Notice("credit_quantity", "quantity -1 makes a credit", "item-1")
POLICY: Final = BillingPolicy(rounding="half_even")
RESULT: Final = BillingResult(BILLS, (NOTICE,), JANUARY, POLICY, "lease-1")


class TestVatTotals:
    """VAT of all lines of one mode and rate (A30)."""

    @pytest.mark.parametrize(
        ("places", "currency", "amount", "base"),
        [
            (2, "DKK", "2187.50 DKK", "8750.00 DKK"),
            (0, "JPY", "218750 JPY", "875000 JPY"),
            (3, "KWD", "218.750 KWD", "875.000 KWD"),
        ],
    )
    def test_amounts_have_the_decimals_of_their_currency(
        self, places: int, currency: str, amount: str, base: str
    ) -> None:
        total = VatTotal(VAT, 218_750, 875_000, currency, places)

        assert (amount, base) == (str(total.amount), str(total.base))

    def test_minor_units_can_be_read_too(self) -> None:
        total = VatTotal(VAT, 218_750, 875_000, "DKK", 2)

        assert (218_750, 875_000) == (total.units, total.base_units)

    def test_the_base_is_no_part_of_equality(self) -> None:
        """A service's total has none (A56)."""
        total, read = VatTotal(VAT, 218_750, 875_000, "DKK", 2), VatTotal(VAT, 218_750, 0, "DKK", 2)

        assert (True, hash(total)) == (total == read, hash(read))

    @pytest.mark.parametrize(
        "other",
        [
            VatTotal(Vat("Inclusive", Decimal("0.25")), 218_750, 875_000, "DKK", 2),
            VatTotal(VAT, 218_751, 875_000, "DKK", 2),
            VatTotal(VAT, 218_750, 875_000, "EUR", 2),
            "2187.50 DKK",
        ],
        ids=str,
    )
    def test_vat_and_amount_are(self, other: object) -> None:
        assert other != VatTotal(VAT, 218_750, 875_000, "DKK", 2)

    @pytest.mark.parametrize("name", ["vat", "amount", "base", "units", "note"])
    def test_a_total_cannot_be_changed(self, name: str) -> None:
        total = VatTotal(VAT, 218_750, 875_000, "DKK", 2)

        with pytest.raises(AttributeError):
            setattr(total, name, None)

    def test_a_total_shows_what_a_reader_looks_for(self) -> None:
        (total,) = BILL.vat_totals

        assert "<VatTotal Vat('Exclusive', Decimal('0.25')) 2187.50 DKK of 8750.00 DKK>" == repr(
            total
        )


class TestBills:
    """A bill has lines, VAT totals and sums."""

    def test_the_sums_are_amounts(self) -> None:
        """8500 and 250 are 8750.00; a quarter on top is 2187.50, together 10937.50."""
        assert ("8750.00 DKK", "10937.50 DKK", "10937.50 DKK") == (
            str(BILL.subtotal),
            str(BILL.total),
            str(BILL.payable),
        )

    def test_due_date_and_currency_are_those_it_was_made_with(self) -> None:
        assert (FIRST, FIRST.toordinal(), "DKK", 2) == (
            BILL.due_date,
            BILL.due,
            BILL.currency,
            BILL.places,
        )

    def test_the_lines_stand_in_their_order(self) -> None:
        lines = (line(8500), line(250))

        assert (lines, lines) == (BILL.lines, BILL.pending_bill_line_items)

    def test_the_vat_totals_stand_with_their_base(self) -> None:
        (total,) = BILL.vat_totals

        assert (VAT, "2187.50 DKK", "8750.00 DKK") == (
            total.vat,
            str(total.amount),
            str(total.base),
        )

    def test_without_cash_rounding_there_is_none(self) -> None:
        """What is payable is the total (A52)."""
        assert (None, BILL.total) == (BILL.cash_rounding, BILL.payable)

    @pytest.mark.parametrize(
        ("cash", "shown", "payable"),
        [(25, "0.25", "10937.75"), (-25, "-0.25", "10937.25"), (0, "0.00", "10937.50")],
    )
    def test_cash_rounding_is_added_to_the_total(self, cash: int, shown: str, payable: str) -> None:
        """The totals before it stay as they are; 0 is shown, because the policy asks (A52)."""
        paid = bill(cash=cash)

        assert (f"{shown} DKK", f"{payable} DKK", BILL.total) == (
            str(paid.cash_rounding),
            str(paid.payable),
            paid.total,
        )

    def test_minor_units_can_be_read_too(self) -> None:
        assert ((875_000, 1_093_750, None), [850_000, 25_000], [(VAT, 218_750, 875_000)]) == (
            BILL.sums,
            [figures.net for figures, _, _ in BILL.raw_lines],
            list(BILL.raw_totals),
        )

    @pytest.mark.parametrize(
        "other",
        [bill(), bill(cash=25), bill(item_id="item-1"), bill(base=0)],
        ids=["again", "cash", "item", "base"],
    )
    def test_what_only_we_know_is_no_part_of_equality(self, other: PendingBill) -> None:
        """Cash rounding, item ids and bases are not in a service's bill (A56)."""
        assert (True, hash(BILL)) == (other == BILL, hash(other))

    @pytest.mark.parametrize(
        "other",
        [
            bill(date(2026, 1, 2)),
            bill(nets=(250, 8500)),
            bill(nets=(8500,)),
            bill(tax=218_751),
            BILL.lines,
        ],
        ids=["due", "order", "lines", "vat", "no bill"],
    )
    def test_every_field_of_the_interface_is(self, other: object) -> None:
        assert other != BILL

    @pytest.mark.parametrize(
        "name", ["due_date", "lines", "subtotal", "total", "vat_totals", "payable", "note"]
    )
    def test_a_bill_cannot_be_changed(self, name: str) -> None:
        with pytest.raises(AttributeError):
            setattr(BILL, name, None)

    def test_a_bill_pickles(self) -> None:
        again = pickle.loads(pickle.dumps(bill(cash=25, item_id="item-1")))

        assert (BILL, "0.25 DKK", "item-1") == (
            again,
            str(again.cash_rounding),
            again.lines[0].item_id,
        )

    def test_a_bill_shows_what_a_reader_looks_for(self) -> None:
        assert "<PendingBill due 2026-01-01 10937.50 DKK = 8750.00 + 2187.50 VAT, 2 lines>" == repr(
            BILL
        )


class TestResults:
    """The bills of an asked period are a sequence, with what a person should look at."""

    def test_it_knows_what_was_asked_and_how(self) -> None:
        """Period, lease, notices, and the policy with its fingerprint (A59)."""
        assert (BILLS, (NOTICE,), JANUARY, "lease-1", POLICY, POLICY.fingerprint) == (
            RESULT.bills,
            RESULT.notices,
            RESULT.period,
            RESULT.lease_id,
            RESULT.policy,
            RESULT.policy_fingerprint,
        )

    def test_bills_of_a_service_follow_no_policy_of_ours(self) -> None:
        """So there is no fingerprint either (A59)."""
        read = BillingResult(BILLS, policy=None)

        assert (None, None) == (read.policy, read.policy_fingerprint)

    def test_there_are_no_adjustments_yet(self) -> None:
        assert () == RESULT.adjustments

    def test_a_result_is_a_sequence_of_bills(self) -> None:
        assert (3, list(BILLS), list(reversed(BILLS)), True, 1) == (
            len(RESULT),
            list(RESULT),
            list(reversed(RESULT)),
            BILLS[1] in RESULT,
            RESULT.index(BILLS[1]),
        )

    def test_a_bill_has_a_position(self) -> None:
        assert (BILLS[0], BILLS[2], BILLS[1:], BILLS[::-1]) == (
            RESULT[0],
            RESULT[-1],
            RESULT[1:],
            RESULT[::-1],
        )

    def test_a_position_without_a_bill_is_an_index_error(self) -> None:
        with pytest.raises(IndexError):
            _ = RESULT[3]

    def test_a_result_without_bills_is_empty(self) -> None:
        empty = BillingResult(())

        assert (False, 0, None, None) == (bool(empty), len(empty), empty.period, empty.lease_id)

    def test_results_are_equal_when_their_bills_are(self) -> None:
        """Notices, policy and lease are what only we know (A56)."""
        read = BillingResult(BILLS, policy=None)

        assert (True, hash(RESULT)) == (read == RESULT, hash(read))

    @pytest.mark.parametrize("other", [BillingResult(BILLS[:2]), BILLS], ids=["bills", "no result"])
    def test_other_bills_make_another_result(self, other: object) -> None:
        assert other != RESULT

    @pytest.mark.parametrize(
        "name", ["bills", "notices", "period", "policy", "lease_id", "policy_fingerprint", "note"]
    )
    def test_a_result_cannot_be_changed(self, name: str) -> None:
        with pytest.raises(AttributeError):
            setattr(RESULT, name, None)

    def test_a_result_pickles(self) -> None:
        again = pickle.loads(pickle.dumps(RESULT))

        assert (RESULT, (NOTICE,), POLICY.fingerprint, JANUARY, "lease-1") == (
            again,
            again.notices,
            again.policy_fingerprint,
            again.period,
            again.lease_id,
        )

    def test_a_result_knows_the_terms_until_it_is_pickled(self) -> None:
        compiled = compile_terms(LeaseTerms())
        computed = pending_bills(compiled, JANUARY)
        again = pickle.loads(pickle.dumps(computed))

        assert (compiled, None) == (computed.source, again.source)
        assert computed == again

    def test_a_result_shows_what_a_reader_looks_for(self) -> None:
        assert "<BillingResult 3 bills, 1 notices>" == repr(RESULT)


def test_a_notebook_shows_a_bill_with_its_sums() -> None:
    policy = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
    lease = a_lease(a_rent(amount=8500, description="Rent & water"), an_item(amount="433.33"))

    page = pending_bills(lease, "2026-02-01/2026-02-28", policy=policy)[0]._repr_html_()

    told = ["Due 2026-02-01", "Rent &amp; water", "Exclusive 25 %", "8,500.00", "Subtotal"]
    told += ["8,933.33", "VAT 25 % of 433.33", "108.33", "Total DKK", "9,041.66", "Cash rounding"]
    assert [] == [text for text in [*told, "-0.16", "Payable DKK", "9,041.50"] if text not in page]
    plain = pending_bills(lease, "2026-02-01/2026-02-28")[0]._repr_html_()
    assert "Payable" not in plain
