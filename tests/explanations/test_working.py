"""Workings in full: what a tenant is read, figure by figure, worked out by hand beside each.

Every text is the whole outline, so that a step that is lost, added or told otherwise shows.
"""
# ruff: noqa: E501 - texts as they are read aloud, one step a line

import pickle
from decimal import Decimal
from textwrap import dedent

from rentbilling import (
    BillingPolicy,
    BillingResult,
    Discount,
    DueDateRule,
    LeaseTerms,
    QuantityRecord,
    RecurringBillItem,
    adjusted_terms,
    explain,
    pending_bills,
    rent_adjustments,
)
from rentbilling.explanations import Explanation, Working
from rentbilling.testing import a_bill, a_line
from tests.oracle.workings import replayed
from tests.support.plans import (
    by_index,
    by_steps,
    clause,
    deposit,
    home,
    lease,
    octobers,
    plan,
    step,
)
from tests.support.rents import YEAR, Terms, day, fee, price_from, quarterly, rent, vat

NET_PRICES = octobers("103.4", "106.9", "108.3")
"""106.9 over 103.4 is 1.033849…, a rise of 3.3849… %."""
TWO_YEARS = "2020-02-01/2021-12-31"
ON_TOP, INSIDE = vat("Exclusive", "0.25"), vat("Inclusive", "0.25")


def billed(items: Terms, days: str = YEAR, **policy: object) -> BillingResult:
    return pending_bills(items, days, policy=BillingPolicy(**policy))  # type: ignore[arg-type]


def outline(text: str) -> str:
    return dedent(text).strip()


def reduced() -> RecurringBillItem:
    """Return a quarterly 7,812.50 with ten percent off, which ends inside a quarter."""
    off = Discount(percentage=Decimal("0.10"), end_date=day("2026-06-30"), description="Rabat")
    return quarterly("7812.50", discount=off, vat=ON_TOP, ended_on=day("2026-05-17"))


class TestLines:
    """Why a line says what it says."""

    def test_the_opening_line_is_taken_as_given(self) -> None:
        """The opening amount is agreed, and nothing is reckoned (A12)."""
        found = explain(billed(rent()), bill="2026-01-15", line=0)
        expected = outline(
            """
            line 1: 4,661.29 DKK; key:rent, opening period [A21]
              net price: 4,661.29 DKK; agreed for the opening period [A12]
              accounting period: 2026-01-15/2026-01-31; the opening period [A12]
              due date: 2026-01-15; agreed for the opening period [A12]
              vat: Exempt [A27]
            """
        )

        assert expected == str(found)

    def test_a_part_of_a_split_is_the_difference_of_two_running_totals(self) -> None:
        """A quarter at 300 that becomes 600 after a month: 300 × 1/3 = 100, 600 × 2/3 = 400 (A21)."""
        found = explain(
            billed(quarterly("300.00", amount_records=(price_from("2026-02-01", "600.00"),))),
            bill=0,
            line=1,
        )
        expected = outline(
            """
            line 2: 400.00 DKK; key:rent, part of a period [A21]
              net price: 400.00 DKK = 500.00 − 100.00 [A21]
                running total: 500.00 DKK = 100 + 400 [A21]
                  exact part 2026-01-01/2026-01-31: 100 = 300.00 × (1/3) [A21]
                    unit price: 300.00 DKK, in force on 2026-01-01, until 2026-01-31; the item's own amount [A18]
                    share of the period: 1/3 = 1 / 3 [A20]
                      months of the part: 1 = months from 2026-01-01 to 2026-01-31 [A20]
                      months of all parts: 3 = months from 2026-01-01 to 2026-03-31 [A20]
                  exact part 2026-02-01/2026-03-31: 400 = 600.00 × (2/3) [A21]
                    unit price: 600.00 DKK, in force on 2026-02-01, since 2026-02-01; an amount record [A18]
                    share of the period: 2/3 = 2 / 3 [A20]
                      months of the part: 2 = months from 2026-02-01 to 2026-03-31 [A20]
                      months of all parts: 3 = months from 2026-01-01 to 2026-03-31 [A20]
                running total before: 100.00 DKK = 300.00 × (1/3) [A21]
                  unit price: 300.00 DKK, in force on 2026-01-01, until 2026-01-31; the item's own amount [A18]
                  share of the period: 1/3, as above [A20]
              accounting period: 2026-02-01/2026-03-31 = 2026-01-01/2026-03-31, from 2026-02-01 [A19]
                regular period: 2026-01-01/2026-03-31 = 3 months from 2026-01-01 [A8]
                  first start of the cycle: 2026-01-01 = the first beginning of January, April, July or October after 2025-12-31 [A8]
                    opening period's last day: 2025-12-31 [A12]
                day of the change: 2026-02-01 [A19]
              due date: 2026-01-01; the first day of the period [A10]
              vat: Exempt [A27]
            """
        )

        assert expected == str(found)

    def test_the_unit_price_is_found_for_the_line(self) -> None:
        """100 × 8.50 × 17/31 = 466.129…; 4.66, 4.661 give 466.00 and 466.10 (A21)."""
        found = explain(
            billed(rent("8.50", quantity=Decimal(100), ended_on=day("2026-05-17"))),
            bill="2026-05-01",
            line=0,
        ).find("unit price as printed")
        expected = outline(
            """
            unit price as printed: 4.6613 DKK = the fewest decimals that give 466.13 for a quantity of 100 [A21]
              net price: 466.13 DKK = 466.1290… rounded half up to 0.01 [A21]
                exact part 2026-05-01/2026-05-17: 466.1290… = 100 × 8.50 × (17/31) [A21]
                  quantity: 100 [A21]
                  unit price: 8.50 DKK; the item's own amount [A18]
                  share of the period: 17/31 = 17 / 31 [A20]
                    days: 17 = days from 2026-05-01 to 2026-05-17 [A20]
                    days of the month: 31 = days from 2026-05-01 to 2026-05-31 [A20]
              quantity: 100 [A21]
              exact unit price: 289/62 = 8.50 × (17/31) [A21]
                unit price: 8.50 DKK; the item's own amount [A18]
                share of the period: 17/31, as above [A20]
            """
        )

        assert expected == str(found)

    def test_a_due_date_moves_back_from_a_saturday(self) -> None:
        """The day before 1 March 2026 is Saturday 28 February (A10, A11)."""
        found = explain(
            billed(rent(due_date_rule=DueDateRule(day_of_period=-1)), business_day="preceding"),
            bill="2026-02-27",
            line=0,
        ).find("due date")
        expected = outline(
            """
            due date: 2026-02-27 = 2026-02-28 moved over Saturday 2026-02-28 [A11]
              due date: 2026-02-28 = 1 day before 2026-03-01 [A10]
                period's first day: 2026-03-01 [A8]
                day of the period: -1; counted from its start [A10]
            """
        )

        assert expected == str(found)

    def test_in_arrears_days_count_from_the_end(self) -> None:
        """The 31st day after February 2026 is 31 March (A51)."""
        found = explain(
            billed(rent(due_date_rule=DueDateRule(day_of_period=31, relative_to="end"))),
            bill="2026-03-31",
            line=0,
        ).find("due date")
        expected = outline(
            """
            due date: 2026-03-31 = 31 days after 2026-02-28 [A51]
              period's last day: 2026-02-28 [A8]
              day of the period: 31; counted from its end [A51]
            """
        )

        assert expected == str(found)

    def test_a_net_inside_a_gross_is_corrected_by_one_oere(self) -> None:
        """Three times 0.11: VAT 0.066 → 0.07, net 0.26; each first net is 0.088 → 0.09, together 0.27 (A29)."""
        found = explain(billed([fee("0.11", vat=INSIDE) for _ in range(3)]), bill=0, line=0).find(
            "net price"
        )
        expected = outline(
            """
            net price: 0.08 DKK = 0.09 − 0.01 [A29]
              first net: 0.09 DKK = 0.088 rounded half up to 0.01 [A29]
                exact net: 0.088 = 0.11 / 1.25 [A29]
                  gross price: 0.11 DKK; stated by the one-time item [A55]
                  one and the rate: 125 % = 1 + 25 % [A29]
                    tax rate: 25 % [A28]
              correction: -0.01 DKK = 1 minor unit too much, taken where rounding erred most; this is line 1 [A29]
                missing: -0.01 DKK = 0.26 − 0.27 [A29]
                  net of the rate: 0.26 DKK = 0.33 − 0.07 [A29]
                    gross of the rate: 0.33 DKK = 0.11 + 0.11 + 0.11 [A29]
                      gross price: 0.11 DKK; stated by the one-time item [A55]
                      gross price: 0.11 DKK; stated by the one-time item [A55]
                      gross price: 0.11 DKK; stated by the one-time item [A55]
                    VAT of the rate: 0.07 DKK = 0.066 rounded half up to 0.01 [A29]
                      exact VAT: 0.066 = VAT of 25 % inside 0.33 [A29]
                        gross of the rate: 0.33 DKK, as above [A29]
                        tax rate: 25 % [A28]
                  sum of the first nets: 0.27 DKK = 0.09 + 0.09 + 0.09 [A29]
                    first net: 0.09 DKK, as above [A29]
                    first net: 0.09 DKK, as above [A29]
                    first net: 0.09 DKK, as above [A29]
            """
        )

        assert expected == str(found)


class TestBills:
    """Why a bill says what it says."""

    def test_a_quarter_with_a_discount_and_a_share(self) -> None:
        """7,812.50 × 0.9 = 7,031.25; April and 17 of 31 days of May are 48/31 months, 16/31 of the quarter; 7,031.25 × 16/31 = 3,629.032…; a quarter of 3,629.03 is 907.2575."""
        found = explain(billed(reduced()), bill="2026-04-01")
        expected = outline(
            """
            total: 4,536.29 DKK = 3,629.03 + 907.26 [EN 16931 BR-CO-15]
              subtotal: 3,629.03 DKK [EN 16931 BR-CO-10]
                line 1: 3,629.03 DKK; key:rent, part of a period [A21]
                  net price: 3,629.03 DKK = 3,629.0322… rounded half up to 0.01 [A21]
                    exact part 2026-04-01/2026-05-17: 3,629.0322… = 7,031.25 × (16/31) [A21]
                      price after discount: 7,031.25 = 7,812.50 × 0.9 [A22]
                        unit price: 7,812.50 DKK; the item's own amount [A18]
                        what is left: 0.9 = 1 − 10 % [A22]
                          discount percentage: 10 %; Rabat, to 2026-06-30 included [A22]
                      share of the period: 16/31 = (48/31) / 3 [A20]
                        months billed: 48/31 = 1 + (17/31) [A20]
                          whole months: 1 = months from 2026-04-01 to 2026-04-30 [A20]
                          part of a month: 17/31 = 17 / 31 [A20]
                            days: 17 = days from 2026-05-01 to 2026-05-17 [A20]
                            days of the month: 31 = days from 2026-05-01 to 2026-05-31 [A20]
                        months of the cycle: 3 [A20]
                  accounting period: 2026-04-01/2026-05-17 = 2026-04-01/2026-06-30, until 2026-05-17 [A17]
                    regular period: 2026-04-01/2026-06-30 = 3 months, 1 period after the one from 2026-01-01 [A8]
                      first start of the cycle: 2026-01-01 = the first beginning of January, April, July or October after 2025-12-31 [A8]
                        opening period's last day: 2025-12-31 [A12]
                    last day paid for: 2026-05-17; the item ends [A17]
                  due date: 2026-04-01; the first day of the period [A10]
                  vat: Exclusive, 25 % [A27]
              VAT Exclusive 25 %: 907.26 DKK = 907.2575 rounded half up to 0.01 [EN 16931 BR-CO-17]
                exact VAT: 907.2575 = 3,629.03 × 25 % [EN 16931 BR-CO-17]
                  net of the rate: 3,629.03 DKK [A30]
                    net price: 3,629.03 DKK, as above [A21]
                  tax rate: 25 % [A28]
            """
        )

        assert expected == str(found)

    def test_vat_may_be_rounded_per_line(self) -> None:
        """3.33 × 25 % = 0.8325, three times 0.83 (A29)."""
        found = explain(
            billed([fee("3.33", vat=ON_TOP) for _ in range(3)], vat_rounding="per_line"),
            bill=0,
            vat=0,
        )
        expected = outline(
            """
            VAT Exclusive 25 %: 2.49 DKK = 0.83 + 0.83 + 0.83 [A29]
              VAT of line 1: 0.83 DKK = 0.8325 rounded half up to 0.01 [A29]
                exact VAT: 0.8325 = 3.33 × 25 % [A29]
                  net price: 3.33 DKK; stated by the one-time item [A55]
                  tax rate: 25 % [A28]
              VAT of line 2: 0.83 DKK = 0.8325 rounded half up to 0.01 [A29]
                exact VAT: 0.8325, as above [A29]
              VAT of line 3: 0.83 DKK = 0.8325 rounded half up to 0.01 [A29]
                exact VAT: 0.8325, as above [A29]
            """
        )

        assert expected == str(found)

    def test_cash_is_rounded_to_half_a_krone(self) -> None:
        """100.30 lies nearer to 100.50 than to 100.00 (A52)."""
        found = explain(billed(fee("100.30"), cash_rounding={"DKK": Decimal("0.50")}), bill=0)
        expected = outline(
            """
            payable: 100.50 DKK = 100.30 + 0.20 [EN 16931 BR-CO-16]
              total: 100.30 DKK = 100.30 + 0.00 [EN 16931 BR-CO-15]
                subtotal: 100.30 DKK [EN 16931 BR-CO-10]
                  line 1: 100.30 DKK; key:fee, billed once [A21]
                    net price: 100.30 DKK; stated by the one-time item [A55]
                    accounting period: 2026-02-01/2026-02-01; stated by the item [A55]
                    due date: 2026-02-01; stated by the item [A55]
                    vat: Exempt [A27]
                VAT Exempt: 0.00 DKK; no VAT is charged [A30]
              cash rounding: 0.20 DKK = 100.50 − 100.30 [A52]
                payable step: 100.50 DKK = 100.30 rounded half up to 0.50 [A52]
                  total: 100.30 DKK, as above [EN 16931 BR-CO-15]
                total: 100.30 DKK, as above [EN 16931 BR-CO-15]
            """
        )

        assert expected == str(found)

    def test_a_bill_that_was_sent_is_told_as_it_stands(self) -> None:
        found = explain(pickle.loads(pickle.dumps(billed(fee("80.00", vat=ON_TOP)))))
        expected = outline(
            """
            total: 100.00 DKK = 80.00 + 20.00 [EN 16931 BR-CO-15]
              subtotal: 80.00 DKK [EN 16931 BR-CO-10]
                line 1: 80.00 DKK; key:fee, billed once [A21]
                  net price: 80.00 DKK; as the bill states it: the terms behind it are not known [A21]
                  accounting period: 2026-02-01/2026-02-01 [A4]
                  due date: 2026-02-01 [A16]
                  vat: Exclusive, 25 % [A27]
              VAT Exclusive 25 %: 20.00 DKK = 80.00 × 25 % [EN 16931 BR-CO-17]
                net of the rate: 80.00 DKK [A30]
                  net price: 80.00 DKK; as the bill states it: the terms behind it are not known [A21]
                tax rate: 25 % [A28]
            """
        )

        assert expected == str(found)

    def test_an_instalment_of_a_deposit(self) -> None:
        """3 × 10,338.49 = 31,015.47, a change of 1,015.47 in three months (A39)."""
        found = explain(
            pending_bills(
                lease(
                    plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True),
                    balances=(deposit(months="3"),),
                ),
                "2021-01-01/2021-03-31",
                indices=NET_PRICES,
                policy=BillingPolicy(balance_change="instalments"),
            ),
            bill="2021-02-01",
            line=1,
        )
        expected = outline(
            """
            line 2: 338.49 DKK; deposit, change of a balance [A21]
              net price: 338.49 DKK = 676.98 − 338.49 [A21]
                running total: 676.98 DKK = 1,015.47 × (2/3) [A39]
                  change of the balance: 1,015.47 DKK = 31,015.47 − 30,000.00 [A39]
                    new balance: 31,015.47 DKK = 3 × 10,338.49 [A39]
                      months of rent: 3 [A39]
                      new amount: 10,338.49 DKK = 10,338.4912… rounded half up to 0.01 [A38]
                        exact amount: 10,338.4912… = 10,000.00 × 1.0338491295… [A34]
                          amount before: 10,000.00 DKK; in force before 2021-01-01: the item's own amount, since 2020-01-01 [A18]
                          factor: 1.0338491295… = 1 + 3.3849… % [A34]
                            raw percentage: 3.3849… % = 1.0338491295… − 1 [A34]
                              ratio of the index: 1.0338491295… = 106.9 / 103.4 [A34]
                                NPI of 2020-10: 106.9; base 2015=100 [A33]
                                NPI of 2019-10: 103.4; base 2015=100 [A33]
                    balance before: 30,000.00 DKK; as it was agreed [A39]
                running total: 338.49 DKK = 1,015.47 × (1/3) [A39]
                  change of the balance: 1,015.47 DKK, as above [A39]
              accounting period: 2021-02-01/2021-02-28 = 1 month, 1 period after the one from 2021-01-01 [A39]
                month of the adjustment: 2021-01-01 [A39]
              due date: 2021-02-01; the first day of the month of the instalment [A39]
              vat: Exempt; stated by the plan [A27]
            """
        )

        assert expected == str(found)

    def test_a_line_tells_the_adjustment_behind_its_price(self) -> None:
        """10,000 × 1.03 = 10,300 for 100 units: 103 each (A38, A42)."""
        found = explain(
            pending_bills(
                lease(by_index(most="0.03"), item=home("100.00", quantity=Decimal(100))),
                "2021-02-01/2021-02-28",
                indices=NET_PRICES,
            ),
            bill=0,
            line=0,
        ).find("net price")
        expected = outline(
            """
            net price: 10,300.00 DKK = 100 × 103.00 [A21]
              quantity: 100 [A21]
              unit price: 103.00 DKK, in force on 2021-02-01, since 2021-01-01 [A18]
                unit price: 103.00 DKK = 10,300.00 / 100 [A38]
                  new amount: 10,300.00 DKK = 10,000 × 1.03 [A34]
                    amount before: 10,000 = 100 × 100.00 [A38]
                      quantity: 100; on the day of the adjustment [A38]
                      unit price before: 100.00 DKK; in force before 2021-01-01: the item's own amount, since 2020-01-01 [A18]
                    factor: 1.03 = 1 + 3 % [A34]
                      limited percentage: 3 % = 3.3849… %, at most 3 % [A35]
                        raw percentage: 3.3849… % = 1.0338491295… − 1 [A34]
                          ratio of the index: 1.0338491295… = 106.9 / 103.4 [A34]
                            NPI of 2020-10: 106.9; base 2015=100 [A33]
                            NPI of 2019-10: 103.4; base 2015=100 [A33]
                        maximum percentage: 3 % [A35]
                  quantity: 100; on the day of the adjustment [A38]
            """
        )

        assert expected == str(found)


class TestAdjustments:
    """Why a rent became what it is."""

    def test_a_danish_net_price_index_within_limits(self) -> None:
        """3.3849… % is held at 3 %: 10,300 a month, 123,600 a year (A35, A38)."""
        found = explain(
            rent_adjustments(
                lease(by_index(least="0", most="0.03")), TWO_YEARS, indices=NET_PRICES
            ),
            adjustment="2021-01-01",
        )
        expected = outline(
            """
            adjustment of 2021-01-01: 10,300.00 DKK; by plan-1 on recurring-1 [A32]
              new amount: 10,300.00 DKK = 10,000.00 × 1.03 [A34]
                amount before: 10,000.00 DKK; in force before 2021-01-01: the item's own amount, since 2020-01-01 [A18]
                factor: 1.03 = 1 + 3 % [A34]
                  limited percentage: 3 % = 3.3849… %, at least 0 %, at most 3 % [A35]
                    raw percentage: 3.3849… % = 1.0338491295… − 1 [A34]
                      ratio of the index: 1.0338491295… = 106.9 / 103.4 [A34]
                        NPI of 2020-10: 106.9; base 2015=100 [A33]
                        NPI of 2019-10: 103.4; base 2015=100 [A33]
                    minimum percentage: 0 % [A35]
                    maximum percentage: 3 % [A35]
              old amount of a period: 10,000.00 DKK; in force before 2021-01-01 [A38]
              change of a period: 300.00 DKK = 10,300.00 − 10,000.00 [A38]
                new amount: 10,300.00 DKK, as above [A38]
                old amount of a period: 10,000.00 DKK; in force before 2021-01-01 [A38]
              new amount of a year: 123,600.00 DKK = 10,300.00 × 12 [A38]
                new amount: 10,300.00 DKK, as above [A38]
                periods of a year: 12 [A38]
              old amount of a year: 120,000.00 DKK = 10,000.00 × 12 [A38]
                old amount of a period: 10,000.00 DKK; in force before 2021-01-01 [A38]
                periods of a year: 12 [A38]
              change of a year: 3,600.00 DKK = 123,600.00 − 120,000.00 [A38]
                new amount of a year: 123,600.00 DKK, as above [A38]
                old amount of a year: 120,000.00 DKK, as above [A38]
            """
        )

        assert expected == str(found)

    def test_an_increment_of_a_year_is_spread_over_its_periods(self) -> None:
        """1,000 / 12 = 83.33… on 5,000 (A36, A38)."""
        found = explain(
            rent_adjustments(
                lease(by_steps(step(2021, "1000.00")), item=home("5000.00")), TWO_YEARS
            ),
            adjustment=0,
        ).find("new amount")
        expected = outline(
            """
            new amount: 5,083.33 DKK = 5,083.3333… rounded half up to 0.01 [A38]
              exact amount: 5,083.3333… = 5,000.00 + (250/3) [A36]
                amount before: 5,000.00 DKK; in force before 2021-01-01: the item's own amount, since 2020-01-01 [A18]
                increment of a billing period: 250/3 = 1,000.00 / 12 [A36]
                  increment: 1,000.00 DKK; of 2021, for a year [A36]
                  periods of a year: 12 [A38]
            """
        )

        assert expected == str(found)

    def test_of_two_rules_the_lower_one_counts(self) -> None:
        """2 % of 10,000 against 3.3849… % (A37)."""
        found = explain(
            rent_adjustments(
                lease(
                    plan(
                        by_index(),
                        by_steps(step(2021, "2 %"), index_clause=clause(combine="lower_of")),
                    )
                ),
                TWO_YEARS,
                indices=NET_PRICES,
            ),
            adjustment=0,
        ).find("amount after rule-2")
        expected = outline(
            """
            amount after rule-2: 10,200.00 DKK [A37]
              lower amount: 10,200.00 DKK = the smaller of 10,338.49 and 10,200.00; the lower of what the rules lead to [A37]
                amount after rule-1: 10,338.49 DKK [A37]
                  new amount: 10,338.49 DKK = 10,338.4912… rounded half up to 0.01 [A38]
                    exact amount: 10,338.4912… = 10,000.00 × 1.0338491295… [A34]
                      amount before: 10,000.00 DKK; in force before 2021-01-01: the item's own amount, since 2020-01-01 [A18]
                      factor: 1.0338491295… = 1 + 3.3849… % [A34]
                        raw percentage: 3.3849… % = 1.0338491295… − 1 [A34]
                          ratio of the index: 1.0338491295… = 106.9 / 103.4 [A34]
                            NPI of 2020-10: 106.9; base 2015=100 [A33]
                            NPI of 2019-10: 103.4; base 2015=100 [A33]
                new amount: 10,200.00 DKK = 10,000.00 × 1.02 [A34]
                  amount before all rules: 10,000.00 DKK; of the day [A37]
                  factor: 1.02 = 1 + 2 % [A34]
                    increment percentage: 2 %; the increment of 2021 [A36]
            """
        )

        assert expected == str(found)

    def test_every_step_of_a_clause(self) -> None:
        """3.3849… % → 3.4 %; × 0.75 = 2.55 %; + 1 % = 3.55 %; 10,355 × 12 = 124,260, a multiple of 10 (A40)."""
        found = explain(
            rent_adjustments(
                lease(
                    by_index(
                        index_clause=clause(
                            percentage_decimals=1,
                            share="0.75",
                            surcharge="0.01",
                            amount_quantum="10",
                            amount_per="year",
                        )
                    )
                ),
                TWO_YEARS,
                indices=NET_PRICES,
            ),
            adjustment=0,
        ).find("new amount")
        expected = outline(
            """
            new amount: 10,355.00 DKK = 124,260 / 12 [A40]
              amount in steps: 124,260 = 10,355 × 12 [A40]
                exact amount: 10,355 = 10,000.00 × 1.0355 [A34]
                  amount before: 10,000.00 DKK; in force before 2021-01-01: the item's own amount, since 2020-01-01 [A18]
                  factor: 1.0355 = 1 + 3.55 % [A34]
                    raised percentage: 3.55 % = 2.55 % + 1 % [A40]
                      shared percentage: 2.55 % = 3.4 % × 0.75 [A40]
                        rounded percentage: 3.4 % = 3.3849… % rounded half up to 0.1 % [A40]
                          raw percentage: 3.3849… % = 1.0338491295… − 1 [A34]
                            ratio of the index: 1.0338491295… = 106.9 / 103.4 [A34]
                              NPI of 2020-10: 106.9; base 2015=100 [A33]
                              NPI of 2019-10: 103.4; base 2015=100 [A33]
                        share: 0.75; of the change that is passed on [A40]
                      surcharge percentage: 1 % [A40]
                periods in a year: 12 [A38]
              periods in a year: 12 [A38]
            """
        )

        assert expected == str(found)

    def test_what_is_listed_is_taken_as_listed(self) -> None:
        """The rules lead to the same, and are told beside it (A38)."""
        found = explain(
            rent_adjustments(
                adjusted_terms(
                    lease(by_index()),
                    rent_adjustments(lease(by_index()), TWO_YEARS, indices=NET_PRICES),
                ),
                TWO_YEARS,
                indices=NET_PRICES,
            )
        )
        expected = outline(
            """
            adjustment of 2021-01-01: 10,338.49 DKK; taken as listed by the service that made it [A38]
              to period amount: 10,338.49 DKK [A38]
              to yearly amount: 124,061.88 DKK [A38]
              from yearly amount: 120,000.00 DKK [A38]
              yearly amount change: 4,061.88 DKK [A38]
              from period amount: 10,000.00 DKK [A38]
              period amount change: 338.49 DKK [A38]
              new amount: 10,338.49 DKK = 10,338.4912… rounded half up to 0.01 [A38]
                exact amount: 10,338.4912… = 10,000.00 × 1.0338491295… [A34]
                  amount before: 10,000.00 DKK; in force before 2021-01-01: the item's own amount, since 2020-01-01 [A18]
                  factor: 1.0338491295… = 1 + 3.3849… % [A34]
                    raw percentage: 3.3849… % = 1.0338491295… − 1 [A34]
                      ratio of the index: 1.0338491295… = 106.9 / 103.4 [A34]
                        NPI of 2020-10: 106.9; base 2015=100 [A33]
                        NPI of 2019-10: 103.4; base 2015=100 [A33]
            """
        )

        assert expected == str(found)


def test_a_line_break_in_a_text_begins_no_line() -> None:
    bill = a_bill(a_line(product_key="key:rent\ntotal: 1.00 DKK"))
    lines = str(explain(bill)).splitlines()

    assert not [line for line in lines if line.startswith("total: 1.00")]
    assert [line for line in lines if "key:rent total: 1.00 DKK" in line]


class TestBackToTheAgreement:
    """An adjusted amount leads back to what was agreed, a line for each adjustment before."""

    def test_two_earlier_adjustments_are_a_line_each(self) -> None:
        """10,000 × 1.1 = 11,000, × 1.1 = 12,100, × 1.1 = 13,310 (A34, A38)."""
        tenths = octobers(100, 110, 121, "133.1")
        made = rent_adjustments(lease(by_index()), "2020-02-01/2023-12-31", indices=tenths)
        found = explain(made, adjustment="2023-01-01").find("new amount")
        expected = outline(
            """
            new amount: 13,310.00 DKK = 12,100.00 × 1.1 [A34]
              amount before: 12,100.00 DKK = what was agreed and 2 adjustments since; in force before 2023-01-01 [A38]
                agreed amount: 10,000.00 DKK; the item's own amount, since 2020-01-01 [A18]
                adjustment of 2021-01-01: 1,000.00 DKK = 11,000.00 − 10,000.00; NPI 100 (2019-10) → 110 (2020-10) [A38]
                adjustment of 2022-01-01: 1,100.00 DKK = 12,100.00 − 11,000.00; NPI 110 (2020-10) → 121 (2021-10) [A38]
              factor: 1.1 = 1 + 10 % [A34]
                raw percentage: 10 % = 1.1 − 1 [A34]
                  ratio of the index: 1.1 = 133.1 / 121 [A34]
                    NPI of 2022-10: 133.1; base 2015=100 [A33]
                    NPI of 2021-10: 121; base 2015=100 [A33]
            """
        )

        assert expected == str(found)
        assert Decimal(13310) == replayed(found).amount

    def test_an_amount_record_is_where_it_begins_anew(self) -> None:
        """12,000 agreed from July 2021 on: what came before decides nothing any more (A18)."""
        item = home("10000.00", amount_records=(price_from("2021-07-01", "12000.00"),))
        tenths = octobers(100, 110, 121, "133.1")
        made = rent_adjustments(
            lease(by_index(), item=item), "2020-02-01/2023-12-31", indices=tenths
        )
        told = str(explain(made, adjustment="2023-01-01").find("amount before"))
        expected = outline(
            """
            amount before: 13,200.00 DKK = what was agreed and 1 adjustment since; in force before 2023-01-01 [A38]
              agreed amount: 12,000.00 DKK; an amount record, since 2021-07-01 [A18]
              adjustment of 2022-01-01: 1,200.00 DKK = 13,200.00 − 12,000.00; NPI 110 (2020-10) → 121 (2021-10) [A38]
            """
        )

        assert expected == told

    def test_with_another_quantity_the_price_of_a_unit_is_told(self) -> None:
        """100 units at 100.00 became 110.00 in 2021; 50 of them in 2022 are 5,500 (A38)."""
        fewer = QuantityRecord(value=Decimal(50), start=day("2021-07-01"))
        item = home("100.00", quantity=Decimal(100), quantity_records=(fewer,))
        tenths = octobers(100, 110, 121)
        made = rent_adjustments(
            lease(by_index(), item=item), "2020-02-01/2022-12-31", indices=tenths
        )
        told = str(explain(made, adjustment="2022-01-01").find("amount before"))
        expected = outline(
            """
            amount before: 5,500 = 50 × 110.00 [A38]
              quantity: 50; on the day of the adjustment [A38]
              unit price before: 110.00 DKK = what was agreed and 1 adjustment since; in force before 2022-01-01 [A38]
                agreed amount: 100.00 DKK; the item's own amount, since 2020-01-01 [A18]
                adjustment of 2021-01-01: 10.00 DKK = 110.00 − 100.00; NPI 100 (2019-10) → 110 (2020-10) [A38]
            """
        )

        assert expected == told

    def test_forty_years_are_forty_lines(self) -> None:
        series = octobers(*range(100, 142))
        asked = "2060-03-01/2060-03-31"
        found = explain(pending_bills(lease(by_index()), asked, indices=series), bill=0, line=0)

        assert 39 == str(found).count("adjustment of ")

    def test_a_carried_amount_is_told_beside_the_billed_one(self) -> None:
        """What was rounded for the bill is carried on exactly (A40)."""
        kept = clause(carried="exact")
        thirds = octobers(300, 301, 302, 303)
        made = rent_adjustments(
            lease(by_index(index_clause=kept)), "2020-02-01/2022-12-31", indices=thirds
        )
        told = str(explain(made, adjustment="2022-01-01").find("amount before"))

        # 10,000 × 301 / 300 = 10,033.3333…, billed as 10,033.33.
        assert told.startswith(
            "amount before: 10,033.3333…; the exact amount that is carried on before 2022-01-01"
        )
        assert "amount before: 10,033.33 DKK = what was agreed and 1 adjustment since" in told

    def test_the_end_of_the_contract_is_told_from_that_of_the_item(self) -> None:
        """A rent that ends with the contract on 20 February (A17)."""
        terms = LeaseTerms(recurring_bill_items=(rent(),), contract_end=day("2026-02-20"))
        found = explain(pending_bills(terms, YEAR), bill="2026-02-01", line=0)

        assert "last day paid for: 2026-02-20; the contract ends [A17]" in str(found)


def test_a_notebook_keeps_the_lines_of_an_outline() -> None:
    step = Working("a & b", "stated", (), 5, "A30")

    assert "<pre" in step._repr_html_()
    assert "a &amp; b: 5 [A30]" in step._repr_html_()
    assert "a &amp; b: 5 [A30]" in Explanation([step])._repr_html_()
