"""A cause is told where recomputing proves it, and never where nothing does (A29, A54)."""

from datetime import date
from decimal import Decimal
from typing import Any, get_args

import pytest

import rentbilling as rb
from rentbilling.checks import causes as diagnoses
from rentbilling.checks.causes import BillSource, causes_of
from rentbilling.checks.other_terms import other_openings
from rentbilling.policy import WORDS
from rentbilling.testing import a_bill, a_lease, a_line, a_plan, a_rent, an_index, an_item
from tests.support.rents import period
from tests.support.rows import rows

QUARTER = "Exclusive 0.25"
FEBRUARY = "2026-02-01/2026-02-28"
DEFAULT = rb.BillingPolicy()
PER_LINE = rb.BillingPolicy(vat_rounding="per_line")
EVEN = rb.BillingPolicy(rounding="half_even")
# 25 % of 433.30 are 108.325 and of 121.90 are 30.475: 108.33 + 30.48 by the line, 138.80 together.
TAXED = tuple(
    a_line(product_key=key, amount=price, vat=QUARTER)
    for key, price in (("key:heating", "433.30"), ("key:water", "121.90"))
)
WORDS_TRIED = {
    **{name: get_args(words) for name, words in WORDS.items()},
    "discount_opening": (False, True),
    # These change no figure and no day.
    "period_end": ("included",),
    "missing_index": ("refuse",),
}
# The same as terms.
LEASE = a_lease(
    *(
        an_item(product_key=line.product_key, amount=str(line.amount.amount), vat=QUARTER)
        for line in TAXED
    )
)


def told_of_vat(expected: Any, actual: Any, policy: rb.BillingPolicy | None = None) -> list[str]:  # noqa: ANN401
    found = rb.compare_bills(expected, actual, diagnose=True, policy=policy)
    return [str(each.cause) for each in found if each.code == "vat_amount"]


def named(*changes: str) -> tuple[str, ...]:
    return tuple(f"the policy with {each} gives the actual bills" for each in changes)


def causes(
    terms: rb.LeaseTerms,
    other: rb.BillingPolicy,
    policy: rb.BillingPolicy = DEFAULT,
    days: str = FEBRUARY,
) -> tuple[str, ...]:
    mine, theirs = (rb.pending_bills(terms, days, policy=each) for each in (policy, other))
    return rb.compare_bills(mine, theirs, diagnose=True).causes


TENTHS = [a_line(product_key=key, amount="0.10", vat=QUARTER) for key in ("a", "b")]
THIRDS = [a_line(product_key=key, amount="0.03", vat="Inclusive 0.25") for key in "abc"]
CUT = rb.BillingPolicy(rounding="down", vat_rounding="per_line")
ENDED = a_rent(ended_on="2026-02-10")
HEATING = an_item(product_key="key:heating", amount="433.30", ended_on="2026-02-10")
TWO_ITEMS = a_lease(ENDED, HEATING)
DISCOUNTED = a_lease(a_rent(moved_in="2026-01-15", discount=rb.Discount(percentage=Decimal("0.1"))))
FULL, THIRTY = (rb.BillingPolicy(part_period=each) for each in ("full", "thirty_day"))
OF_HEATING = rb.BillingPolicy(by_product={"key:heating": FULL})
BY_LINE = "rounded for each line instead of once for the rate"
BY_RATE = "rounded once for the rate instead of for each line"
MODES = "rounded half_even or half_down or down instead of half_up"


def eights(price: str, count: int) -> rb.PendingBill:
    lines = (a_line(product_key=str(at), amount=price, vat=QUARTER) for at in range(count))
    return a_bill(*lines)


def one_tenth(tax: str | None = None) -> rb.PendingBill:
    line = a_line(amount="0.10", vat=QUARTER)
    return a_bill(line) if tax is None else a_bill(line, vat_totals={QUARTER: tax})


def of_lease(policy: rb.BillingPolicy = DEFAULT) -> rb.BillingResult:
    return rb.pending_bills(LEASE, FEBRUARY, policy=policy)


# fmt: off
VAT: dict[str, tuple[str, Any, Any, rb.BillingPolicy | None]] = {
    # 2,125 are a quarter of 8,500 as 2,175 are of 8,700, however they are rounded.
    **{f"of {count} other lines, {name}": ("None", eights("8700.00", count),
                                           eights("8500.00", count), policy)
       for count in (1, 2)
       for name, policy in (("none", None), ("rate", DEFAULT), ("line", PER_LINE))},
    # 0.02 of 0.10 is 0.025 cut down; by the line and by the rate are one.
    "one line": (MODES, one_tenth(), one_tenth("0.02"), DEFAULT),
    "one line, not knowing how": (
        "rounded half_even or half_down or down", one_tenth(), one_tenth("0.02"), None),
    "by the line": (BY_LINE, of_lease(), of_lease(PER_LINE), None),
    "by the line, a bill": (BY_LINE, of_lease()[0], of_lease(PER_LINE)[0], DEFAULT),
    "by the line, not knowing how": (
        "rounded for each line", of_lease()[0], of_lease(PER_LINE)[0], None),
    "by the rate": (BY_RATE, of_lease(PER_LINE), of_lease(), None),
    "by the rate, a bill": (BY_RATE, of_lease(PER_LINE)[0], of_lease()[0], PER_LINE),
    "by the rate, not knowing how": (
        "rounded once for the rate", of_lease(PER_LINE)[0], of_lease()[0], None),
    "the policy of a result before one that is passed": (
        BY_RATE, of_lease(PER_LINE), of_lease(), DEFAULT),
    # Both the way and the mode: cut down by the line 0.02 + 0.02; once for the rate 0.05 however it
    # is rounded.
    "way and mode": (
        f"{BY_LINE}, {MODES.removeprefix('rounded ')}", a_bill(*TENTHS),
        a_bill(*TENTHS, policy=CUT), DEFAULT),
    "way and another mode": (
        f"{BY_LINE}, half_even or half_down or down instead of up", a_bill(*TENTHS),
        a_bill(*TENTHS, policy=CUT), rb.BillingPolicy(rounding="up")),
    # By the line 0.03 + 0.03; cut down 0.02 + 0.02, which no rounding of 0.05 gives.
    "the mode alone": (
        MODES, a_bill(*TENTHS, policy=PER_LINE), a_bill(*TENTHS, policy=CUT), PER_LINE),
    # 138.00 is no quarter of 555.20, so nobody knows what 138.81 is instead of.
    **{f"an expected VAT that nothing explains, {policy}": (
        "None", a_bill(*TAXED, vat_totals={QUARTER: "138.00"}), a_bill(*TAXED, policy=PER_LINE),
        policy) for policy in (None, DEFAULT)},
    # Prices with VAT in them. 0.03 three times: 0.01 each (0.006) by the line, and 0.02 (0.018) of
    # 0.09.
    "inside": (BY_LINE, a_bill(*THIRDS, vat_totals={"Inclusive 0.25": "0.02"}),
               a_bill(*THIRDS, vat_totals={"Inclusive 0.25": "0.03"}), DEFAULT),
}
POLICIES: dict[str, tuple[list[str], rb.LeaseTerms, rb.BillingPolicy, dict[str, Any]]] = {
    # As little as does it: 10 of 30 days are 2,833.33 (2,833.333), cut down as well, and 2,833.34
    # rounded up. Days from the 1st are the same by both counts of 30.
    "one field": (["part_period='full'"], a_lease(ENDED), FULL, {}),
    "one of two": (["part_period='thirty_day'", "part_period='days_over_30'"], a_lease(ENDED),
                   THIRTY.evolve(rounding="down"), {}),
    "two fields": (["rounding='up', part_period='thirty_day'",
                    "rounding='up', part_period='days_over_30'"],
                   a_lease(ENDED), THIRTY.evolve(rounding="up"), {}),
    # An opening that was discounted: 4,195.16 less ten percent (A24).
    "an opening with its discount": (
        ["discount_opening=True"], DISCOUNTED, rb.BillingPolicy(discount_opening=True),
        {"days": "2026-01-01/2026-03-31"}),
    "an opening without its discount": (
        ["discount_opening=False"], DISCOUNTED, DEFAULT,
        {"policy": rb.BillingPolicy(discount_opening=True), "days": "2026-01-01/2026-03-31"}),
    # Heating is billed for the whole month, the rent for its days (A54).
    "of one product": (
        ["part_period='full' for key:heating"], TWO_ITEMS, OF_HEATING, {}),
    "fields of the whole bill stay as they are": (
        ["part_period='full' for key:heating"], TWO_ITEMS,
        OF_HEATING.evolve(vat_rounding="per_line"), {"policy": PER_LINE}),
    # Heating is cut down: 154.75 (154.75) of its days, and by thirty days 144.43 (144.433).
    "of a product with a policy of its own": (
        ["part_period='thirty_day' for key:heating", "part_period='days_over_30' for key:heating"],
        TWO_ITEMS,
        rb.BillingPolicy(by_product={"key:heating": THIRTY.evolve(rounding="down"),
                                     "key:rent": EVEN}),
        {"policy": rb.BillingPolicy(by_product={"key:heating": rb.BillingPolicy(rounding="down"),
                                                "key:rent": EVEN})}),
    "two products that differ are no matter of one": (
        [], TWO_ITEMS, rb.BillingPolicy(by_product={"key:heating": FULL, "key:rent": THIRTY}), {}),
    # 8,500.30 is paid as 8,500.50; no word of the policy rounds to halves (A52).
    "a cash rounding that is unknown": (
        [], a_lease(a_rent(amount="8500.30")),
        rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")}), {}),
}
# fmt: on


@rows(("expected", "mine", "theirs", "policy"), VAT.values(), ids=VAT)
def test_a_vat_has_the_cause(
    expected: str,
    mine: Any,  # noqa: ANN401
    theirs: Any,  # noqa: ANN401
    policy: rb.BillingPolicy | None,
) -> None:
    """A VAT that another way of rounding gives is told with that way."""
    assert [expected] == told_of_vat(mine, theirs, policy)


@rows(("changes", "terms", "other", "asked"), POLICIES.values(), ids=POLICIES)
def test_a_policy_that_gives_all_actual_bills_is_named_by_what_it_changes(
    changes: list[str], terms: rb.LeaseTerms, other: rb.BillingPolicy, asked: dict[str, Any]
) -> None:
    assert named(*changes) == causes(terms, other, **asked)


def test_two_fields_of_which_both_move_bills() -> None:
    """What begins in May and falls due before: on Friday, 24 April, for Sunday, 26 April."""
    terms = a_lease(a_rent(due_day=-6))
    other = rb.BillingPolicy(select="accounting_period", business_day="preceding")
    found = causes(terms, other, days="2026-05-01/2026-05-31")

    assert set(named("business_day='preceding', select='accounting_period'")) <= set(found)


def test_terms_that_give_the_actual_bills_as_they_are() -> None:
    found = rb.compare_bills(
        [a_bill(a_line(amount="8400.00"))],
        [a_bill()],
        diagnose=True,
        terms=a_lease(),
        period=FEBRUARY,
    )

    assert ("the terms give the actual bills under the policy as it is",) == found.causes


def test_nothing_is_proven_by_bills_that_are_not_there() -> None:
    mine = rb.pending_bills(ENDED, FEBRUARY)

    assert () == rb.compare_bills(mine, [], diagnose=True).causes


class TestSearch:
    """A search looks where something can be found, and passes over what cannot be followed."""

    @staticmethod
    def _asked(policy: rb.BillingPolicy = DEFAULT) -> BillSource:
        return BillSource(a_lease(), period(FEBRUARY), policy, None)

    def test_it_ends_with_the_smallest_changes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tried: list[rb.BillingPolicy] = []

        def billed(*_args: object, policy: rb.BillingPolicy, **_options: object) -> Any:  # noqa: ANN401
            tried.append(policy)
            return rb.pending_bills(a_lease(), FEBRUARY, policy=policy)

        monkeypatch.setattr(diagnoses, "pending_bills", billed)
        answers = iter([False])
        found = causes_of([a_bill()], self._asked(), lambda *_: next(answers, True)).of_all

        # The policy as it is, then each other word of each field.
        assert 1 + sum(len(words) - 1 for words in WORDS_TRIED.values()) == len(tried)
        assert named("rounding='half_even'")[0] == found[0]
        assert not any(", " in each.removeprefix("the policy with ") for each in found)

    def test_bills_of_other_days_are_looked_for_by_what_moves_days(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """No share and no rounding brings a bill back: few pairs are tried, of some 150."""
        tried: list[rb.BillingPolicy] = []

        def billed(*_args: object, policy: rb.BillingPolicy, **_options: object) -> Any:  # noqa: ANN401
            tried.append(policy)
            return rb.pending_bills(a_lease(), "2026-01-01/2026-03-31", policy=policy)

        monkeypatch.setattr(diagnoses, "pending_bills", billed)
        plain = rb.pending_bills(a_lease(), "2026-01-01/2026-03-31")
        found, _, count = causes_of(plain[:2], self._asked(), lambda *_: False)

        assert [] == found
        assert 40 > len(tried) == count

    def test_a_policy_that_cannot_be_followed_is_none(self) -> None:
        class Always:
            def __contains__(self, _day: object) -> bool:
                return True

        closed = rb.BillingPolicy(holidays=Always())
        terms = a_lease(ENDED)

        assert named("part_period='full'") == causes(
            terms, closed.evolve(part_period="full"), closed
        )

    def test_terms_without_their_index_values_are_refused(self) -> None:
        """They are needed to bill them; with them the cause is found (A41)."""
        rent = a_rent(moved_in="2025-01-01", ended_on="2026-02-10")
        terms = a_lease(rent, plans=[a_plan(first_year=2026)])
        index = an_index({"2024-10": "100.0", "2025-10": "102.0"})
        mine, theirs = (
            list(rb.pending_bills(terms, FEBRUARY, policy=each, indices=index))
            for each in (DEFAULT, rb.BillingPolicy(part_period="full"))
        )
        asked: dict[str, Any] = {"terms": terms, "period": rb.Period.parse(FEBRUARY)}

        with pytest.raises(rb.MissingIndexError):
            rb.compare_bills(mine, theirs, diagnose=True, **asked)
        found = rb.compare_bills(mine, theirs, diagnose=True, indices=index, **asked)
        assert named("part_period='full'") == found.causes

    def test_the_order_of_the_actual_bills_says_nothing(self) -> None:
        items = [
            an_item(product_key=key, amount="433.30", ended_on="2026-03-10") for key in ("a", "b")
        ]
        terms, days = a_lease(*items), "2026-02-01/2026-03-31"
        other = rb.pending_bills(terms, days, policy=rb.BillingPolicy(part_period="full"))
        turned: list[rb.PendingBill] = [
            a_bill(*reversed(bill.lines), due=str(bill.due_date)) for bill in reversed(other.bills)
        ]
        found = rb.compare_bills(rb.pending_bills(terms, days), turned, diagnose=True)

        assert named("part_period='full'") == found.causes


WELCOME = rb.Discount(percentage=Decimal("0.10"), description="Welcome")
LOYAL = rb.Discount(amount=rb.Amount(100, "DKK"))


@rows(
    ("terms", "billed", "cause"),
    [
        # 1,000 − 100 are 900, less 10 % 810; without the first one 900, without the second one 900.
        (
            {"discounts": [LOYAL, WELCOME]},
            {"discounts": [LOYAL]},
            "without the discount 'Welcome'",
        ),
        # 1,000 less 10 % are 900, less 100 are 800.
        (
            {"discounts": [LOYAL, WELCOME]},
            {"discounts": [WELCOME, LOYAL]},
            "with its discounts in the opposite order",
        ),
        # 1,000 less 20 % less 10 % are 720, and 10 % of 1,000 taken off are 700.
        (
            {"discounts": [rb.Discount(percentage=Decimal("0.2")), WELCOME]},
            {"discounts": [rb.Discount(percentage=Decimal("0.2")), WELCOME.evolve(of="list")]},
            "with the discount 'Welcome' of the full price",
        ),
        (
            {"discounts": [rb.Discount(percentage=Decimal("0.2")), WELCOME.evolve(of="list")]},
            {"discounts": [rb.Discount(percentage=Decimal("0.2")), WELCOME]},
            "with the discount 'Welcome' of what is left",
        ),
        ({"discount": LOYAL}, {}, "without the discount 1"),
        # 1,000 a year are 83.33 or 83.34 a month, and not 83.33 always.
        (
            {"price_per": "year"},
            {"amount": rb.Amount("83.33", "DKK")},
            "with its price rounded for each cycle",
        ),
        # A discount of 83.333 is not above the exact price of a month, 83.333…, but above 83.33.
        (
            {"price_per": "year", "discount": rb.Discount(amount=rb.Amount("83.333", "DKK"))},
            {"price_per": "year"},
            "without the discount 1",
        ),
        # 15 of 30 days, and 15 of 31.
        (
            {"part_period": "days_over_30", "ended_on": "2026-10-15"},
            {"ended_on": "2026-10-15"},
            "without a part_period of its own",
        ),
    ],
)
def test_an_item_that_was_billed_otherwise(
    terms: dict[str, Any], billed: dict[str, Any], cause: str
) -> None:
    days = rb.Period.parse("2026-02-01/2026-12-31")
    lease = a_lease(a_rent(amount=1000, moved_in="2026-01-01", **terms))
    item = lease.recurring_bill_items[0]
    plain = {"discount": None, "discounts": (), "price_per": "cycle", "part_period": None}
    other = lease.evolve(recurring_bill_items=(item.evolve(**{**plain, **billed}),))
    source = BillSource(lease, days, DEFAULT, None)

    found = causes_of(rb.pending_bills(other, days).bills, source, lambda a, b: a == b).of_all

    assert f"the lease with recurring-1 {cause} gives the actual bills" in found


# ------------------------------------------------------------------------- openings, plans, bills

OPENED = a_rent(amount=4250, moved_in="2025-03-10")
DEARER = a_rent(amount=4250, moved_in="2025-03-10", ended_on="2025-07-12")
RISEN = rb.AmountRecord(value=rb.Amount(4300, "DKK"), start=date(2025, 5, 1))
PRICES = {"2023": 116, "2024": 118, "2025": 122}
INDEX = an_index(
    {
        f"{year}-{month:02}": str(value + Decimal(month) / 10)
        for year, value in PRICES.items()
        for month in range(1, 13)
    }
)
CAP = a_plan(first_year=2025, maximum="0.02")
"""October 119.0 over 117.0 in 2025, 1.7094 %; 123.0 over 119.0 in 2026, 3.3613 %, at most 2 %."""


def opened(word: str, **fields: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    """Return a rent whose opening a landlord counted in his own way."""
    policy = rb.BillingPolicy(part_period=word)  # type: ignore[arg-type]
    return rb.monthly_rent("4250 DKK", "2025-03-10", policy=policy, **fields)


def indexed(*plans: rb.RentAdjustmentPlan, **fields: Any) -> rb.LeaseTerms:  # noqa: ANN401
    return a_lease(a_rent(amount=8500, moved_in="2024-01-01", **fields), plans=plans)


def ruled(**fields: Any) -> rb.RentAdjustmentPlan:  # noqa: ANN401
    """Return the plan with its rule changed."""
    (rule,) = CAP.rent_adjustment_rules
    return CAP.evolve(rent_adjustment_rules=(rule.evolve(**fields),))


def lagging(lag: int) -> rb.RentAdjustmentPlan:
    clause = rb.IndexClause(lag_months=lag)
    return ruled(index_month=None, index_clause=clause, maximum_percentage=None)


FREE = ruled(maximum_percentage=None)
LIMIT = CAP.rent_adjustment_rules[0].evolve(
    id="limit",
    adjustment_type="Increment",
    index_month=None,
    index_clause=rb.IndexClause(combine="limit"),
)
TWO_RULES = FREE.evolve(rent_adjustment_rules=(*FREE.rent_adjustment_rules, LIMIT))
OFFSET = ruled(maximum_percentage=None, index_clause=rb.IndexClause(year_offset=1))
PARKING = an_item(id="parking", product_key="key:parking", amount=500, moved_in="2024-01-01")
OF_RENT, OF_PARKING = (FREE.evolve(id=each, adjustee_ref=each) for each in ("rent", "parking"))
RENT = a_rent(id="rent", amount=8500, moved_in="2024-01-01")
YEARLY = a_plan(percent="0.01", first_year=2010)
_RULED = a_lease(RENT, plans=[OF_RENT])
LISTED = rb.adjusted_terms(
    _RULED, rb.rent_adjustments(_RULED, "2025", indices=INDEX), indices=INDEX
)
# fmt: off
LEASES: dict[str, tuple[str, rb.LeaseTerms, rb.LeaseTerms, str]] = {
    # 4,250 × 22 / 31 are 3,016.13, and 4,250 × 21 / 30 are 2,975.00.
    "an opening by thirty days": (
        "with the opening of recurring-1 counted by thirty_day",
        a_lease(opened("actual_days")), a_lease(opened("thirty_day")), "2025-03"),
    "openings of two items": (
        "with the opening of recurring-1, recurring-2 counted by thirty_day",
        a_lease(opened("actual_days"), opened("actual_days", description="Loft")),
        a_lease(opened("thirty_day"), opened("thirty_day", description="Loft")), "2025-03"),
    "an opening of two": (
        "with the opening of recurring-2 counted by thirty_day",
        a_lease(opened("actual_days"), opened("actual_days", description="Loft")),
        a_lease(opened("actual_days"), opened("thirty_day", description="Loft")), "2025-03"),
    "a last day": (
        "with recurring-1 ended on 2025-07-11", a_lease(DEARER),
        a_lease(DEARER.evolve(ended_on="2025-07-11")), "2025-07"),
    "an end": ("with recurring-1 without its end", a_lease(DEARER),
               a_lease(OPENED), "2025-07-01/2025-09-30"),
    "a price": (
        "with recurring-1 without its price from 2025-05-01",
        a_lease(OPENED.evolve(amount_records=[RISEN])), a_lease(OPENED),
        "2025-05"),
    # 8,645.30 × 1.02 are 8,818.21.
    "an adjustment": ("without the adjustment of 2026-01-01", indexed(CAP),
                      indexed(CAP.evolve(ended_on="2025-12-31")), "2026-01"),
    "all since": ("without the adjustments from 2025-01-01 on", indexed(CAP), indexed(), "2026-01"),
    "many": ("without the adjustments",
             a_lease(a_rent(moved_in="2009-01-01"), plans=[YEARLY]),
             a_lease(a_rent(moved_in="2009-01-01")), "2026-01"),
    "one that is listed": ("without the adjustment of 2025-01-01", LISTED,
                           a_lease(RENT), "2025-02"),
    "a maximum": ("without the maximum of the rule", indexed(CAP), indexed(FREE), "2026-01"),
    "a minimum": ("without the minimum of the rule",
                  indexed(ruled(minimum_percentage="0.02")), indexed(CAP), "2025-02"),
    "a rule that limits": ("without limit", indexed(TWO_RULES), indexed(FREE), "2026-01"),
    # September 118.9 over 116.9 and 122.9 over 118.9, November 119.1 over 117.1 and so on.
    "the month before": ("with the index of one month earlier for the rule", indexed(FREE),
                         indexed(lagging(4)), "2026-01"),
    "the month after": ("with the index of one month later for the rule", indexed(lagging(3)),
                        indexed(lagging(2)), "2026-01"),
    "of the year before": ("with the index of one month later for the rule", indexed(OFFSET),
                           indexed(lagging(2)), "2026-01"),
    "one of two plans": (
        "without the adjustments from 2025-01-01 on of parking",
        a_lease(RENT, PARKING, plans=[OF_RENT, OF_PARKING]),
        a_lease(RENT, PARKING, plans=[OF_RENT]), "2026-01"),
    "all plans": (
        "without any of its adjustments",
        a_lease(RENT, PARKING, plans=[OF_RENT, OF_PARKING]), a_lease(RENT, PARKING), "2026-01"),
}
# fmt: on


@rows(("cause", "terms", "billed", "days"), LEASES.values(), ids=LEASES)
def test_a_lease_that_was_billed_otherwise(
    cause: str, terms: rb.LeaseTerms, billed: rb.LeaseTerms, days: str
) -> None:
    mine, theirs = (rb.pending_bills(each, days, indices=INDEX) for each in (terms, billed))

    assert (
        f"the lease {cause} gives the actual bills"
        in rb.compare_bills(mine, [*theirs], diagnose=True).causes
    )
    # The bills of the other side are those that are explained where only one knows its terms.
    assert (
        f"the lease {cause} gives the expected bills"
        in rb.compare_bills([*theirs], mine, diagnose=True).causes
    )


def test_a_search_needs_no_index_that_the_bills_do_not_need() -> None:
    """Neither for the adjustments of a deposit, nor for a rent of which nothing is billed."""
    deposit = rb.Balance(balance_charge_type="deposit", amount=rb.Amount(25500, "DKK"))
    for_deposit = a_plan(first_year=2020, adjusts_balance=True, adjusts_recurring_bill_item=False)
    rent = a_rent(moved_in="2018-01-01")
    index, theirs = an_index({"2010-10": "100"}), [a_bill(a_line(amount=8400))]

    for terms, days in (
        (rb.LeaseTerms.of(rent, deposit, for_deposit), "2026-02"),
        (a_lease(rent, plans=[a_plan(first_year=2026)]), "2026-02-10/2026-02-20"),
    ):
        mine = rb.pending_bills(terms, days, indices=index)
        found = rb.compare_bills(mine, theirs, diagnose=True, indices=index)
        assert not found.is_equal
        assert () == found.causes


def test_both_ends_by_another_way_to_count() -> None:
    """4,250 × 12 / 31 are 1,645.16, and 4,250 × 12 / 30 are 1,700.00."""
    mine, theirs = (
        rb.pending_bills(
            opened(word, ended_on="2025-07-12"),
            "2025",
            policy=rb.BillingPolicy(part_period=word),
        )
        for word in ("actual_days", "thirty_day")
    )

    assert (
        named("part_period='thirty_day', the opening included,")
        == rb.compare_bills(mine, theirs, diagnose=True).causes
    )


def test_the_index_of_another_month_that_is_missing_is_no_reason() -> None:
    """Under a policy that goes on without it, nothing would be adjusted."""
    index = an_index({"2023-10": "117.0", "2024-10": "119.0"})
    policy = rb.BillingPolicy(missing_index="notice")
    mine, theirs = (
        rb.pending_bills(each, "2025-02", indices=index, policy=policy)
        for each in (indexed(FREE), indexed())
    )

    assert ("the lease without the adjustment of 2025-01-01 gives the actual bills",) == (
        rb.compare_bills(mine, theirs, diagnose=True).causes
    )


def test_bills_with_several_mistakes_are_explained_one_by_one() -> None:
    """The opening by thirty days, the index of January missing; and a month too few."""
    fields: dict[str, Any] = {"id": "rent", "amount": 4250, "moved_in": "2025-03-10"}
    mine = rb.pending_bills(
        a_lease(a_rent(**fields), plans=[ruled(maximum_percentage=None, first_year=2026)]),
        "2025-03-01/2026-03-31",
        indices=INDEX,
    )
    theirs = [*rb.pending_bills(opened("thirty_day"), "2025-03-01/2026-02-28"), *list(mine)[-1:]]
    found = rb.compare_bills(mine, theirs, diagnose=True)

    assert [] == [*found.causes]
    assert [
        "the lease with the opening of rent counted by thirty_day gives this bill",
        *["the lease without the adjustment of 2026-01-01 gives this bill"] * 2,
    ] == [each.cause for group in found.groups for each in group.causes]
    assert {*found} == {each for group in found.groups for side in group[:2] for each in side}


def test_a_bill_that_many_changes_explain() -> None:
    """Fifteen days of June are half of it by four ways to count; nothing explains May."""
    terms, full = a_lease(a_rent(ended_on="2026-06-15")), rb.BillingPolicy(part_period="full")
    mine = rb.pending_bills(terms, "2026-05-01/2026-06-30", policy=full)
    theirs = [a_bill(a_line(amount=1)), *rb.pending_bills(terms, "2026-06")]
    found = rb.compare_bills(mine, theirs, diagnose=True)

    assert [None, None, "many"] == [
        each.cause if each.cause is None or " or 1 more gives" not in each.cause else "many"
        for group in found.groups
        for each in group.causes
    ]


def test_an_opening_that_no_way_counts_is_left() -> None:
    """Its cycle ends after the last day of the calendar."""
    cycle = rb.BillingCycle(time_unit="Day", period_length=28)
    late = a_rent(moved_in="9999-12-20").evolve(billing_cycle=cycle)

    assert [] == [*other_openings(a_lease(late), DEFAULT, ["key:rent"])]


def test_a_search_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, theirs = (rb.pending_bills(each, FEBRUARY) for each in (a_lease(ENDED), a_lease()))
    before = rb.compare_bills(mine, [*theirs, *theirs], diagnose=True).tried
    monkeypatch.setattr(diagnoses, "_MOST_LINES", 3)

    assert before > rb.compare_bills(mine, [*theirs, *theirs], diagnose=True).tried
