"""The laws of what was billed before (A53): nothing twice, in the end what a fresh run gives."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from hypothesis import given

import rentbilling as rb
from rentbilling.testing.strategies import items
from rentbilling.testing.strategies.choices import EPOCH, Choices, chosen
from tests.support.billed_sums import billed
from tests.support.strategies import Run, cuts, leases, policies, runs

DAY = timedelta(days=1)
# An opening may fall due before its first day.
BEFORE = rb.Period(EPOCH - 60 * DAY, EPOCH + 300 * DAY)
AFTER = rb.Period(EPOCH + 301 * DAY, EPOCH + 360 * DAY)
LATER = rb.Period(EPOCH + 361 * DAY, EPOCH + 420 * DAY)

Changed = tuple[rb.LeaseTerms, rb.LeaseTerms, rb.LeaseTerms]
"""A lease as it was billed first, as it is known later, and later still."""


def tells_no_beginning(result: rb.BillingResult) -> bool:
    """Return whether other bills may be for the same periods or for earlier ones (A53).

    Parts of a period may be on several bills, and an opening may be due after a later period.
    """
    lines = [(bill.due_date, line) for bill in result for line in bill.lines]
    openings = {line.item_id: due for due, line in lines if line.kind == "opening"}
    return any(line.kind == "part" or due < openings.get(line.item_id, due) for due, line in lines)


def run_of(
    terms: rb.LeaseTerms,
    asked: rb.Period,
    policy: rb.BillingPolicy,
    sent: Sequence[rb.BillingResult | rb.PendingBill],
    **since: Any,  # noqa: ANN401
) -> rb.BillingResult:
    return rb.pending_bills(terms, asked, policy=policy, already_billed=sent, **since)


def with_ids(terms: rb.LeaseTerms) -> rb.LeaseTerms:
    """Return the lease with an id for each item, so that taking one away moves no other."""
    return terms.evolve(
        recurring_bill_items=tuple(
            item.evolve(id=f"item-{at}") for at, item in enumerate(terms.recurring_bill_items)
        ),
        one_time_bill_items=tuple(
            item.evolve(id=f"fee-{at}") for at, item in enumerate(terms.one_time_bill_items)
        ),
    )


def choose_change(choices: Choices, item: rb.RecurringBillItem) -> rb.RecurringBillItem:
    code = item.amount.currency
    changes: dict[str, Any] = choices.pick(
        (
            {},
            {"amount": items.choose_amount(choices, code), "discount": None, "discounts": ()},
            {"vat": items.choose_vat(choices)},
            {"quantity": items.choose_quantity(choices)},
            {"ended_on": choices.day(400)},
            {"ended_on": None, "cancelled_on": None},
            {"cancelled_on": choices.day(400)},
            {"discount": None, "discounts": ()},
            {
                "amount_records": items.choose_records(
                    choices, rb.AmountRecord, lambda cards: items.choose_amount(cards, code)
                )
            },
        )
    )
    return item.evolve(**changes)


def choose_other(choices: Choices, item: rb.OneTimeBillItem) -> rb.OneTimeBillItem:
    """Choose what became known of a one-time item: it is another one under the same id.

    Its days are among those that were billed first: what is put off beyond what is asked for is not
    owed yet, and what was billed of it is not credited (A53).
    """
    due = min(choices.day(), BEFORE.end)
    other = items.choose_one_time_item(choices, item.amount.currency, due)
    other = other.evolve(accounting_period=rb.Period(due, due))
    changes: dict[str, Any] = choices.pick(
        (
            {},
            {"amount": other.amount, "quantity": other.quantity},
            {"vat": other.vat},
            {"product_key": "key:other"},
            {"due_date": other.due_date},
            {"accounting_period": other.accounting_period},
            {**dict(other), "id": item.id},
        )
    )
    return item.evolve(**changes)


def choose_later(choices: Choices, terms: rb.LeaseTerms, name: str) -> rb.LeaseTerms:
    """Choose the terms as they are known later: items changed, gone and new."""
    recurring = [
        choose_change(choices, item) for item in terms.recurring_bill_items if not choices.rarely(6)
    ]
    once = [
        choose_other(choices, item) for item in terms.one_time_bill_items if not choices.rarely(3)
    ]
    code = terms.currency
    if choices.rarely(4):
        recurring.append(items.choose_item(choices, code).evolve(id=f"item-{name}"))
    if choices.rarely(4):
        once.append(items.choose_one_time_item(choices, code).evolve(id=f"fee-{name}"))
    return terms.evolve(recurring_bill_items=tuple(recurring), one_time_bill_items=tuple(once))


def choose_changed(choices: Choices) -> Changed:
    first = with_ids(items.choose_terms(choices, choices.pick((*items.CURRENCIES, None))))
    second = choose_later(choices, first, "b")
    return first, second, choose_later(choices, second, "c")


schedules = chosen(
    lambda choices: choices.pick(
        (
            {"billing_cycle": items.choose_cycle(choices)},
            {"due_date_rule": items.choose_due_date_rule(choices)},
            {
                "billing_cycle": items.choose_cycle(choices),
                "due_date_rule": items.choose_due_date_rule(choices),
            },
        )
    )
)
changed_leases = chosen(choose_changed, 1600)
by_due_date = chosen(lambda choices: items.choose_policy(choices).evolve(select="due_date"))


class TestNothingTwice:
    """What is billed is billed once."""

    @given(runs)
    def test_a_second_run_adds_nothing(self, run: Run) -> None:
        assert () == run.billed(already_billed=run.bills).bills

    @given(runs, cuts)
    def test_bills_of_other_days_change_nothing_and_are_completed(self, run: Run, cut: int) -> None:
        """With no earlier bills, too, a run gives what it gives without."""
        parts = run.cut(cut)
        first, *rest = (part.bills for part in parts)
        for part, sent in ((parts[0], rest), (parts[-1], [first] if rest else [])):
            beside = part.billed(already_billed=sent)

            assert part.bills == beside
            assert part.bills.notices == beside.notices
        assert [bill for each in rest for bill in each] == [*run.billed(already_billed=first)]

    @given(changed_leases, policies, schedules)
    def test_a_third_run_adds_nothing_whatever_changed(
        self, leases: Changed, policy: rb.BillingPolicy, schedule: dict[str, Any]
    ) -> None:
        """Also when cycle or due date are others than before, so that periods only overlap.

        If an opening is due after a later period, the bills do not show that they are all of them:
        then the day from which they are all is given (A53).
        """
        first, second, _ = leases
        moved = second.evolve(
            recurring_bill_items=tuple(
                item.evolve(**schedule) for item in second.recurring_bill_items
            )
        )
        done = [rb.pending_bills(first, BEFORE, policy=policy)]
        since: dict[str, Any] = {}
        for _ in range(2):
            try:
                done.append(run_of(moved, AFTER, policy, done, **since))
            except rb.InvalidInputError as error:
                if error.problems[0].code != "untold_bills" or not tells_no_beginning(done[0]):
                    raise
                since = {"billed_since": BEFORE.start}
                done.append(run_of(moved, AFTER, policy, done, **since))

        assert () == run_of(moved, AFTER, policy, done, **since).bills


class TestCorrections:
    """Billed and corrected is what a fresh run gives, to the minor unit (A53)."""

    @given(changed_leases, policies)
    def test_what_was_billed_and_corrected_is_what_a_fresh_run_gives(
        self, leases: Changed, policy: rb.BillingPolicy
    ) -> None:
        first, second, third = leases
        since = BEFORE.start
        done = [rb.pending_bills(first, BEFORE, policy=policy)]
        for terms, asked in ((second, AFTER), (third, LATER), (third, LATER)):
            done.append(run_of(terms, asked, policy, done, billed_since=since))
            fresh = rb.pending_bills(terms, rb.Period(since, asked.end), policy=policy)

            assert billed(fresh) == billed(*done)
        assert () == done[-1].bills

    @given(changed_leases, by_due_date, cuts)
    def test_a_bill_with_corrections_is_a_right_bill(
        self, leases: Changed, policy: rb.BillingPolicy, cut: int
    ) -> None:
        """It falls due in the asked period, also one of corrections alone, and is explained (A15).

        The order of the earlier bills does not matter, and their full JSON is as good (A56).
        """
        first, second, third = leases
        sent = [rb.pending_bills(first, BEFORE, policy=policy)]
        bills = run_of(second, AFTER, policy, sent)

        assert all(bill.due_date in AFTER for bill in bills)
        keys = [(bill.due_date, bill.currency) for bill in bills]
        assert sorted(set(keys)) == keys
        assert rb.check_bill(bills).is_consistent
        assert len(bills) == len(rb.explain(bills))
        sent.append(bills)
        all_bills = [bill for result in sent for bill in result]
        at = cut % (len(all_bills) or 1)
        turned = [*all_bills[at:], *all_bills[:at]][::-1]
        read = [rb.loads(rb.dumps(e, full=True), rb.BillingResult, policy=policy) for e in sent]
        kept = run_of(third, LATER, policy, sent)

        assert kept == run_of(third, LATER, policy, turned) == run_of(third, LATER, policy, read)


def test_a_correction_of_twice_billed_days_says_the_same_in_any_order() -> None:
    """Of an item that is gone, billed twice under two texts: what the later one says."""
    texts = (rb.monthly_rent("100 DKK", "2025-12-01", id="rent", description=e) for e in "AB")
    one, other = (rb.pending_bills(item, "2026-01") for item in texts)
    for sent in ([one, other], [other, one]):
        (bill,) = rb.pending_bills(rb.LeaseTerms(), "2026-02", already_billed=sent)

        assert ["B"] == [line.description for line in bill.lines]


class TestVat:
    """A correction has the VAT that was billed."""

    @given(leases, policies)
    def test_another_vat_takes_back_what_was_billed_and_bills_it_anew(
        self, terms: rb.LeaseTerms, policy: rb.BillingPolicy
    ) -> None:
        old = with_ids(terms)
        new = old.evolve(
            recurring_bill_items=tuple(
                item.evolve(vat=rb.Vat("Exclusive", Decimal("0.123")), vat_records=())
                for item in old.recurring_bill_items
            ),
            one_time_bill_items=(),
        )
        old = old.evolve(one_time_bill_items=())
        sent = rb.pending_bills(old, BEFORE, policy=policy)

        again = rb.pending_bills(new, BEFORE, policy=policy, already_billed=sent)

        anew = billed(rb.pending_bills(new, BEFORE, policy=policy, already_billed=()))
        back = Counter({of: -units for of, units in billed(sent).items()})
        back.update(anew)
        assert back == billed(again)

    @given(changed_leases, by_due_date)
    def test_the_vat_of_all_bills_differs_from_a_fresh_run_by_rounding_alone(
        self, leases: Changed, policy: rb.BillingPolicy
    ) -> None:
        first, second, _ = leases
        mode = policy.rounding
        since = BEFORE.start
        sent = rb.pending_bills(first, BEFORE, policy=policy)
        more = run_of(second, AFTER, policy, [sent], billed_since=since)
        fresh = rb.pending_bills(second, rb.Period(since, AFTER.end), policy=policy)
        taxes: Counter[tuple[object, ...]] = Counter()
        places: Counter[tuple[object, ...]] = Counter()
        for sign, result in ((1, sent), (1, more), (-1, fresh)):
            for bill in result:
                for total in bill.vat_totals:
                    of = (bill.currency, total.vat.category)
                    taxes[of] += sign * total.units
                    lines = sum(line.vat.category == total.vat.category for line in bill.lines)
                    places[of] += lines if policy.vat_rounding == "per_line" else 1
        # Up and down may miss by nearly a whole unit.
        each = Decimal(1) if mode in {"up", "down"} else Decimal("0.5")

        assert all(abs(units) <= each * places[of] for of, units in taxes.items())
