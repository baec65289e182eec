"""Lease years of turnover rent, worked out by hand (A97 to A102)."""

from collections.abc import Sequence
from typing import Any

import pytest

from rentbilling import (
    Amount,
    BillingCycle,
    Discount,
    FirstBillingPeriodBillItem,
    IndexSeries,
    InvalidInputError,
    LeaseTerms,
    Period,
    RentAdjustmentPlan,
    RentAdjustmentRule,
    Vat,
    pending_bills,
)
from rentbilling.errors import MissingFactError, MissingIndexError, UnsupportedCaseError
from rentbilling.testing import a_lease, a_rent
from rentbilling.turnover import (
    TurnoverAccount,
    TurnoverYear,
    base_rents,
    lease_turnover,
    turnover_of,
    turnover_year,
)
from tests.support.settlements import (
    SalesReport,
    TurnoverClause,
    TurnoverTerms,
    TurnoverTier,
    money,
)

MONTHS = Period.year(2026).months
SHOP = TurnoverClause(tiers=[TurnoverTier(rate="6%")], natural=True)
STEADY = [200_000] * 11 + [400_000]
SEASON = [100_000] * 6 + [300_000] * 6


def terms(*clauses: object, **fields: Any) -> Any:  # noqa: ANN401
    return TurnoverTerms(clauses=[*clauses], **fields)


def one_rate(rate: str, **fields: Any) -> Any:  # noqa: ANN401
    return TurnoverClause(tiers=[TurnoverTier(rate=rate)], **fields)


def sold(
    sales: Sequence[int], months: Sequence[Period] = MONTHS, group: str | None = None
) -> list[Any]:
    return [
        SalesReport(period=month, sales=money(each), group=group)
        for month, each in zip(months, sales, strict=False)
    ]


def rents(year: TurnoverYear) -> str:
    return " ".join(f"{each.turnover_rent.amount:f}".removesuffix(".00") for each in year)


def shop(sales: Sequence[int], **fields: Any) -> TurnoverYear:  # noqa: ANN401
    """Return the year of a shop with 10,000.00 a month: at 6 % a breakpoint of 2,000,000."""
    return turnover_year(terms(SHOP, **fields), sold(sales), "2026", [Amount(10_000, "EUR")] * 12)


def test_a_shop_with_a_natural_breakpoint() -> None:
    """Sales of 2,600,000 bear 6 % of 600,000: 36,000.

    So far: 2,000,000 are reached in October, so November bears 12,000 and December 24,000. As a
    year: (2,400,000 - 2,000,000) x 6 % / 12 = 2,000; December 14,000 of 4,800,000.
    """
    assert "0 " * 10 + "12000 24000" == rents(shop(STEADY))
    assert "2000 " * 11 + "14000" == rents(shop(STEADY, measure="annualised", true_up="yearly"))


def test_a_season_that_was_billed_too_high_is_credited_at_the_end() -> None:
    """The year bears 6 % of 400,000; six months were billed (3,600,000 - 2,000,000) x 6 % / 12."""
    given = shop(SEASON, measure="annualised", true_up="yearly")
    kept = shop(SEASON, measure="annualised", true_up="yearly", credit=False)
    season = "0 " * 6 + "8000 " * 5

    assert (season + "8000 -24000", ["credit"]) == (
        rents(given),
        [each.code for each in given.notices],
    )
    assert (season + "8000", ["credit_not_given"]) == (
        rents(kept),
        [each.code for each in kept.notices],
    )
    assert ("true_up", given.year) == (given[-1].kind, given[-1].days)
    assert "24000.00 EUR was billed above the rent of the year" == given.remarks[0]


def test_a_year_in_progress_has_its_intervals_and_no_true_up() -> None:
    year = turnover_year(
        terms(SHOP, interval_months=3, true_up="yearly", measure="annualised"),
        sold([300_000] * 12),
        "2026",
        [Amount(30_000, "EUR")] * 4,
        through="2026-07-15",
    )

    # (3,600,000 - 2,000,000) x 6 % / 4.
    assert "24000 24000" == rents(year)
    assert ["2026-01-01/2026-03-31", "2026-04-01/2026-06-30"] == [str(each.days) for each in year]
    assert 0 == len(shop(STEADY[:0], missing="minimum")) - 12


def test_figures_of_an_interval() -> None:
    """7 % above 300,000 in each month."""
    clause = one_rate("7%", sales_breakpoint=money(300_000))
    year = turnover_year(
        terms(clause, measure="interval"), sold(SEASON), "2026", [Amount(0, "EUR")] * 12
    )
    assert "0 " * 11 + "0" == rents(year)
    month = turnover_year(
        terms(clause, measure="interval"), sold([400_000]), "2026-01", [Amount(0, "EUR")]
    )
    assert "7000" == rents(month)


def test_a_minimum_of_the_year_is_due_with_its_last_interval() -> None:
    """1 % of 100 each month; 20 in the year at least."""
    clause = one_rate("1%", minimum=money(20))
    year = turnover_year(terms(clause), sold([100] * 12), "2026", [Amount(0, "EUR")] * 12)

    assert "1 " * 11 + "9" == rents(year)


def test_base_rent_is_set_off_once_among_groups() -> None:
    """By A99: 2 % of 100,000 are 2,000, 5 % of 200,000 are 10,000; the base rent is 10,000.

    In order: 2,000 of it are used up by food, 8,000 are left: 2,000. By sales: a third of it is
    above the 2,000 of food, and 10,000 - 6,666.67 are left of the rest.
    """
    food, rest = (one_rate(rate, relation="higher_of", group=name) for rate, name in FOOD)
    reports = [*sold([100_000], [Period.year(2026)], "food"), *sold([200_000], [MONTHS[4]], "rest")]
    found = [
        rents(
            turnover_year(
                terms(food, rest, interval_months=12, deduct=how), reports, "2026", [BASE]
            )
        )
        for how in ("in_order", "by_sales")
    ]
    assert ["2000", "3333.33"] == found
    none = turnover_year(
        terms(food, rest, interval_months=12, deduct="by_sales", missing="minimum"),
        (),
        "2026",
        [BASE],
    )
    assert "0" == rents(none)


FOOD = (("2%", "food"), ("5%", "rest"))
BASE = Amount(10_000, "EUR")


def test_limits_of_all_groups_together() -> None:
    """Food 100,000 x 10 % and wine 50,000 x 20 % are 20,000 (A128).

    On top of the base rent the year has 25,000 at least, or 15,000 at most. Where it is set off, of
    25,000 and of 15,000 less 12,000 are left 13,000 and 3,000, and of a minimum of 10,000 nothing
    but the 20,000 - 12,000. The minimum comes with the last interval. By sales wine sets 4,000
    off, which its 5,000 pass in the first half. Of an extended year that opens on 1 July
    184/365 are due: 25,000 x 184/365 - 12,000 = 602.74.
    """
    for relation, limits, expected in (
        ("additional", {}, "10000 10000"),
        ("additional", {"minimum": money(25_000)}, "10000 15000"),
        ("additional", {"maximum": money(15_000)}, "10000 5000"),
        ("higher_of", {}, "0 8000"),
        ("higher_of", {"minimum": money(25_000)}, "0 13000"),
        ("higher_of", {"minimum": money(10_000), "maximum": money(15_000)}, "0 3000"),
        ("higher_of", {"minimum": money(25_000), "deduct": "by_sales"}, "1000 12000"),
    ):
        groups = [
            one_rate(rate, group=name, relation=relation)
            for name, rate in (("food", "10%"), ("wine", "20%"))
        ]
        both = terms(*groups, interval_months=6, **limits)
        halves = both.intervals(Period.year(2026))
        reports = [
            *sold([50_000, 50_000], halves, "food"),
            *sold([25_000, 25_000], halves, "wine"),
        ]
        found = turnover_year(both, reports, "2026", [Amount(6000, "EUR")] * 2)
        assert expected == rents(found), (relation, limits)
    first = Period.parse("2026-07-01/2026-12-31")
    late = terms(
        one_rate("10%", relation="higher_of"),
        interval_months=12,
        part_year="extended",
        true_up="yearly",
        minimum=money(25_000),
    )
    sales = sold([0, 0], [first, Period.parse("2027-01-01/2027-06-30")])
    assert "602.74" == rents(turnover_year(late, sales, first, [Amount(12_000, "EUR")]))


def test_limits_that_contradict_each_other_are_refused() -> None:
    one, other = one_rate("5%"), one_rate("5%", group="wine", relation="higher_of")
    for make, path, code in (
        (lambda: one_rate("5%", minimum=money(2), maximum=money(1)), "minimum", "limits_crossed"),
        (lambda: terms(one, minimum=money(2), maximum=money(1)), "minimum", "limits_crossed"),
        (lambda: terms(one, other, maximum=money(1)), "maximum", "mixed_relations"),
        (
            lambda: turnover_year(
                terms(one, interval_months=12, minimum=Amount(1, "DKK")),
                [],
                "2026",
                [Amount(1, "EUR")],
            ),
            "minimum",
            "currency_mismatch",
        ),
    ):
        with pytest.raises(InvalidInputError) as caught:
            make()
        assert [(path, code)] == [(each.path, each.code) for each in caught.value.problems]


def test_a_first_year_has_a_part_of_the_breakpoint_or_of_twelve_months_of_sales() -> None:
    """Open from October: 1,050,000 above 3,000,000 of 12,000,000, at 1 %.

    Extended: (85,000 + 25,000 - 50,000) x 10 % x 214/365 = 3,518 in whole units, of which
    35,000 x 10 % x 214/365 = 2,052 were billed with the first seven months.
    """
    above = one_rate("1%", sales_breakpoint=money(12_000_000))
    none = Amount(0, "EUR")
    opened = turnover_year(
        terms(above, interval_months=3),
        sold([4_050_000], MONTHS[9:]),
        "2026-10-01/2026-12-31",
        [none],
    )
    assert "10500" == rents(opened)
    whole = terms(above, interval_months=3, part_year="none")
    year = turnover_year(whole, sold([12_050_000], MONTHS[9:]), "2026-10-01/2026-12-31", [none])
    assert "500" == rents(year)

    extended = terms(
        one_rate("10%", sales_breakpoint=money(50_000), step=1),
        interval_months=12,
        part_year="extended",
        true_up="yearly",
    )
    days = ("2007-06-01/2007-12-31", "2008-01-01/2008-05-31")
    reports = sold([85_000, 25_000], [Period.parse(each) for each in days])
    assert "2052 1466" == rents(turnover_year(extended, reports, days[0], [none]))
    assert "3518" != rents(
        turnover_year(extended, reports[:1], days[0], [none], through=days[0][-10:])
    )
    full = turnover_year(extended, sold([60_000], [Period.year(2026)]), "2026", [none])
    assert "1000" == rents(full)


def test_a_missing_report_is_refused_or_counts_with_the_minimum() -> None:
    clause = one_rate("5%", minimum_report=money(300))
    given = sold([1000] * 11)
    bases = [Amount(0, "EUR")] * 12
    year = turnover_year(terms(clause, missing="minimum"), given, "2026", bases)

    assert ("50 " * 11 + "15", ["missing_report"]) == (
        rents(year),
        [each.code for each in year.notices],
    )
    with pytest.raises(InvalidInputError, match="are not reported"):
        turnover_year(terms(clause), given, "2026", bases)


def test_reports_of_a_generator_are_read_once() -> None:
    """5 % of 1,000 a month; a missing report would count as 0."""
    reports = (each for each in sold([1000] * 12))
    bases = [Amount(0, "EUR")] * 12
    year = turnover_year(terms(one_rate("5%"), missing="minimum"), reports, "2026", bases)

    assert ("50 " * 11 + "50", ()) == (rents(year), year.notices)


def test_what_is_no_year_of_its_terms_is_refused() -> None:
    plain, euro = terms(one_rate("5%")), Amount(0, "EUR")
    year = SalesReport(period="2025-12-01/2025-12-31", sales=money(1))
    rows: tuple[tuple[str, Any], ...] = (
        ("outside", lambda: turnover_year(plain, [year], "2026", [euro] * 12)),
        ("unknown_group", lambda: turnover_year(plain, sold([1], group="x"), "2026", [euro] * 12)),
        ("wrong_length", lambda: turnover_year(plain, (), "2026", [euro])),
        ("wrong_length", lambda: turnover_year(plain, (), "2026-01-01/2027-12-31", [euro] * 24)),
        ("currency_mismatch", lambda: turnover_year(plain, sold([1]), "2026-01", [USD])),
        (
            "currency_mismatch",
            lambda: turnover_year(plain, (), "2026-01-01/2026-02-28", [euro, USD]),
        ),
        ("wrong_groups", terms),
        ("wrong_groups", lambda: terms(one_rate("5%"), one_rate("6%"))),
        ("no_yearly_rule", lambda: terms(one_rate("5%"), measure="interval", true_up="yearly")),
        (
            "no_true_up",
            lambda: turnover_year(
                terms(one_rate("5%"), part_year="extended"), (), "2026-12", [euro]
            ),
        ),
    )
    met = []
    for code, call in rows:
        try:
            call()
        except InvalidInputError as error:
            met.append((code, error.code))
        else:
            met.append((code, "nothing"))
    assert [(code, code) for code, _ in rows] == met


USD = Amount(0, "USD")


def test_items_are_due_after_their_interval_and_bill_the_difference_of_a_revision() -> None:
    """By A101: 5 % of 1,000 are 50; revised to 1,200 they are 60."""
    plain, vat = terms(one_rate("5%"), measure="interval"), Vat("Exempt")
    bases = [Amount(0, "EUR")]
    first = turnover_year(plain, sold([1000]), "2026-01", bases).items(vat=vat)
    revised = SalesReport(period=MONTHS[0], sales=money(1200), revision=1)
    year = turnover_year(plain, [*sold([1000]), revised], "2026-01", bases)
    more = year.items(vat=vat, already_billed=first, due_date="2026-05-01")

    assert [("50.00 EUR", "2026-03-02")] == [(str(i.amount), str(i.due_date)) for i in first]
    assert [("10.00 EUR", "2026-05-01")] == [(str(i.amount), str(i.due_date)) for i in more]
    assert () == year.items(vat=vat, already_billed=[*first, *more])
    assert ["revised_report"] == [each.code for each in year.notices]
    taxed = year.items(vat=Vat("Exclusive", "0.25"), already_billed=first)
    assert ["60.00 EUR", "-50.00 EUR"] == [str(each.amount) for each in taxed]
    others = [
        first[0].evolve(product_key="key:x"),
        first[0].evolve(accounting_period="2025-01-01/2025-01-31"),
    ]
    assert "60.00 EUR" == str(year.items(vat=vat, already_billed=others)[0].amount)
    with pytest.raises(
        UnsupportedCaseError, match="a turnover rent due outside the years 1 to 9999"
    ):
        year.items(vat=vat, due_days=3_000_000)
    with pytest.raises(UnsupportedCaseError, match="due outside"):
        year.items(vat=vat, due_days=-3_000_000)
    with pytest.raises(MissingFactError, match="VAT is unknown"):
        year.items()


def test_a_year_has_rows() -> None:
    found = shop(STEADY).rows()[0]

    assert ["kind", "first_day", "last_day", "sales", "base_rent", "turnover_rent", "currency"] == [
        *found
    ]
    assert "24,000.00" in shop(STEADY)._repr_html_()
    first = "interval 2026-01-01/2026-01-31: 0.00 EUR of sales 200000.00 EUR"
    assert first == str(shop(STEADY)).splitlines()[0]
    assert repr(shop(STEADY)).startswith(f"<TurnoverYear 2026-01-01/2026-12-31: {first}; ")


def lease(**fields: Any) -> LeaseTerms:  # noqa: ANN401
    return a_lease(a_rent(moved_in="2025-01-01", amount=10_000, currency="EUR", **fields))


def test_what_a_lease_yields_is_set_off_and_its_vat_is_charged() -> None:
    """Rent 10,000 a month less a tenth: 9,000 x 12 / 6 % are a breakpoint of 1,800,000.

    Before the discount it is 2,000,000; sales are 2,600,000.
    """
    shop_lease = lease(discount=Discount(percentage="10%"), vat="Exclusive 25%")
    found = [
        lease_turnover(shop_lease, terms(SHOP, base_rent=how), sold(STEADY), "2026")
        for how in ("after_discount", "before_discount")
    ]
    # An opening month in the year would have the amount that is stated for it.
    assert ["48000.00", "36000.00"] == [
        f"{sum(each.turnover_rent.amount for each in year):f}" for year in found
    ]
    items = found[1].items(due_days=0)
    billed = shop_lease.evolve(one_time_bill_items=items)
    (bill,) = pending_bills(billed, "2026-12-31/2026-12-31")
    # 24,000 and a quarter VAT.
    assert "30000.00 EUR" == str(bill.total)


def test_vat_inside_the_base_rent_is_charged_on_top_of_turnover_rent() -> None:
    """8,000 a month with 25 % inside are 76,800 a year without VAT (A138).

    10 % of 1,000,000 less that are 23,200; with 25 % VAT 29,000.
    """
    with_vat_inside = a_lease(a_rent(amount=8000, vat=Vat("Inclusive", "0.25")))
    higher = terms(one_rate("10%", relation="higher_of"), interval_months=12)
    sales = SalesReport(period="2026", sales=Amount(1_000_000, "DKK"))
    year = lease_turnover(with_vat_inside, higher, [sales], "2026")
    (bill,) = pending_bills(year.items(), "2027")

    assert ("23200.00 DKK", "29000.00 DKK") == (str(bill.subtotal), str(bill.total))
    with pytest.raises(InvalidInputError, match="turnover rent has no VAT inside"):
        year.items(vat=Vat("Inclusive", "0.25"))


def test_base_rents_end_with_the_lease_and_begin_with_it() -> None:
    quarters = terms(SHOP, interval_months=3).intervals(Period.year(2026))
    ended = lease().evolve(contract_end="2026-05-31")
    begun = lease().evolve(contract_start="2027-02-01")

    assert ["30000.00 EUR", "20000.00 EUR", "0.00 EUR", "0.00 EUR"] == [
        str(each) for each in base_rents(ended, quarters)
    ]
    assert "30000.00 EUR" == str(base_rents(begun, quarters)[0])
    with pytest.raises(MissingFactError, match="no item of key:shop"):
        base_rents(lease(), quarters, of="key:shop")


def quarters_from_december(**fields: Any) -> LeaseTerms:  # noqa: ANN401
    cycle = BillingCycle(period_length=3, start=12)
    item = a_rent(moved_in="2024-12-01", amount=30_000, currency="EUR", billing_cycle=cycle)
    return a_lease(item.evolve(**fields))


def test_a_period_that_reaches_past_the_year_counts_by_its_days() -> None:
    """A quarter of 30,000 from December: 20,000, three times 30,000, and a third of the last.

    However a part of it would be billed where the lease ends: `full` made the year 140,000.
    """
    for word in ("actual_days", "full"):
        yearly = base_rents(quarters_from_december(part_period=word), [Period.year(2026)])
        assert ["120000.00 EUR"] == [str(each) for each in yearly], word


def test_a_period_longer_than_the_year_counts_in_each_of_its_years() -> None:
    """600,000 for five years from 2025, of which 2029 has a fifth; or an opening of four years."""
    cycle = BillingCycle(time_unit="Year", period_length=5)
    item = a_rent(moved_in="2025-01-01", amount=600_000, currency="EUR", billing_cycle=cycle)
    opening = FirstBillingPeriodBillItem(
        amount=Amount(480_000, "EUR"),
        due_date="2020-01-01",
        accounting_period="2020-01-01/2023-12-31",
    )
    opened = a_rent(moved_in="2024-01-01", amount=100, currency="EUR").evolve(
        first_billing_period_bill_item=opening, started_on="2020-01-01"
    )
    for long, year in ((item, 2029), (opened, 2023)):
        found = base_rents(a_lease(long), [Period.year(year)])
        assert ["120000.00 EUR"] == [str(each) for each in found]


def test_an_index_of_the_next_year_is_not_needed() -> None:
    """A tenth more from January 2026: 22,000 + 3 x 33,000 + 11,000 = 132,000.

    Whether the index of October 2026 is known, which January 2027 needs, or not. A store of 3,000 a
    quarter that ended in April has 2,000, and all of its last quarter: 137,000.
    """
    rule = RentAdjustmentRule(
        adjustment_type="Index", adjustment_month=1, index_month=10, first_year="2026"
    )
    adjusted = RentAdjustmentPlan(
        adjustee_ref="rent", adjusts_recurring_bill_item=True, rent_adjustment_rules=(rule,)
    )
    rent = quarters_from_december(id="rent", part_period="full").recurring_bill_items[0]
    store = rent.evolve(id="store", amount=Amount(3000, "EUR"), ended_on="2026-04-10")
    known = {"2024-10": "100", "2025-10": "110"}
    for values in (known, {**known, "2026-10": "121"}):
        series = IndexSeries("NPI", values, base="2015=100")
        for items, expected in (([rent], "132000.00 EUR"), ([rent, store], "137000.00 EUR")):
            both = a_lease(*items).evolve(rent_adjustment_plans=(adjusted,))
            assert expected == str(base_rents(both, [Period.year(2026)], indices=series)[0])
    alone = a_lease(rent).evolve(rent_adjustment_plans=(adjusted,))
    with pytest.raises(MissingIndexError):
        base_rents(alone, [Period.year(2027)], indices=IndexSeries("NPI", known, base="2015=100"))


def test_a_year_without_base_rent_has_lost_its_natural_breakpoint() -> None:
    year = turnover_year(terms(SHOP), sold([0] * 12), "2026", [Amount(0, "EUR")] * 12)

    assert ["breakpoint_lost"] == [each.code for each in year.notices]


def test_an_account_has_stated_base_rents_or_those_of_its_lease() -> None:
    """10 % of 500,000 less 40,000.00 stated, or 12 x 3,000.00 that the lease yields (A129)."""
    fields: dict[str, Any] = {
        "year": "2026",
        "terms": terms(one_rate("10%", relation="higher_of"), interval_months=12),
        "reports": sold([500_000], [Period.year(2026)]),
    }
    of_lease = TurnoverAccount(**fields)
    stated = TurnoverAccount(**fields, base_rents=(Amount(40_000, "EUR"),))
    taxed = stated.evolve(vat=Vat("Exclusive", "0.25"))
    shop_lease = a_lease(a_rent(amount=3000, currency="EUR"))

    assert "14000" == rents(turnover_of(of_lease, shop_lease))
    assert "10000" == rents(turnover_of(stated, shop_lease))
    (item,) = turnover_of(taxed).items()
    assert Vat("Exclusive", "0.25") == item.vat
    with pytest.raises(MissingFactError, match="no base rents"):
        turnover_of(of_lease)
    with pytest.raises(InvalidInputError) as caught:
        TurnoverClause(tiers=[{"rate": 7}])
    assert ["tiers[0].rate"] == [each.path for each in caught.value.problems]
