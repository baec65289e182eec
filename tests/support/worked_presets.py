"""Adjustments worked out by hand, at least one for each preset, and the leases that they are of.

The figures are printed by statistics offices, associations, courts or the press of the country
where a row says so; the others follow by hand from invented index values.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final, NamedTuple

import rentbilling as rb
from rentbilling.presets import preset
from rentbilling.presets.clause_preset import ClausePreset
from tests.support.rents import amount, opening, rent


class Worked(NamedTuple):
    """An adjustment worked out by hand, and the preset that has to give it."""

    title: str
    """The preset, as `country: name (region)`."""
    price: str
    """What a billing period costs at first."""
    since: str
    """The opening period: a month of a rent that is paid monthly, a year of a yearly one."""
    series: rb.IndexSeries
    on: str
    """The day of the adjustment."""
    expected: str
    """What a billing period costs from then on."""
    states: Mapping[str, Any]
    """What the lease itself states."""

    @property
    def preset(self) -> ClausePreset:
        country, _, words = self.title.partition(": ")
        name, _, region = words.removesuffix(")").partition(" (")
        return preset(country, name, region=region or None, on=self.on)

    @property
    def rule(self) -> rb.RentAdjustmentRule:
        return self.preset.rule(int(self.on[5:7]), **self.states)

    def __str__(self) -> str:
        return f"{self.title} {self.on}"


def lease(price: str, since: str, *rules: rb.RentAdjustmentRule) -> rb.LeaseTerms:
    """Return a lease of one rent, by the month or by the year, adjusted by some rules."""
    days, cycle = (
        rb.Period.parse(f"{since[:4]}-01-01/{since[:4]}-12-31"),
        rb.BillingCycle(time_unit="Year"),
    )
    if "-" in since:
        days, cycle = days.months[int(since[5:]) - 1], rb.BillingCycle()
    first = opening(str(days), price=price)
    item = rent(price, first_billing_period_bill_item=first, billing_cycle=cycle)
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=rules)
    return rb.LeaseTerms(recurring_bill_items=(item,), rent_adjustment_plans=(plan,))


def adjusted(row: Worked, *rules: rb.RentAdjustmentRule) -> str:
    """Return what is due from the day of a row on, which has to be the last adjustment up to it."""
    terms = lease(row.price, row.since, *rules)
    days = f"{row.since[:4]}-01-01/{row.on}"
    made = rb.rent_adjustments(terms, days, indices=row.series).adjustments
    assert row.on == str(made[-1].adjusted_on)
    return str(made[-1].to_period_amount)


def _table(text: str) -> tuple[Worked, ...]:
    """Read rows: preset | first price | its days | points | what is due from a day on | the rest.

    The rest are fields that the lease states, and `kind`, `base` and `known` of the series.
    """
    found: list[Worked] = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        title, price, since, index, expected, *rest = line.split(" | ")
        states = {
            name: _READ.get(name, str)(value)
            for name, value in (each.split("=", 1) for each in ", ".join(rest).split(", ") if each)
        }
        known = dict(each.split(":") for each in states.pop("known", "").split())
        series = rb.IndexSeries(
            "index",
            dict(each.split() for each in index.split(", ")),
            base=states.get("base"),
            kind=states.pop("kind", "level"),
            known=known,
        )
        on, _, due = expected.partition(": ")
        found.append(Worked(title, price, since, series, on, f"{due} {price[-3:]}", states))
    return tuple(found)


_READ: Mapping[str, Callable[[str], Any]] = {
    "index_month": int,
    "index_quarter": int,
    "minimum_percentage": Decimal,
    "maximum_percentage": Decimal,
    "amount_quantum": Decimal,
    "share": Decimal,
    "base_amount": amount,
}

WORKED: Final = _table("""\
# Bolius with LLO: 10,000 x 111.6 / 104.8 = 10,648.854...
DK: residential | 10000.00 DKK | 2021-08 | 2021-04 104.8, 2022-04 111.6 | 2022-07-01: 10648.85 | \
index_month=4
# 118.3 / 117.7 is +0.51 %, and the lease agrees on 2 to 4: 5,000 x 1.02.
DK: commercial | 5000.00 DKK | 2023-01 | 2022-10 117.7, 2023-10 118.3 | 2024-01-01: 5100.00 | \
minimum_percentage=0.02, maximum_percentage=0.04
# 103.7 / 103.6 is +0.09652... %, with four decimals 0.0965: 60,000 x 1.000965 = 60,057.90;
# the exact ratio gives 60,057.92.
DK: notice template | 60000.00 DKK | 2020 | 2019-05 103.6, 2020-05 103.7 | 2021-01-01: 60057.90 | \
index_month=5
# Danske Udlejere: 60,000 a year are 5,000 a month, x 103.7 / 103.6 = 5,004.83, so 5,005.
DK: whole krone | 5000.00 DKK | 2020-01 | 2019-05 103.6, 2020-05 103.7 | 2021-01-01: 5005.00 | \
index_month=5
# The same rent paid by the year: twelve times 5,005.
DK: whole krone | 60000.00 DKK | 2020 | 2019-05 103.6, 2020-05 103.7 | 2021-01-01: 60060.00 | \
index_month=5
# Tecta: 100,000 x (346.44 - 336.97) / 336.97 = 2,810.34, a supplement of 2,810.
SE: commercial | 100000.00 SEK | 2021 | 2020-10 336.97, 2021-10 346.44 | 2022-01-01: 102810.00 | \
start_point=2020-10
# Morkö: 40,000 x 313.42 / 293.85 = 42,663.95, so 42,664.
SE: commercial | 40000.00 SEK | 2008 | 2007-10 293.85, 2011-10 313.42 | 2012-01-01: 42664.00 | \
start_point=2007-10, first_year=2012
# Castor: 314.02 is below 314.4, so nothing falls; a year later 314.29 still is, so nothing
# rises either, although 314.29 is above 314.02.
SE: commercial, never down | 40000.00 SEK | 2014 | 2013-10 314.4, 2014-10 314.02, 2015-10 314.29 | \
2016-01-01: 40000.00 | start_point=2013-10
# Then 316.6 is: 40,000 x 316.6 / 314.4 = 40,279.90, a supplement of 280.
SE: commercial, never down | 40000.00 SEK | 2014 | 2013-10 314.4, 2014-10 314.02, 2015-10 316.6 | \
2016-01-01: 40280.00 | start_point=2013-10
# Invented values: 10,000 x 126 / 112 = 11,250, from the index of November.
NO: commercial | 10000.00 NOK | 2022-03 | 2021-06 112.0, 2022-11 126.0 | 2023-01-01: 11250.00 | \
start_point=2021-06
# Invented values: the index falls below that of the lease, and the first rent is the least.
NO: commercial | 10000.00 NOK | 2022-03 | 2021-06 112.0, 2022-11 126.0, 2023-11 111.0 | \
2024-01-01: 10000.00 | start_point=2021-06
# Invented values: 130.2 / 124 is +5 %.
NO: residential | 10000.00 NOK | 2022-01 | 2021-10 124.0, 2022-10 130.2 | 2023-01-01: 10500.00 | \
index_month=10
# Tenants' association: 700 x 1935 / 1923 = 704.3682, printed as 704.36.
FI: residential | 700.00 EUR | 2017-04 | 2017-02 1923, 2018-02 1935 | 2018-04-01: 704.36 | \
start_point=2017-02
# The same lease two years later, from the first rent: 700 x 1976 / 1923 = 719.2928.
FI: residential | 700.00 EUR | 2017-04 | 2017-02 1923, 2018-02 1935, 2019-02 1957, 2020-02 1976 | \
2020-04-01: 719.29 | start_point=2017-02
# Helsinki: 420,000 x 2017 / 1969 = 430,238.6998.
FI: land lease | 420000.00 EUR | 2021 | 2020-06 1969, 2021 2017 | 2022-01-01: 430238.70 | \
start_point=2020-06
# CBS table 83136NED, ROZ, June 2024: 1,000 x 127.95 / 124.45 = 1,028.12.
NL: year on year | 1000.00 EUR | 2023-06 | 2023-02 124.45, 2024-02 127.95 | 2024-06-01: 1028.12
# December 2023: 1,000 x 127.70 / 123.95 = 1,030.25.
NL: fixed denominator | 1000.00 EUR | 2022-12 | 2022-08 123.95, 2023-08 127.70 | \
2023-12-01: 1030.25 | start_point=2022-08
# February 2024: 127.73 / 128.25 is -0.4 %, and most leases do not go down. The next one counts
# from October 2022 still: 1,000 x 131.00 / 128.25 = 1,021.44 (131.00 is invented).
NL: ROZ, never down | 1000.00 EUR | 2023-02 | 2022-10 128.25, 2023-10 127.73, 2024-10 131.00 | \
2025-02-01: 1021.44
# Free sector of 2024: 4.5 percent and a point are 5.5.
NL: CPI plus 1 point | 1000.00 EUR | 2023-01 | 2022-09 100, 2023-09 104.5 | 2024-01-01: 1055.00
# Knack: 500 x 119.95 / 110.75 = 541.53, three years in one step.
BE: residential (Flanders) | 500.00 EUR | 2009-12 | 2009-11 110.75, 2012-11 119.95 | \
2012-12-01: 541.53 | start_point=2009-11, first_year=2012
# Health index of December 2020 and 2021, +5.21 %: 1,000 x 115.60 / 109.88 = 1,052.06.
BE: residential (Brussels) | 1000.00 EUR | 2021-01 | 2020-12 109.88, 2021-12 115.60 | \
2022-01-01: 1052.06 | start_point=2020-12
# Signed in September 2020, indexed in November 2021: 500 x 113.94 / 110.20 = 516.97.
BE: residential (Wallonia) | 500.00 EUR | 2020-11 | 2020-08 110.20, 2021-10 113.94 | \
2021-11-01: 516.97 | start_point=2020-08
# Label D: 600 x 127.92 / 109.07 = 703.69, less the 626.79 in force is 76.90, of which 75 % are
# 57.675; 626.79 + 57.675 = 684.465, so 684.47.
BE: residential (Wallonia) | 626.79 EUR | 2021-11 | 2019-08 109.07, 2022-10 127.92 | \
2022-11-01: 684.47 | \
start_point=2019-08, base_amount=600.00 EUR, share=0.75, share_of=money
# Invented values: two years in one step, 106 / 100.
LU: residential | 1000.00 EUR | 2023-01 | 2022-10 100, 2024-10 106 | 2025-01-01: 1060.00 | \
index_month=10, first_year=2025
# 1,200 x 126.82 / 125.50 = 1,212.62.
FR: residential | 1200.00 EUR | 2017-04 | 2016-Q4 125.50, 2017-Q4 126.82 | 2018-04-01: 1212.62 | \
index_quarter=4
# INSEE, +5.22 %: 2,000 x 132.63 / 126.05 = 2,104.40.
FR: shops | 2000.00 EUR | 2023-04 | 2022-Q4 126.05, 2023-Q4 132.63 | 2024-04-01: 2104.40 | \
index_quarter=4
# Invented values: 126 / 120 is +5 %.
FR: offices | 2000.00 EUR | 2023-01 | 2022-Q2 120.00, 2023-Q2 126.00 | 2024-01-01: 2100.00 | \
index_quarter=2
# 600 x 109.3 / 106.6 = 615.20.
DE: index rent | 600.00 EUR | 2022-01 | 2021-10 106.6, 2022-10 109.3 | 2023-01-01: 615.20 | \
index_month=10
# The pages print 2.5 percent for 2.53, and 615.
DE: index rent, one decimal | 600.00 EUR | 2022-01 | 2021-10 106.6, 2022-10 109.3 | \
2023-01-01: 615.00 | index_month=10
# 107.9 is only 4.96 % above 102.8; 102.8 x 1.10 = 113.08 is reached, and all of it counts.
DE: commercial, 10 percent reached | 1000.00 EUR | 2016-02 | \
2012-01 102.8, 2016-10 107.9, 2017-10 113.08 | 2018-01-01: 1100.00 | \
index_month=10, start_point=2012-01
# 102.6 x 1.10 = 112.86 is not more than 10 %; 112.9 is: 1,000 x 112.9 / 102.6 = 1,100.39.
DE: commercial, more than 10 percent | 1000.00 EUR | 2020-02 | \
2017-12 102.6, 2020-10 112.86, 2021-10 112.9 | 2022-01-01: 1100.39 | \
index_month=10, start_point=2017-12
# 112.5 is 9.9 points above 102.6, 112.6 is 10: 1,000 x 112.6 / 102.6 = 1,097.47.
DE: commercial, 10 points | 1000.00 EUR | 2020-02 | 2017-12 102.6, 2020-10 112.5, 2021-10 112.6 | \
2022-01-01: 1097.47 | index_month=10, start_point=2017-12, base=2015=100
# 105 is not more than 5 % above 100; 106 is: 800 becomes 848.
AT: contract, 5 percent | 800.00 EUR | 2020-02 | 2019-10 100, 2020-10 105, 2021-10 106 | \
2022-01-01: 848.00 | index_month=10, start_point=2019-10
# 3.824 percent count 3 + 0.824 / 2 = 3.412: 100 becomes 103.412.
AT: residential | 100.00 EUR | 2020-01 | 2024 100, 2025 100, 2026 100, 2027 103.824 | \
2028-04-01: 103.41
# Signed in May 2027: 7/12 of 2.613 percent are 1.52425, on 1,000.
AT: residential | 1000.00 EUR | 2027-05 | 2026 100, 2027 102.613 | 2028-04-01: 1015.24
# Half a cent is dropped; signed in January, 11/12 of 12/11 percent: 100.50 x 1.01 = 101.505.
AT: residential | 100.50 EUR | 2020-01 | 2024 110, 2025 111.2 | 2026-04-01: 101.50
# 3.5 percent count 3.25, at most 1 in 2026, and 11/12 of that: 800 x 1.0091666....
AT: residential, price-protected | 800.00 EUR | 2020-01 | 2024 100, 2025 103.5 | 2026-04-01: 807.33
# At most 2 in 2027, and 11/12 of that: 800 x 1.018333....
AT: residential, price-protected | 800.00 EUR | 2020-01 | 2025 100, 2026 103.5 | 2027-04-01: 814.67
# Signed in April 2026: 8/12 of 2 percent, the limit before the part of the year.
AT: residential, price-protected | 800.00 EUR | 2026-04 | 2025 100, 2026 103.5 | 2027-04-01: 810.67
# 2,500 x 103.9 / 101.9 = 2,549.07, to 5 rappen.
CH: index rent | 2500.00 CHF | 2012-01 | 2011-10 101.9, 2012-10 103.9 | 2013-01-01: 2549.05 | \
index_month=10
# Immoscout prints 2,549.10: to 10 rappen.
CH: index rent | 2500.00 CHF | 2012-01 | 2007-10 101.9, 2012-10 103.9 | 2013-01-01: 2549.10 | \
index_month=10, start_point=2007-10, amount_quantum=0.1
# 80 percent of 49.067 are 39.254: 2,539.25.
CH: index rent before August 1996 | 2500.00 CHF | 2012-01 | 2011-10 101.9, 2012-10 103.9 | \
2013-01-01: 2539.25 | index_month=10
# Mietrecht.ch: 105.4 / 102.9 is +2.43 %, of which 40 percent are 0.972: 1,009.72, to 5 rappen.
CH: cost increase | 1000.00 CHF | 2003-11 | 2003-10 102.9, 2007-02 105.4 | 2007-04-01: 1009.70 | \
index_month=2, start_point=2003-10, first_year=2007
# 3.6 percent on 3,000.
PL: yearly mean | 3000.00 PLN | 2025-02 | 2024 100, 2025 103.6 | 2026-02-01: 3108.00
# INE: 61.827 / 60.030 is 2.9935 %, used as 3.0: 412.00 instead of 411.97.
ES: IPC | 400.00 EUR | 2002-10 | 2002-08 60.030, 2003-08 61.827 | 2003-10-01: 412.00 | index_month=8
# The first one published, for November 2024: 2.20 percent.
ES: IRAV | 1000.00 EUR | 2024-01 | 2024-11 0.022 | 2025-01-01: 1022.00 | kind=change
# 75 percent of 1.3 percent are 0.975.
IT: 75 percent | 1000.00 EUR | 2024-04 | 2025-01 0.013 | 2025-04-01: 1009.75 | \
kind=change, index_month=1
# 75 percent of 2.1 percent are 1.575, printed as 1.57.
IT: 75 percent, cut | 1000.00 EUR | 2024-04 | 2025-01 0.021 | 2025-04-01: 1015.70 | \
kind=change, index_month=1
# -0.1 percent leave the rent as it is.
IT: 100 percent | 1000.00 EUR | 2016-01 | 2016-10 -0.001 | 2017-01-01: 1000.00 | \
kind=change, index_month=10
# 500 x 1.0115.
PT: coefficient | 500.00 EUR | 2018-01 | 2018-08 0.0115 | 2019-01-01: 505.75 | kind=change
# The coefficient of 2025 counts until December; 333.31 x 1.0216 = 340.5095, up to 340.51.
PT: coefficient | 333.31 EUR | 2024-12 | 2024-08 0.0216 | 2025-12-01: 340.51 | kind=change
# 333.31 x 1.0115 = 337.1431, up to 337.15.
PT: coefficient | 333.31 EUR | 2018-01 | 2018-08 0.0115 | 2019-01-01: 337.15 | kind=change
# 99.01 and no change become 100.
PT: coefficient, whole euro | 99.01 EUR | 2009-01 | 2009-08 0 | 2010-01-01: 100.00 | kind=change
# RPI of May 2013 and 2020, as the Court of Appeal had it: 10,000 x 292.2 / 250 = 11,688.
GB: yearly review | 10000.00 GBP | 2013-07 | 2013-05 250.0, 2020-05 292.2 | 2020-07-01: 11688.00 | \
start_point=2013-05, first_year=2020
# 3 percent in five years, and a collar of 2 a year: 1.02 to the fifth is 1.10408.
GB: five-yearly review | 10000.00 GBP | 2015-01 | 2014-11 100, 2019-11 103 | \
2020-01-01: 11040.81 | first_year=2020, minimum_percentage=0.02, maximum_percentage=0.04
# Invented values: 5 percent and 7.5 are 12.5; 101 x 1.125 = 113.625, up to 114.
GB: maximum fair rent, first registration (England) | 101.00 GBP | 2020-06 | \
2020-04 250, 2022-04 262.5 | 2022-06-01: 114.00 | \
known=2020-04:2020-05-15 2022-04:2022-05-15, start_point=2020-04, first_year=2022
# Later on 5 and 5 are 10; 101 x 1.1 = 111.10, up to 111.50.
GB: maximum fair rent (England) | 101.00 GBP | 2020-06 | 2020-04 250, 2022-04 262.5 | \
2022-06-01: 111.50 | \
known=2020-04:2020-05-15 2022-04:2022-05-15, start_point=2020-04, first_year=2022
# 5 percent of HICP in a year, of which 2 count: 1,650 x 1.02.
IE: residential | 1650.00 EUR | 2022-03 | 2022-01 100, 2023-01 105 | 2023-03-01: 1683.00 | \
known=2022-01:2022-02-20 2023-01:2023-02-20, start_point=2022-01
# 1,650.37 x 1.02 = 1,683.3774, never above it.
IE: residential | 1650.37 EUR | 2022-03 | 2022-01 100, 2023-01 105 | 2023-03-01: 1683.37 | \
known=2022-01:2022-02-20 2023-01:2023-02-20, start_point=2022-01
# 6.6 percent of HICP in five years, less than 5 x 2: 1,400 x 1.066 = 1,492.40, printed as
# 1,492.
IE: residential | 1400.00 EUR | 2017-03 | 2017-01 100, 2022-01 106.6 | 2022-03-01: 1492.00 | \
known=2017-01:2017-02-20 2022-01:2022-02-20, start_point=2017-01, amount_quantum=1, \
amount_rounding=down
# BLS layout: 3.130 / 229.815 is 1.4 percent in one decimal.
US: CPI-U | 1500.00 USD | 2012-01 | 2011-10 229.815, 2012-10 232.945 | 2013-01-01: 1521.00 | \
index_month=10
# 3 percent are more than 1.4.
US: greater of CPI-U and 3 percent | 1500.00 USD | 2012-01 | 2011-10 229.815, 2012-10 232.945 | \
2013-01-01: 1545.00 | index_month=10
# The guideline of 2017: 1.5 percent; that of the year before was 2.
CA: guideline (Ontario) | 1000.00 CAD | 2016-07 | 2016 0.02, 2017 0.015 | 2017-07-01: 1015.00 | \
kind=change
# 1,050.20 x 1.025 = 1,076.455, never rounded up.
CA: guideline (Ontario) | 1050.20 CAD | 2024-07 | 2025 0.025 | 2025-07-01: 1076.45 | kind=change
# Never more than 2.5 percent.
CA: guideline (Ontario) | 1000.00 CAD | 2016-07 | 2016 0.02, 2017 0.031 | 2017-07-01: 1025.00 | \
kind=change
# 60 x 169.5 / 84 = 121.07.
AU: CPI review | 60.00 AUD | 1987-11 | 1987-Q3 84, 2009-Q4 169.5 | 2010-01-01: 121.07 | \
start_point=1987-Q3, first_year=2010
# Invented values: 5,010 x 1.033 = 5,175.33, to the whole shekel.
IL: known index | 5010.00 ILS | 2022-01 | 2021-11 100.0, 2022-11 103.3 | 2023-01-01: 5175.00
# Invented values: a fallen index changes nothing.
IL: known index, no drop | 5010.00 ILS | 2022-01 | 2021-11 103.3, 2022-11 100.0 | \
2023-01-01: 5010.00
""")
"""The rows, in the order of the table of presets."""
