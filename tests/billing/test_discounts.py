"""Several discounts of one item: their order, their days, what they are of (A61, A63).

The rent: 10,000.00 DKK a month or 30,000.00 a quarter of 2026, exempt from VAT.
"""

import json
from decimal import Decimal
from itertools import permutations
from typing import Any

import rentbilling as rb
from rentbilling.billing import discounted
from tests.support import rents
from tests.support.refusals import Call, refusal_text
from tests.support.rows import rows

FEBRUARY = "2026-02-01/2026-02-28"
MARCH = "2026-03-01/2026-03-31"
QUARTER = "2026-01-01/2026-01-31"


def less(size: str, days: str = "..", *, of: Any = None, text: str | None = None) -> rb.Discount:  # noqa: ANN401
    """Return a discount of `10%` or `500`, with its first and last day: `2026-02-01..`."""
    start, end = (None if not each else rents.day(each) for each in days.split(".."))
    by: dict[str, Any] = {"percentage": size, "of": of}
    if not size.endswith("%"):
        by = {"amount": rents.amount(size)}
    return rb.Discount(**by, start_date=start, end_date=end, description=text)


def item(*discounts: rb.Discount, price: str = "10000.00", **terms: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    return rents.rent(price, discounts=discounts, **terms)


TENTH, FIFTH, AMOUNT = less("10%"), less("20%"), less("500")
LIST_TENTH, LIST_FIFTH = less("10%", of="list"), less("20%", of="list")


class TestOrder:
    """In listed order; a percentage is of the rest, or of the list price (A61)."""

    @rows(
        ("discounts", "left"),
        [
            # 10,000 × 0.9 = 9,000; − 500 = 8,500; × 0.8 = 6,800.
            ((TENTH, AMOUNT, FIFTH), "6800.00"),
            # 10,000 × 0.8 = 8,000; − 500 = 7,500; × 0.9 = 6,750.
            ((FIFTH, AMOUNT, TENTH), "6750.00"),
            # Each of 10,000: 1,000 + 500 + 2,000 = 3,500 off, in any order.
            *((given, "6500.00") for given in permutations((LIST_TENTH, AMOUNT, LIST_FIFTH))),
            # 10,000 × 0.9 × 0.8 = 7,200, in any order.
            ((TENTH, FIFTH), "7200.00"),
            ((FIFTH, TENTH), "7200.00"),
            # The last of the rest: (10,000 − 2,000 − 500) × 0.9 = 6,750.
            ((LIST_FIFTH, AMOUNT, TENTH), "6750.00"),
            # The first of the rest, the last of the list: 9,000 − 500 − 2,000 = 6,500.
            ((TENTH, AMOUNT, LIST_FIFTH), "6500.00"),
            ((less("10%", of="rest"), FIFTH), "7200.00"),
        ],
    )
    def test_discounts_come_off_one_after_another(
        self, discounts: tuple[rb.Discount, ...], left: str
    ) -> None:
        assert [("2026-02-01/2026-02-28", left)] == rents.told(item(*discounts), FEBRUARY)

    @rows(
        ("price", "discounts", "left", "notice"),
        [
            ("500", (less("300"), less("300")), "0", "discount_stopped_at_zero"),
            ("500", (less("300"), less("200")), "0", None),
            ("500", (less("300"), less("300"), TENTH), "0", "discount_stopped_at_zero"),
            (
                "500",
                (less("60%", of="list"), less("60%", of="list")),
                "0",
                "discount_stopped_at_zero",
            ),
            ("500", (less("100%"), TENTH), "0", None),
            ("500", (less("100%"), less("50")), "0", "discount_stopped_at_zero"),
            # −1,000 × 0.9 × 0.8; −1,000 + 100 + 200.
            ("-1000", (TENTH, FIFTH), "-720", None),
            ("-1000", (LIST_TENTH, LIST_FIFTH), "-700", None),
            (
                "-1000",
                (less("60%", of="list"), less("60%", of="list")),
                "0",
                "discount_stopped_at_zero",
            ),
            ("-1000", (TENTH, less("300")), "-900", "discount_on_negative_ignored"),
            ("-1000", (less("100%"), less("300")), "0", "discount_on_negative_ignored"),
        ],
    )
    def test_the_sign_never_turns(
        self, price: str, discounts: tuple[rb.Discount, ...], left: str, notice: str | None
    ) -> None:
        """A sum above the price stops at zero; no amount comes off a credit (A22)."""
        over, below, code = discounted(Decimal(price), discounts)

        assert (Decimal(left), notice) == (Decimal(over) / below, code)

    def test_a_sum_above_the_price_has_one_notice(self) -> None:
        """Each fits the price when the item is made: 500 less 300 less 300 (A22)."""
        facts = {"amount": "500.00", "discount": "300 DKK, 300 DKK"}

        assert [("discount_stopped_at_zero", facts)] == rents.noticed(
            item(less("300"), less("300"), price="500.00"), FEBRUARY
        )


class TestDays:
    """Both days are included, and each splits a period (A19, A23)."""

    @rows(
        ("discounts", "nets"),
        [
            # Half in January, a quarter in February, nothing in March: steps down (A63).
            (
                (less("50%", "..2026-01-31"), less("25%", "2026-02-01..2026-02-28")),
                ["5000.00", "7500.00", "10000.00"],
            ),
            # February alone, within the quarter: 10,000 + 9,000 + 10,000.
            (
                (less("10%", "2026-02-01..2026-02-28"),),
                ["10000.00", "9000.00", "10000.00"],
            ),
            # An amount is for a cycle: of 300 a month's third is 100.
            (
                (less("300", "2026-02-01..2026-02-28"),),
                ["10000.00", "9900.00", "10000.00"],
            ),
            # Two that overlap in February: 10,000 × 0.9 = 9,000, then × 0.8 = 7,200, then 8,000.
            (
                (less("10%", "..2026-02-28"), less("20%", "2026-02-01..")),
                ["9000.00", "7200.00", "8000.00"],
            ),
        ],
    )
    def test_a_quarter_is_split(self, discounts: tuple[rb.Discount, ...], nets: list[str]) -> None:
        months = "2026-01-01/2026-01-31", FEBRUARY, MARCH

        assert [*zip(months, nets, strict=True)] == rents.told(
            rents.quarterly(discounts=discounts), QUARTER
        )

    def test_a_defect_takes_off_its_days_alone(self) -> None:
        """9,300 a month are 300 a day: 2 days, 15 days at 85 %, 14 days (A63).

        600 + 3,825 + 4,200 = 8,625.
        """
        flat = item(less("15%", "2026-03-03..2026-03-17"), price="9300.00")

        assert [
            ("2026-03-01/2026-03-02", "600.00"),
            ("2026-03-03/2026-03-17", "3825.00"),
            ("2026-03-18/2026-03-31", "4200.00"),
        ] == rents.told(flat, MARCH)

    @rows(
        "discounts",
        [
            (less("10%", "..2026-03-14", text="A"), less("10%", "2026-03-15..", text="B")),
            (less("1000", "..2026-03-14"), less("10%", "2026-03-15..")),
            (less("10%"), less("0%", "2026-03-15..")),
            # A tenth less a tenth is 19 %.
            (less("10%"), less("10%", "..2026-03-14"), less("900", "2026-03-15..")),
        ],
    )
    def test_discounts_of_one_effect_split_nothing(
        self, discounts: tuple[rb.Discount, ...]
    ) -> None:
        """The same price of a unit after all discounts; the first day's are named (A61)."""
        (line,) = rents.lines_of(item(*discounts), MARCH)

        assert "2026-03-01/2026-03-31" == str(line.accounting_period)

    def test_a_discount_splits_what_had_none(self) -> None:
        """Also one of nothing, as its end always has (A19)."""
        assert 2 == len(rents.told(item(less("0%", "2026-03-15..")), MARCH))

    @rows(
        ("policy", "nets"),
        [
            # By the quarter's first day: January's half off all of it.
            (rb.BillingPolicy(discount_end="whole_period"), ["15000.00"]),
            (rb.BillingPolicy(mid_period_change="next_period"), ["15000.00"]),
        ],
    )
    def test_the_policy_may_look_at_the_first_day(
        self, policy: rb.BillingPolicy, nets: list[str]
    ) -> None:
        """Starts and ends alike (A23)."""
        steps = less("50%", "..2026-01-31"), less("25%", "2026-02-01..")
        found = rents.told(rents.quarterly(discounts=steps), QUARTER, policy)

        assert nets == [net for _, net in found]

    def test_an_end_cuts_before_discounts_split(self) -> None:
        """9,300 to 20 March: 2 days 600, 15 days 3,825, 3 days 900 (A17)."""
        cut = item(
            less("15%", "2026-03-03..2026-03-17"), price="9300.00", ended_on=rents.day("2026-03-20")
        )

        assert ["600.00", "3825.00", "900.00"] == [net for _, net in rents.told(cut, MARCH)]

    def test_an_amount_is_for_one_unit(self) -> None:
        """3 × (10,000 + 9,900 + 10,000) = 89,700."""
        found = rents.told(
            rents.quarterly(quantity=3, discounts=[less("300", "2026-02-01..2026-02-28")]), QUARTER
        )

        assert ["30000.00", "29700.00", "30000.00"] == [net for _, net in found]


class TestRentFreeMonth:
    """A discount of 100 % with its days: the rent beneath it goes on (A62)."""

    def test_the_index_of_a_free_january_holds_afterwards(self) -> None:
        """1,000, the index 5 % higher from January 2027 on: 1,050 after two free months."""
        made = rb.bill_period(
            rb.LeaseTerms.of(
                item(
                    less("100%", "2026-12-01..2027-01-31"),
                    price="1000.00",
                    first_billing_period_bill_item=rents.opening(
                        "2025-12-01/2025-12-31", price="1000.00"
                    ),
                ),
                rb.RentAdjustmentPlan(
                    rent_adjustment_rules=(
                        rb.RentAdjustmentRule(
                            adjustment_type="Index",
                            adjustment_month=1,
                            index_month=10,
                            first_year="2027",
                        ),
                    )
                ),
            ),
            "2026-11-01/2027-03-31",
            indices=rb.IndexSeries(
                "CPI", {"2025-10": "120.0", "2026-10": "126.0"}, base="2015=100"
            ),
        )

        assert ["1000.00", "0.00", "0.00", "1050.00", "1050.00"] == [
            f"{bill.total.amount:f}" for bill in made
        ]
        assert () == made.notices


class TestOpening:
    """The stated opening is final; a computed one has the discounts in it (A14, A24)."""

    def test_a_computed_one_counts_each_day(self) -> None:
        """9,300 are 300 a day: 5 days, 6 days at half, 6 days at 75 %: 1,500 + 900 + 1,350."""
        found = rb.first_billing_period(
            rents.amount("9300.00"),
            rents.rent().billing_cycle,
            "2026-01-15",
            discounts=[
                less("50%", "2026-01-20..2026-01-25"),
                less("25%", "2026-01-26.."),
            ],
        )

        assert rents.amount("3750.00") == found.amount

    @rows(
        ("discounts", "left"),
        [
            # 4,661.29 × 0.9 − 17/31 × 620 = 4,195.161 − 340 = 3,855.161.
            ((TENTH, less("620")), "3855.16"),
            # Those of its first day.
            ((TENTH, less("50%", "2026-01-16..")), "4195.16"),
            ((less("50%", "..2026-01-15"),), "2330.65"),
        ],
    )
    def test_the_policy_may_discount_a_stated_one(
        self, discounts: tuple[rb.Discount, ...], left: str
    ) -> None:
        """An amount by its share of a cycle, 17 of 31 days (A20)."""
        found = rents.told(
            item(*discounts), "2026-01-15/2026-01-15", rb.BillingPolicy(discount_opening=True)
        )

        assert [left] == [net for _, net in found]


class TestLines:
    """A line names each discount in force with what it took off (A61)."""

    def test_what_was_taken_off_adds_up(self) -> None:
        """3 × 33.35 = 100.05; a tenth leaves 90.045, so 90.05; half of it 45.0225, so 45.02."""
        own = item(less("10%", text="Loyal"), less("50%", text="Noise"), price="33.35", quantity=3)
        (line,) = rents.lines_of(own, FEBRUARY)

        assert "45.02" == f"{line.net_price.amount:f}"
        assert [
            ("Loyal", Decimal("0.1"), rents.amount("10.00")),
            ("Noise", Decimal("0.5"), rents.amount("45.03")),
        ] == [(each.description, each.percentage, each.taken_off) for each in line.discounts]
        assert "Loyal, Noise" == line.discount_text

    def test_a_part_names_what_came_off_its_days(self) -> None:
        """Of 9,300 in March 15 of 31 days: 15 % of 4,500 are 675.00."""
        found = rents.lines_of(item(less("15%", "2026-03-03..2026-03-17"), price="9300.00"), MARCH)

        assert [[], [rents.amount("675.00")], []] == [
            [each.taken_off for each in line.discounts] for line in found
        ]

    def test_a_credit_is_smaller_by_what_comes_off(self) -> None:
        """A tenth of −1,000 is −100."""
        (line,) = rents.lines_of(item(TENTH, price="-1000.00"), FEBRUARY)

        assert [rents.amount("-100.00")] == [each.taken_off for each in line.discounts]


# What is given to an item, and how it is refused.
REFUSALS: dict[str, list[Call]] = {
    "InvalidDiscountError: discounts one_of_two": [
        lambda: rents.rent(discount=TENTH, discounts=[FIFTH])
    ],
    "InvalidDiscountError: discounts[1].amount discount_above_amount": [
        lambda: item(TENTH, less("10000.01"))
    ],
    "InvalidDiscountError: discounts[0].amount discount_on_credit": [
        lambda: item(less("1"), price="-100.00")
    ],
    "CurrencyMismatchError: discounts[0].amount.currency currency_mismatch": [
        lambda: item(less("1 EUR"))
    ],
    "InvalidDiscountError: of discount_of_amount": [
        lambda: rb.Discount(amount=rents.amount("1"), of="rest"),
        lambda: rb.Discount(amount=rents.amount("1"), of="list"),
    ],
    "InvalidDiscountError: end_date reversed_period": [
        lambda: less("10%", "2026-03-02..2026-03-01")
    ],
}


@rows(("expected", "call"), [(said, call) for said, calls in REFUSALS.items() for call in calls])
def test_what_cannot_come_off_is_refused(expected: str, call: Call) -> None:
    """Each by itself, when it is made (A22, A61)."""
    assert expected == refusal_text(call)


def test_one_in_the_list_is_the_one_discount() -> None:
    """The same lines, and the single discount may have days of its own too."""
    one = less("15%", "2026-03-03..2026-03-17")

    assert rb.pending_bills(item(one), MARCH) == rb.pending_bills(
        rents.rent("10000.00", discount=one), MARCH
    )


def test_a_record_of_another_price_is_discounted_from_its_day() -> None:
    """16–31 March at 20,000 less a tenth of the list and 500: 16/31 × 17,500; 15/31 × 8,500."""
    own = item(LIST_TENTH, AMOUNT, amount_records=(rents.price_from("2026-03-16", "20000.00"),))

    assert ["4112.90", "9032.26"] == [net for _, net in rents.told(own, MARCH)]


def test_the_full_form_names_what_came_off() -> None:
    """It is written, and read again (A56)."""
    made = rb.pending_bills(item(less("10%", text="Loyal"), less("500")), FEBRUARY)
    text = rb.dumps(made, full=True)
    (bill,) = rb.loads(text, rb.BillingResult)

    assert text == rb.dumps(rb.loads(text, rb.BillingResult), full=True)
    assert [
        ("Loyal", Decimal("0.1"), rents.amount("1000.00")),
        (None, None, rents.amount("500.00")),
    ] == [*bill.lines[0].discounts]
    assert "discounts" not in rb.dumps(made)


@rows(
    ("wrong", "path"),
    [
        ([{"takenOff": None}], "[0].takenOff missing"),
        (
            [{"takenOff": {"currency": "EUR", "amount": 1}}],
            "[0].takenOff.currency currency_mismatch",
        ),
        (
            [{"takenOff": {"currency": "DKK", "amount": 0.001}}],
            "[0].takenOff.amount too_many_decimals",
        ),
        ([7], "[0] not_an_object"),
        (7, " not_a_list"),
    ],
)
def test_what_came_off_is_read_or_refused(wrong: object, path: str) -> None:
    made = json.loads(rb.dumps(rb.pending_bills(item(TENTH), FEBRUARY), full=True))
    made["bills"][0]["pendingBillLineItems"][0]["discounts"] = wrong
    where = f"bills[0].pendingBillLineItems[0].discounts{path}"

    assert refusal_text(lambda: rb.loads(json.dumps(made), rb.BillingResult)).endswith(where)
