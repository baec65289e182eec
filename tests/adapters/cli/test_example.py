"""The example of the command line: a lease whose bills anybody can add up.

By hand. Moving in on 15 January leaves 17 of January's 31 days:

    rent       8,500.00 × 17/31                 4,661.29
    heating      950.00 × 17/31                   520.97
    parking      600.00 less 10 % × 17/31         296.13
    keys         250.00 × 2                       500.00
    subtotal                                    5,978.39
    VAT          296.13 × 25 %                     74.03
    total                                       6,052.42

    February to June    8,500 + 950 + 540 = 9,990, and 540 × 25 % = 135:    10,125.00 a month
    July to December    8,500 + 950 + 600 = 10,050, and 600 × 25 % = 150:   10,200.00 a month

    2026    6,052.42 + 5 × 10,125.00 + 6 × 10,200.00 = 117,877.42

With an index, the same lease from 2022 on, its rent between 0 and 4 percent:

    2023    8,500.00 × 117.7 / 106.7 would be 9,376.29, 10.3093 % more; 4 %         8,840.00
    2024    8,840.00 × 118.3 / 117.7 = 1,045,772 / 117.7                           8,885.06
"""

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import rentbilling as rb
from tests.support.command_line import billed, example, npi, run


def kroner(amount: str) -> rb.Amount:
    return rb.Amount(Decimal(amount), "DKK")


def terms() -> rb.LeaseTerms:
    return rb.loads(example())


def test_the_example_is_the_terms_of_a_lease() -> None:
    """It reads as the file of a lease, with everything that a lease may have (A57)."""
    lease = terms()

    assert ("rent", "heating", "parking", "keys") == lease.item_ids
    assert kroner("8500") == lease.recurring_bill_items[0].amount


def test_the_example_is_utf_8() -> None:
    assert "Nørregade".encode() in run("example").stdout_bytes


def test_the_opening_amounts_follow_from_the_days() -> None:
    """Each is what the helper makes of 17 of January's 31 days, discount included (A14)."""
    expected = ["4661.29", "520.97", "296.13"]
    items = terms().recurring_bill_items
    opened = [
        rb.first_billing_period(
            item.amount, rb.BillingCycle(), date(2026, 1, 15), discount=item.discount
        ).amount
        for item in items
    ]

    assert list(map(kroner, expected)) == opened
    assert opened == [item.first_billing_period_bill_item.amount for item in items]


def test_the_first_bill_is_for_seventeen_days() -> None:
    bill = rb.pending_bills(terms(), "2026-01-01/2026-01-31")[0]

    assert ["4661.29", "520.97", "296.13", "500.00"] == [
        str(line.net_price.amount) for line in bill.lines
    ]
    assert kroner("5978.39") == bill.subtotal
    assert [kroner("0"), kroner("74.03")] == [each.amount for each in bill.vat_totals]
    assert kroner("6052.42") == bill.total


def test_the_other_bills_lose_the_discount_after_june() -> None:
    result = rb.pending_bills(terms(), "2026-02-01/2026-12-31")

    assert 5 * [kroner("10125")] + 6 * [kroner("10200")] == [bill.total for bill in result]


def test_the_year_adds_up_below_the_tables() -> None:
    printed = billed(example(), "2026").stdout.splitlines()

    assert ["Total", "of", "12", "bills", "DKK", "117,877.42"] == printed[-1].split()


def test_the_example_raises_no_notice() -> None:
    assert not billed(example(), "2026").stderr


class TestWithIndex:
    """`--with-index` and `--index`: a lease whose rent follows an index, and that index."""

    def test_the_lease_is_the_example_four_years_earlier(self) -> None:
        lease = json.loads(example("--with-index"))
        plans = lease.pop("rentAdjustmentPlans")

        assert json.loads(example().replace("2026", "2022")) == lease
        assert ["rent"] == [plan["adjusteeRef"] for plan in plans]

    def test_the_index_is_the_danish_net_price_index(self) -> None:
        series = rb.IndexSeries.from_data(json.loads(example("--index")))

        assert ("NPI", "2015=100", 1) == (series.name, series.base, series.decimals)
        assert "Statistics Denmark" in str(series.source)
        assert {"2021-01": "103.8", "2021-10": "106.7", "2022-10": "117.7", "2023-10": "118.3"} == {
            point: str(series.values[each])
            for each in series.points
            if (point := str(each)) in {"2021-01", "2021-10", "2022-10", "2023-10"}
        }

    def test_the_index_has_no_holes(self) -> None:
        """42 months from January 2021 to June 2024."""
        series = rb.IndexSeries.from_data(json.loads(example("--index")))

        assert ((), 42) == (series.holes, len(series.points))
        assert ["2021-01", "2024-06"] == [str(series.points[at]) for at in (0, -1)]

    def test_the_adjustments_are_those_worked_out_by_hand(self) -> None:
        """4 percent in 2023, 0.5098 percent in 2024, none before."""
        series = rb.IndexSeries.from_data(json.loads(example("--index")))
        lease = rb.loads(example("--with-index"))
        made = rb.rent_adjustments(lease, "2022-01-01/2024-12-31", indices=series)

        assert date(2023, 1, 1) == rb.next_adjustment_date(lease, date(2022, 1, 1))
        assert [kroner("8840"), kroner("8885.06")] == [each.to_period_amount for each in made]

    def test_the_bills_follow_the_index(self, tmp_path: Path) -> None:
        """8,840.00 + 950.00 + 600.00 and 25 % of 600.00: 10,540.00 a month; 126,480.00 in 2023."""
        finished = billed(example("--with-index"), "2023", "--indices", npi(tmp_path))

        assert (0, "") == (finished.exit_code, finished.stderr)
        assert finished.stdout.splitlines()[-1].endswith("Total of 12 bills DKK  126,480.00")

    def test_the_first_year_needs_no_index(self) -> None:
        """Its bills come to 117,877.42 like those of the plain example in 2026 (A42)."""
        finished = billed(example("--with-index"), "2022")

        assert (0, "") == (finished.exit_code, finished.stderr)
        assert "117,877.42" == finished.stdout.split()[-1]
