"""Rule steps: what one rule makes of an amount, and what it remembers (A34-A36, A40)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import rentbilling as rb
from rentbilling.adjustments import AmountScale, CompiledRule, Step
from rentbilling.adjustments.plan import PlanRun
from rentbilling.adjustments.rules.percentages import Elapsed, Percentage
from rentbilling.adjustments.rules.rule_state import NEW, RuleState
from rentbilling.errors import InvalidAdjustmentRuleError
from tests.support.plans import (
    FEW,
    IN_2021,
    TENTHS,
    TO_2021,
    TO_2022,
    TO_2023,
    Row,
    amounts,
    by_index,
    by_steps,
    clause,
    codes,
    effect_of,
    facts_of,
    home,
    lease,
    made,
    octobers,
    outcome,
    plan,
    ruled,
    series,
    step,
    worth,
)
from tests.support.refusals import faults, refused
from tests.support.rents import amount, day, price_from
from tests.support.rows import rows

JANUARY_2021 = 2021 * 12

CHANGE = {"amount_quantum": "10", "amount_rounded": "change"}


def october(year: int) -> rb.IndexPoint:
    return rb.IndexPoint.parse(f"{year}-10")


def one_step(
    rule: rb.RentAdjustmentRule, state: RuleState = NEW, price: str = "10000", year: int = 2021
) -> Step:
    """Return what a rule makes of a monthly rent in a January, by an index of tenths."""
    scale = AmountScale("DKK", 2, "half_up", Fraction(12))
    compiled = CompiledRule(rule, "rule-1", {"NPI": TENTHS}, scale)
    exact = Fraction(price)
    run = PlanRun(exact, exact, Elapsed(), [state])
    made_of_it = compiled.by_index((year - 2021) * 12 + JANUARY_2021, run.inputs_of(0))
    assert isinstance(made_of_it, Step)
    return made_of_it


# fmt: off
AMOUNTS: list[Row] = [
    # The amount in force times the new index over the one compared with (A33, A34).
    # A rent follows its index. 10,000 × 111.6 / 104.8 = 10,648.854…, as a Danish tenants'
    # association prints it.
    ("2022-07-01 10648.85", by_index(adjustment_month=7, index_month=4, first_year="2022"),
     series({"2021-04": "104.8", "2022-04": "111.6"}), TO_2022),
    # Each adjustment goes on from the one before. 10,000 × 104/100 = 10,400, and 10,400 × 102/104 =
    # 10,200: a falling index lowers.
    ("2021-01-01 10400.00, 2022-01-01 10200.00", by_index(), (100, 104, 102)),

    # The percentage lies between the rule's minimum and maximum (A35).
    # What a maximum cuts off is lost. Ten percent are held at four: 10,400; two percent later count
    # in full: 10,608.
    ("10400.00 10608.00", by_index(most="0.04"), (100, 110, "112.2")),
    # A minimum of zero is never down. 10,400 stays although the index falls, then 10,400 × 105/102
    # = 10,705.882….
    ("10400.00 10400.00 10705.88", by_index(least="0"), (100, 104, 102, 105)),
    # An anchored rule goes on from where a limit cut it. 10,400 and October 2020 are the new base:
    # 10,400 × 121/110 × … held at 4 percent again. With 110 in 2020 and 111.1 in 2021: 10,400 ×
    # 111.1/110 = 10,504, and not 11,110 less a cap.
    ("10400.00 10504.00", by_index(most="0.04", basis="anchored"), (100, 110, "111.1")),
    # An anchored rule that carries catches up. It knows 11,110 from its base, of which 4 percent on
    # 10,400 are 10,816, then 11,110.
    ("10400.00 10816.00 11110.00", by_index(most="0.04", basis="anchored", after_limit="carry"),
     (100, 110, "111.1", "111.1")),
    # An exact own amount is carried exactly. 100.00 × 101/99 × 102/101 = 103.0303…, with 102.0202…
    # kept behind a cap of 1 percent. The capped rents are 101.00 and 102.01; the third is 100 ×
    # 103/99 = 104.0404…, held at 102.01 × 1.01 = 103.0301, so 103.03.
    ("100.00 > 101.00 102.01 103.03 104.04",
     by_index(most="0.01", after_limit="carry", carried="exact"), (99, 101, 102, 103, 103)),
    # A limit for a year grows with the time. Five-yearly, at most 2 percent a year compounded:
    # 1.02^5 = 1.1040808032. The rent was set in January 2020, 60 months before January 2025:
    # 11,040.81.
    ("11040.81",
     by_index(most="0.02", first_year="2025", limit_per="year_compound", interval_years=5),
     series({"2019-10": 100, "2024-10": 150}), "2020-02-01/2025-12-31"),
    # A limit for a year counts from the last adjustment. Two years at 2 percent simple are 4:
    # 10,400, and 10,816 two years later. The first, in January 2021, is one year after January
    # 2020: 2 percent, 10,200.
    ("10200.00 10608.00 11032.32", by_index(most="0.02", limit_per="year_simple", interval_years=2),
     series({"2018-10": 100, "2020-10": 150, "2022-10": 300, "2024-10": 900}),
     "2020-02-01/2025-12-31"),
    # Nothing limits an amount of nothing. A rent of 0 stays 0 by any percentage, also where the
    # base of the rule is another.
    ("0.00 > 110.00", by_index(most="0.04", basis="anchored", base_amount="100 DKK"), TENTHS),

    # What is added year by year: an amount, a percentage or a level (A36).
    # An amount may be for a billing period. The policy says so: 1,000 more each month.
    ("5000.00 > 6000.00", by_steps(step(2021, "1000")), None, FEW,
     rb.BillingPolicy(increment_amount="per_period")),
    # Recurring is made again every year. Two percent from 2021, three from 2023, until the rule's
    # last year. 10,200; 10,404; × 1.03 = 10,716.12; × 1.03 = 11,037.6036, so 11,037.60.
    ("2021-01-01 10200.00, 2022-01-01 10404.00, 2023-01-01 10716.12, 2024-01-01 11037.60",
     by_steps(step(2021, "2 %", recurs=True), step(2023, "3 %", recurs=True), last_year="2024")),
    # A one time takes the place of a recurring. In its one year, then it resumes: +1,000, +3,000,
    # +1,000 a month.
    ("11000.00 14000.00 15000.00",
     by_steps(step(2021, "12000", recurs=True), step(2022, "36000"), last_year="2023")),
    # A recurring of an earlier year acts from the first adjustment. Since 2015, and the lease
    # begins in 2020.
    ("2021-01-01 10100.00", by_steps(step(2015, "1 %", recurs=True), last_year="2021")),
    # A level is what the line costs. 144,000 a year are 12,000 a month, whatever it was before.
    ("10200.00 12000.00", by_steps(step(2021, "2 %"), step(2022, "144000", level=True))),
    # A level may be for a billing period. The Berlin Staffel of 600: 630, then 670 a month.
    ("600.00 > 630.00 670.00",
     by_steps(step(2021, "630", level=True), step(2022, "670", level=True)), None, None,
     rb.BillingPolicy(increment_amount="per_period")),
    # A danish staircase steps the yearly amount. 59,316 a year, 1,080 more each year: 60,396,
    # 61,476, 62,556.
    ("60396.00 61476.00 62556.00",
     lease(by_steps(step(2021, "1080", recurs=True), last_year="2023"), item=home("59316.00",
      billing_cycle=rb.BillingCycle(time_unit="Year")))),
    # A rent of nothing can rise but not fall. 0 − 100 stays 0, 0 + 1,200/12 is 100.
    ("0.00 > 0.00 100.00", by_steps(step(2021, "-1200"), step(2022, "1200"))),
    # A credit stops at zero from below. −100 + 50 = −50, + 50 = 0, + 50 is still 0: rounding and
    # zero are symmetric (A26).
    ("-100.00 > -50.00 0.00 0.00", by_steps(step(2021, "600", recurs=True), last_year="2023")),
    # An increment scales what an anchored rule goes on from. The increment changes the rent for
    # good: 10,000 × 1.1 = 11,000, + 5 % = 11,550. The year after, the base of the index rule is
    # 10,500: × 1.21 = 12,705.
    ("11550.00 12705.00", plan(ruled(basis="anchored"), by_steps(step(2021, "5 %"))), TENTHS),

    # What a clause says about amounts and points that go together (A34, A40).
    # Anchored counts from the first amount. The base 600 × 127.92/109.07 = 703.694…: the whole way
    # in one step, the Belgian way.
    ("640.00 > 703.69",
     ruled(basis="anchored", start_point="2019-10",
      base_amount="600 DKK").evolve(first_year="2023"),
     series({"2019-10": "109.07", "2022-10": "127.92"}), TO_2023),
    # An anchored rule without base starts with the amount in force. 33.33 × 1.1 = 36.663; 33.33 ×
    # 1.21 = 40.3293: rounded each time from the base.
    ("33.33 > 36.66 40.33", ruled(basis="anchored"), TENTHS),
    # Last indexed passes over what was added since. 11,000 in January, 11,220 in July, and 11,000 ×
    # 1.1 = 12,100 the next January.
    ("11000.00 11220.00 12100.00",
     plan(ruled(basis="last_indexed"), by_steps(step(2021, "2 %"), adjustment_month=7)), TENTHS,
     "2020-02-01/2022-06-30"),
    # Last indexed may state its first amount. 9,000 × 1.1 = 9,900, whatever was in force.
    ("9900.00 10890.00", ruled(basis="last_indexed", base_amount="9000 DKK"), TENTHS),
    # The exact amount may be carried. 33.33 × 1.1 = 36.663, × 1.1 = 40.3293, × 1.1 = 44.36223:
    # exact behind what is shown. Rounded each time it would be 36.66, 40.33 (36.66 × 1.1 = 40.326),
    # 44.36.
    ("3.33 > 3.66 4.03 4.43 4.88", ruled(carried="exact"), TENTHS),
    ("3.33 > 3.66 4.03 4.43 4.87", by_index(), TENTHS),
    # A part of the amount follows the index. 60 percent of 10,000 rise by a tenth: 10,600; of
    # 10,600: 11,236.
    ("10600.00 11236.00", ruled(indexed_share="0.6"), TENTHS),
    # A part given as amount follows its own adjustments. 4,000 becomes 4,400, then 4,840; the other
    # 6,000 stay.
    ("10400.00 10840.00", ruled(indexed_amount="4000 DKK"), TENTHS),
    # An anchored part stays what it was. 4,000 × 10 % = 400, and 4,000 × 21 % = 840.
    ("10400.00 10840.00", ruled(basis="anchored", indexed_amount="4000 DKK"), TENTHS),
    # An anchored part goes on from where a limit cut it. A tenth of 4,000 is held at 2 percent, 80:
    # 10,080, of which 4,080 follow the index. The next tenth is held at 81.60: 10,161.60.
    ("10080.00 10161.60", by_index(most="0.02", basis="anchored", indexed_amount="4000 DKK"),
     TENTHS),
    # A correction factor stays for the life of the rule. 500 × 1.1 × 0.9 = 495, then 500 × 1.21 ×
    # 0.9 = 544.50.
    ("500.00 > 495.00 544.50", ruled(basis="anchored", correction_factor="0.9"), TENTHS),
    # The rent never goes below the first one. The Norwegian standard lease: 10,500, then 9,500
    # would be due and 10,000 is.
    ("10500.00 10000.00 10200.00", ruled(basis="anchored", floor_at_start=True),
     (100, 105, 95, 102)),
    # A first year counts by its whole months. Begun in January 2020: eleven whole months are left,
    # 11/12 of 2.4 percent are 2.2. 800 × 1.022 = 817.60, and a full 2.4 percent the year after:
    # 837.22.
    ("800.00 > 817.60 837.22",
     ruled(pro_rata="first_year", reference="year_mean").evolve(index_month=None),
     series({"2020": "0.024", "2021": "0.024"}, kind="change")),
    # The first year is that of the contract. A contract of December has no whole month left:
    # nothing yet, though listed.
    ("800.00",
     lease(ruled(pro_rata="first_year", reference="year_mean").evolve(index_month=None),
      contract_start=day("2020-12-15"), item=home("800.00")),
     series({"2020": "0.024"}, kind="change")),
    # Only the first adjustment counts by them. Half-yearly 2.4 percent: 11/12 in January 2021, all
    # of it in July of the same year.
    ("800.00 > 817.60 837.22",
     by_index(interval_months=6, lag_months=1, pro_rata="first_year", first_year="2021"),
     series({"2020-06": 1000, "2020-12": 1024, "2021-06": "1048.576"}), TO_2021),
    # A first year further back counts by its months too. The contract began in March 2019: 9/12 of
    # 2.4 % are 1.8 %, whenever that comes (A40).
    ("814.40",
     lease(ruled(pro_rata="first_year", reference="year_mean").evolve(index_month=None),
      contract_start=day("2019-03-15"), item=home("800.00")),
     series({"2020": "0.024"}, kind="change")),
    # The last published value is compared with the one of the last time. 110 over 100 at first;
    # then 121 over 110, thirteen months apart.
    ("11000.00 12100.00",
     ruled(reference="last_published", start_point="2019-11").evolve(index_month=None),
     series({"2019-11": 100, "2020-10": 110, "2021-11": 121, "2020-11": 999}, known={"2020-10":
      "2020-11-10", "2021-11": "2021-12-10", "2020-11": "2021-12-11"})),
    # A rule that finds nothing newer compares the same value again: nothing is added.
    ("2021-01-01 11000.00, 2022-01-01 11000.00",
     ruled(reference="last_published", start_point="2019-11"),
     series({"2019-11": 100, "2020-10": 110}, known={"2020-10": "2020-11-10"}), TO_2022),
    # The index that a contract states for its start is for the start alone. 12,000 agreed for
    # January 2021, with the published 110 of October 2020: × 121/110 = 13,200, and not × 1.21.
    ("2021-01-01 12000.00, 2022-01-01 13200.00",
     lease(ruled(start_point="2020-10", start_index="100", base="2015=100"),
           item=home(amount_records=(price_from("2021-01-01", "12000.00"),))), TENTHS),
    # Nor is it what moves a rule that counts from its base: these ten percent are below its 15.
    ("2021-01-01 12000.00",
     lease(ruled(basis="anchored", threshold="0.15", start_point="2020-10", start_index="100",
                 base="2015=100"),
           item=home(amount_records=(price_from("2021-01-01", "12000.00"),))), TENTHS, TO_2022),
    # An index that rests has not fallen.
    ("10000.00", ruled(increase_only=True), (100, 100)),
    # The months since the rent was set may count. Ireland: 4 percent a year, 30 months of 24: 1,200
    # × 1.05 = 1,260. The rent was agreed anew in July 2020, 30 months before January 2023.
    ("1260.00",
     lease(by_steps(step(2023, "4 %"), pro_rata="elapsed", pro_rata_months=24), item=home("1000.00",
      amount_records=(price_from("2020-07-01", "1200.00"),)))),

    # Below a threshold nothing happens, and the point compared with is kept (A40).
    # The change counts from the last point applied. 3 percent are too few, 6.09 since 2019 are
    # enough; then it starts again from 2021.
    ("2022-01-01 10609.00, 2024-01-01 11200.00", ruled(threshold="0.05"),
     (100, 103, "106.09", 109, 112), FEW),
    # An anchored rule moves from where it was last applied. 10,600 in 2021; 3 of 106 are too few;
    # 112/106 is enough: 10,000 × 112/100 = 11,200.
    ("2021-01-01 10600.00, 2023-01-01 11200.00", ruled(threshold="0.05", basis="anchored"),
     (100, 106, 109, 112), TO_2023),
    # An anchored rule keeps its first point until it moves. Three percent, then six, both since
    # 2019.
    ("2022-01-01 10600.00", ruled(threshold="0.05", basis="anchored"), (100, 103, 106), TO_2022),
    # Points of the index may count. Ten points of 250 are 4 percent: 260 is enough, 259 is not.
    ("2022-01-01 10400.00", ruled(threshold="10", threshold_unit="points"), (250, 259, 260),
     TO_2022),
    # A falling index may count for nothing. 98 leaves amount and point as they are: 10,000 ×
    # 105/100 = 10,500 the year after.
    ("2022-01-01 10500.00", ruled(increase_only=True), (100, 98, 105), TO_2022),
    # An anchored rule does not fall either. 110, then 108: 11,000 stays; 112 gives 11,200.
    ("2021-01-01 11000.00, 2023-01-01 11200.00", ruled(increase_only=True, basis="anchored"),
     (100, 110, 108, 112), TO_2023),

    # The point compared with is kept below a threshold, and let go above it (A33).
    # A point that was kept is let go. 3 percent are too few, 6 since 2019 enough; then 112/106, and
    # not 112/100 again.
    ("2022-01-01 10600.00, 2023-01-01 11200.00", ruled(threshold="0.05", carried="exact"),
     (100, 103, 106, 112), TO_2023),

    # An anchored rule counts from where it began, or from what was agreed since (A34, A35).
    # What is agreed since takes the place of the stated base. 9,000 × 1.1 = 9,900; of the 20,000
    # agreed in June 2021 a tenth more are 22,000.
    ("9900.00 22000.00",
     lease(ruled(basis="anchored", base_amount="9000 DKK"),
      item=home(amount_records=(price_from("2021-06-01", "20000.00"),))), TENTHS),
    # Where it was agreed is its base point, too: × 112.2/110 are 20,400, and not × 112.2/100.
    ("11000.00 20400.00",
     lease(ruled(basis="anchored", start_point="2019-10"),
           item=home(amount_records=(price_from("2021-06-01", "20000.00"),))), (100, 110, "112.2")),
    # Nothing grows to nothing. A tenth more than 0 is 0, and two tenths are.
    ("0.00 > 0.00 0.00", ruled(basis="anchored"), TENTHS),
    # It goes on from where a minimum held it. 90 would be 9,000, and 10,000 stays; 95 of these 90
    # are 10,555.56 (A35).
    ("10000.00 10555.56", by_index(least="0", basis="anchored"), (100, 90, 95)),
    # Where a limit held it is its base from then on, no longer the point that the clause states.
    # 10,500 in October 2020: × 112.2/110 = 10,710, not × 112.2/100. A mixed rule as well (A35).
    *(("10500.00 10710.00", by_index(most="0.05", basis=basis, start_point="2019-10"),
       (100, 110, "112.2")) for basis in ("anchored", "mixed")),
    # What a limit left of its own amount is what a rule goes on from. 11,000 held at 10,400; in
    # July two percent by another rule: 10,608; of the 10,400 three percent more: 10,712 (A34, A35).
    ("10400.00 10608.00 10712.00",
     plan(ruled(basis="last_indexed"), by_index(most="0.04", combine="limit"),
          by_steps(step(2021, "2 %"), adjustment_month=7)), (100, 110, "113.3"), TO_2022),
    # A part that carries stays what it was. 80 of 4,000 are held; the next year 2 percent of 4,080,
    # the 6,000 standing still.
    ("10080.00 10161.60",
     by_index(most="0.02", basis="anchored", after_limit="carry", indexed_amount="4000 DKK"),
     TENTHS),
    # A limit for a year holds the step from what is in force. One percent: 10,100. Two years later
    # ten since the start, held at 2 × 2 of 10,100.
    ("10100.00 10504.00",
     by_index(most="0.02", basis="anchored", limit_per="year_simple", interval_years=2),
     series({"2018-10": 100, "2020-10": 101, "2022-10": 110}), TO_2023),

    # Each rule goes on from what the one before it made of the amount (A37).
    # A clause counts from the amount before it. 10,000 + 2 % = 10,200, of which 60 percent rise by
    # a tenth: 10,812.
    ("10812.00", plan(by_steps(step(2021, "2 %")), ruled(indexed_share="0.6")), TENTHS),
    # An amount is added to the amount before it. A tenth more than 10,000, and 1,200 a year:
    # 11,100.
    ("11100.00", plan(by_index(), by_steps(step(2021, "1200"))), TENTHS),
    # A limit for a year holds the rules before it. 2 percent for the first year: 10,200 instead of
    # 11,000.
    ("10200.00", plan(by_index(), by_index(most="0.02", combine="limit", limit_per="year_simple")),
     TENTHS),

    # What a rule goes on from may be rounded, exact, or its own (A35, A40).
    # What a limit cut is lost unless it carries. 10,400 and 10,816; in the third year the index
    # rests, and nothing is caught up.
    ("10400.00 10816.00 10816.00", by_index(most="0.04", carried="exact"), (100, 110, 121, 121)),

    # A clause may round what is added, and not the amount (A38).
    # The change of an index. 1,000.30 are 1,000: 11,003, where the amount itself would be 11,000.
    ("10003.00 > 11003.00", ruled(**CHANGE), TENTHS),
    # Half of the change. Half of these 1,000: 10,503.
    ("10003.00 > 10503.00", ruled(basis="anchored", share="0.5", share_of="money", **CHANGE),
     TENTHS),
    # The change of an increment. 1,200 / 12 = 100 and 36 / 12 = 3: 10,103, and nothing.
    ("10003.00 > 10103.00 10103.00", by_steps(step(2021, "1200"), step(2022, "36"), **CHANGE)),
    # The lower of two is counted from before both. 3 are 0, and not 1,202 less than 11,208.
    ("10003.00 > 10003.00",
     plan(by_steps(step(2021, "14460")), by_steps(step(2021, "36"), combine="lower_of", **CHANGE))),
    # The change that is left by a limit. 11,003.30 by the index, at most 10,403.12, of which 400
    # are added.
    ("10003.00 > 10403.00", plan(by_index(), by_index(most="0.04", combine="limit", **CHANGE)),
     TENTHS),

    # What changed an amount on the way is told (A36, A40).
    # A small amount is not nothing. 0.90 less 0.40 is 0.50.
    ("0.90 > 0.50", by_steps(step(2021, "-4.80"))),

    # A limit is for the part that is indexed (A35). One percent of 4,000 are 40; then ten since the
    # start, held at 2 percent of 4,040: 10,040 + 80.80, the other 6,000 standing still.
    *(("10040.00 10120.80", by_index(most="0.02", basis="anchored", **part), (100, 101, 110))
      for part in ({"indexed_amount": "4000 DKK"}, {"indexed_share": "0.4"})),
    # After the factor: (6,000 + 4,040) × 0.9 = 9,036, of which 5,400 stand still and 3,636 move.
    # Ten percent would be 3,960 of them: held at 3,636 × 1.02 = 3,708.72. 1.5 percent since the
    # start, 4,060 × 0.9 = 3,654, are within 2 percent.
    *((f"9036.00 {to}",
       by_index(most="0.02", basis="anchored", indexed_share="0.4", correction_factor="0.9"),
       (100, 101, third)) for to, third in (("9108.72", "110"), ("9054.00", "101.5"))),

    # What a rule goes on from may be rounded, exact, or its own (A35, A40).
    # 10 × 301/300 = 10.0333…: twice that is 20.0666…, and twice 10.03 is 20.06.
    *((f"10.00 > 10.03 {to}", ruled(carried=carried, basis="last_indexed"), (300, 301, 602))
      for to, carried in (("20.06", "rounded"), ("20.07", "exact"))),
    # Held at 10.01 in 2021; its curve at 10.0333… or 10.03 doubles.
    *((f"10.00 > 10.01 {to}",
       plan(ruled(carried=carried, after_limit="carry"),
            by_index(most="0.001", last_year="2021", combine="limit")), (300, 301, 602))
      for to, carried in (("20.06", "rounded"), ("20.07", "exact"))),
]
EFFECTS: list[tuple[str, tuple[str, ...], str | None, rb.LeaseTerms, Any]] = [
    # What changed an amount on the way is told, and what the rule alone would have made (A36, A40).
    # An increment keeps above a floor: 10,000 − 1,000 would be 9,000; the floor of 9,500 holds.
    ("9500.00", ("floor",), None, lease(by_steps(step(2021, "-12000"), floor_amount="9500 DKK")),
     None),
    # Limits are for the step from what is in force: 9,000 × 1.1 = 9,900 would be less than 10,000,
    # and the minimum of 0 holds.
    ("10000.00", ("minimum",), None,
     lease(by_index(least="0", basis="last_indexed", base_amount="9000 DKK")), TENTHS),
    # The change that a limit cut: 400.12 are 400; of its own the rule would have reached 11,003.
    ("10403.00", ("maximum",), "11003.00",
     lease(by_index(most="0.04", after_limit="carry", **CHANGE), item=home("10003.00")), TENTHS),
    # A floor: 9,000 by the index, and 10,000 at the least.
    ("10000.00", ("floor",), None, lease(ruled(floor_at_start=True)), octobers(100, 90)),
    ("11000.00", (), None, lease(ruled(floor_at_start=True)), TENTHS),
    # 100 less 100 is 0, and nothing is left of the decrease: it was not stopped.
    ("0.00", (), None, lease(by_steps(step(2021, "-1200")), item=home("100.00")), None),
]
# fmt: on


@rows("row", AMOUNTS)
def test_a_rent_is_adjusted_to(row: Row) -> None:
    assert row[0] == outcome(*row)


@rows(("to", "reasons", "unlimited", "terms", "values"), EFFECTS)
def test_an_effect_tells(
    to: str,
    reasons: tuple[str, ...],
    unlimited: str | None,
    terms: rb.LeaseTerms,
    values: rb.IndexSeries | None,
) -> None:
    effect = effect_of(terms, values, TO_2021)

    assert (amount(to), reasons, None if unlimited is None else amount(unlimited)) == (
        effect.to_period_amount,
        effect.reasons or (),
        effect.unlimited_amount,
    )
    assert [] == codes(terms, values, TO_2021)


class TestByAnIndex:
    """The amount in force times the new index over the one compared with (A33, A34)."""

    def test_equal_indexes_change_nothing_and_are_listed(self) -> None:
        """An adjustment that changes nothing is still listed, with change 0 (A37)."""
        (found,) = rb.rent_adjustments(lease(by_index()), IN_2021, indices=octobers(100, 100))

        assert (amount("10000.00"), amount("0.00")) == (
            found.to_period_amount,
            found.period_amount_change,
        )
        assert 0 == found.adjustment_rules_effects[0].calculated_percentage

    def test_an_effect_says_what_was_compared(self) -> None:
        """2 / 102 is 0.01960784313…: in 6 decimals, and as applied in 10 (A35)."""
        effect = effect_of(lease(by_index()), octobers(102, 104), IN_2021)

        assert (Decimal("0.019608"), Decimal("0.0196078431")) == (
            effect.calculated_percentage,
            effect.applied_percentage,
        )
        assert [102, 104] == [effect.from_index, effect.to_index]
        assert ("2019-10", "2020-10") == (str(effect.from_year_month), str(effect.to_year_month))
        assert ("2019-10", "2020-10") == (str(effect.from_point), str(effect.to_point))
        assert ("rule-1", None, None, ()) == (
            effect.rent_adjustment_rule_id,
            effect.minimum_percentage,
            effect.maximum_percentage,
            effect.reasons,
        )

    def test_a_quarter_stands_for_its_last_month(self) -> None:
        """The third quarter is written as September where only a month can be (A31)."""
        rule = ruled(reference="quarter", index_quarter=3).evolve(index_month=None)
        irl = series({"2019-Q3": "129.99", "2020-Q3": "130.59"}, name="IRL")
        effect = effect_of(lease(rule), irl, IN_2021)

        assert ("2019-09", "2020-09") == (str(effect.from_year_month), str(effect.to_year_month))
        assert (rb.IndexPoint.parse("2019-Q3"), rb.IndexPoint.parse("2020-Q3")) == (
            effect.from_point,
            effect.to_point,
        )

    def test_published_changes_compare_no_points(self) -> None:
        """The Portuguese coefficient: 500 × 1.0216 = 510.80, with no index on either side."""
        rule = ruled(reference="year_mean").evolve(index_month=None)
        changes = series({"2020": "0.0216"}, kind="change")
        terms = lease(rule, item=home("500.00"))
        effect = effect_of(terms, changes, IN_2021)

        assert [("2021-01-01", "510.80")] == made(terms, changes, IN_2021)
        assert (None, None, None, "2020-12") == (
            effect.from_index,
            effect.to_index,
            effect.from_year_month,
            str(effect.to_year_month),
        )


class TestLimits:
    """The percentage lies between the rule's minimum and maximum (A35)."""

    def test_an_effect_tells_the_limit_beside_the_raw_change(self) -> None:
        terms = lease(by_index(least="0.01", most="0.04"))
        effect = effect_of(terms, TENTHS, IN_2021)

        assert tuple(map(Decimal, ("0.1", "0.04", "0.01", "0.04"))) == (
            effect.calculated_percentage,
            effect.applied_percentage,
            effect.minimum_percentage,
            effect.maximum_percentage,
        )
        assert ("maximum",) == effect.reasons

    def test_a_chained_rule_that_carries_goes_on_from_its_own_amount(self) -> None:
        """Its own 11,000 becomes 11,110; held at 4 percent above 10,400 first, then reached.

        The reasons tell the maximum, and the third adjustment calculates 0 and applies
        11,110 / 10,816 − 1 = 0.02718195266….
        """
        rule = by_index(most="0.04", after_limit="carry")
        terms, values = lease(rule), octobers(100, 110, "111.1", "111.1")
        found = rb.rent_adjustments(terms, TO_2023, indices=values)
        effects = [each.adjustment_rules_effects[0] for each in found]

        assert ["10400.00", "10816.00", "11110.00"] == amounts(terms, values, TO_2023)
        assert [("maximum",), ("maximum",), ()] == [each.reasons for each in effects]
        assert [amount("11000.00"), amount("11110.00"), amount("11110.00")] == [
            each.unlimited_amount for each in effects
        ]
        assert (Decimal(0), Decimal("0.0271819527")) == (
            effects[2].calculated_percentage,
            effects[2].applied_percentage,
        )

    def test_limits_hold_increments_by_percentage(self) -> None:
        """Five percent held at three, minus two held at zero (A35)."""
        rule = by_steps(step(2021, "5 %"), step(2022, "-2 %"), least="0", most="0.03")
        found = rb.rent_adjustments(lease(rule), FEW)

        assert ["10300.00", "10300.00"] == amounts(lease(rule))
        assert [("maximum",), ("minimum",)] == [
            each.adjustment_rules_effects[0].reasons for each in found
        ]


class TestIncrements:
    """What is added year by year: an amount, a percentage or a level (A36)."""

    def test_an_amount_is_for_the_line_and_for_a_year(self) -> None:
        """1,000 a year on 5,000 a month gives 5,083.33, and 12 × 83.33 = 999.96 more (A38)."""
        terms = lease(by_steps(step(2021, "1000")), item=home("5000.00"))
        (found,) = rb.rent_adjustments(terms, FEW)

        assert amount("5083.33") == found.to_period_amount
        assert (amount("60000.00"), amount("60999.96"), amount("999.96")) == (
            found.from_yearly_amount,
            found.to_yearly_amount,
            found.yearly_amount_change,
        )
        assert amount("83.33") == found.period_amount_change
        assert None is found.adjustment_rules_effects[0].calculated_percentage

    def test_one_time_stays(self) -> None:
        for recurs in (None, False):
            terms = lease(by_steps(step(2021, "12000", recurs=recurs)))

            assert [("2021-01-01", "11000.00")] == made(terms)
            assert "11000.00" == worth(terms, "2034-06-01")

    def test_a_decrease_stops_at_zero_and_stays_there(self) -> None:
        """10,000 − 70,000/12 = 4,166.67; then zero, 1,666.66… more than there was; then zero."""
        rule = by_steps(step(2021, "-70000", recurs=True), last_year="2023")
        terms = lease(rule)

        assert ["4166.67", "0.00", "0.00"] == amounts(terms)
        facts = {"rule": "rule-1", "adjustedOn": "2022-01-01", "left": "1666.66"}
        assert ("adjustment_stopped_at_zero", facts) == facts_of(terms)[0]
        assert ["adjustment_stopped_at_zero"] * 2 == codes(terms)
        assert [("stopped_at_zero",)] * 2 == [
            each.adjustment_rules_effects[0].reasons for each in rb.rent_adjustments(terms, FEW)[1:]
        ]

    def test_a_percentage_is_reported_as_calculated(self) -> None:
        effect = effect_of(lease(by_steps(step(2021, "3 %"))), None)

        assert (Decimal("0.03"), Decimal("0.03"), None, None) == (
            effect.calculated_percentage,
            effect.applied_percentage,
            effect.from_index,
            effect.to_point,
        )


class TestConventions:
    """What a clause says about amounts and points that go together (A34, A40)."""

    def test_mixed_counts_the_same_rise_twice_and_is_noticed(self) -> None:
        """10,000 × 1.1 = 11,000, then 11,000 × 1.21 = 13,310 (A40)."""
        terms = lease(ruled(basis="mixed"))

        assert ["11000.00", "13310.00"] == amounts(terms, TENTHS, TO_2022)
        assert ["double_compounding"] == codes(terms, TENTHS, TO_2022)

    def test_a_part_that_is_more_than_the_amount_is_refused(self) -> None:
        """10,000 is all there is."""
        place = "rent_adjustment_plans[0].rent_adjustment_rules[0].index_clause.indexed_amount"

        assert [(place, "contradiction", "a part of its amount for a billing period")] == faults(
            lambda: lease(ruled(indexed_amount="10000.01 DKK")), fields="path code expected"
        )

    def test_a_part_that_carries_goes_on_from_its_own_amount(self) -> None:
        """4,400 and 4,840 of their own, held at 4,080 and 4,161.60; at last all of 4,840.

        6,000 stand still: the third year the index rests, and 4,840 is within 20 percent.
        """
        kept = clause(after_limit="carry", indexed_amount="4000 DKK")
        first = by_index(most="0.02", last_year="2022", index_clause=kept)
        terms = lease(first)
        found = rb.rent_adjustments(terms, TO_2022, indices=TENTHS)

        assert ["10080.00", "10161.60"] == amounts(terms, TENTHS, TO_2022)
        assert [amount("10400.00"), amount("10840.00")] == [
            each.adjustment_rules_effects[0].unlimited_amount for each in found
        ]

    def test_a_share_of_the_money_is_of_the_difference_to_what_is_in_force(self) -> None:
        """Wallonia's label D: 626.79 in force, 703.69 indexed, 75 % of 76.90 is 57.675: 684.47."""
        rule = ruled(
            basis="anchored",
            start_point="2019-10",
            base_amount="600 DKK",
            share="0.75",
            share_of="money",
        ).evolve(first_year="2023")
        health = series({"2019-10": "109.07", "2022-10": "127.92"})
        terms = lease(rule, item=home("626.79"))

        assert ["684.47"] == amounts(terms, health, TO_2023)
        assert ("share",) == effect_of(terms, health, TO_2023).reasons


class TestThresholds:
    """Below a threshold nothing happens, and the point compared with is kept (A40)."""

    def test_each_year_below_is_noticed(self) -> None:
        """In 2021 and 2023, each once."""
        terms = lease(ruled(threshold="0.05"))
        values = octobers(100, 103, "106.09", 109, 112)

        assert [
            ("index_below_threshold", {"rule": "rule-1", "year": "2021"}),
            ("index_below_threshold", {"rule": "rule-1", "year": "2023"}),
        ] == facts_of(terms, values)

    @rows(
        ("fields", "values", "kind"),
        [
            ({"reference": "year_mean"}, {"2019": "0.01", "2020": "0.02"}, "change"),
            (
                {"mean_of": 2, "mean_of_what": "changes"},
                {"2019-10": "100", "2020-10": "110", "2019-09": "100", "2020-09": "110"},
                "level",
            ),
        ],
    )
    def test_points_of_what_has_none_are_refused(
        self, fields: dict[str, Any], values: dict[str, str], kind: str
    ) -> None:
        rule = ruled(threshold="10", threshold_unit="points", **fields)
        error = refused(
            lambda: made(lease(rule), series(values, kind=kind), TO_2021),
            InvalidAdjustmentRuleError,
        )

        place = "rentAdjustmentPlans[0].rentAdjustmentRules[0].indexClause.thresholdUnit"
        said = "is of points, and the series has none (met 'points'; expected percent)"
        assert ("contradiction", f"{place}: {said}") == (error.code, str(error))


class TestPlainRules:
    """A rule that says nothing of its own: the change, within its limits."""

    def test_a_step_that_no_limit_meets(self) -> None:
        """A tenth more than 33.33 is 36.663; 36.66 is what is in force."""
        found = one_step(by_index(most="0.2"), price="33.33")

        assert (Fraction("36.663"), Fraction("36.66")) == (found.exact, found.amount)
        assert Percentage(Fraction(1, 10), Fraction(1, 10), Fraction(1, 10), ()) == (
            found.percentage
        )
        assert ((), None) == (found.reasons, found.unlimited)
        assert RuleState(
            anchor_point=october(2019),
            last_point=october(2020),
            last_amount=Fraction("36.66"),
            is_new=False,
        ) == (found.state)

    def test_a_step_that_a_limit_meets(self) -> None:
        """10,400 where the index alone would have led to 11,000."""
        found = one_step(by_index(most="0.04"))

        assert Percentage(Fraction(1, 10), Fraction(4, 100), Fraction(1, 10), ("maximum",)) == (
            found.percentage
        )
        assert (Fraction(10400), Fraction(11000), ("maximum",)) == (
            found.exact,
            found.unlimited,
            found.reasons,
        )
        assert found.state.is_new is False

    def test_what_was_remembered_stays(self) -> None:
        known = RuleState(Fraction(9000), october(2018), october(2020), is_new=False)
        found = one_step(by_index(), known, year=2022)

        assert found.state == RuleState(
            Fraction(9000), october(2018), october(2021), last_amount=Fraction(11000), is_new=False
        )


class TestClauses:
    """A rule with a clause tells the same of its step."""

    @rows(
        ("limit", "expected"),
        [({"most": "0.04"}, ("10400", "11000")), ({"most": "0.2"}, ("11000", None))],
        ids=["limited", "not limited"],
    )
    def test_what_it_alone_would_have_led_to(
        self, limit: dict[str, Any], expected: tuple[str, str | None]
    ) -> None:
        """11,000, told where a limit of 4 percent cut it."""
        found = one_step(by_index(carried="exact", **limit))

        assert expected == (
            f"{found.exact}",
            None if found.unlimited is None else f"{found.unlimited}",
        )
        assert found.compared is not None
        assert (october(2019), october(2020)) == (
            found.compared.from_point,
            found.compared.to_point,
        )
        assert found.state.is_new is False
