"""Turnover rent: examples stated as a clause and sales."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rentbilling import Period
from rentbilling.turnover import part_of_year, turnover_rent
from tests.outside.settlement.figures import Given, number, period
from tests.support.settlements import Data, SalesReport, TurnoverClause, TurnoverTier

_MONTHS = 12


def answer(given: Given) -> Mapping[str, Any]:
    words = str(given.get("part_year", ""))
    base = given.amount(given.get("base_rent") or 0)
    opened, ends = _days(given)
    share: Fraction | int = 1
    scale: Fraction | int = 1
    if "breakpoint by time" in words:
        share = part_of_year(Period(opened, ends))
    elif "extended" in words:
        scale = Fraction(Period(opened, ends).days, Period.year(ends.year).days)
    clause = _clause(given)
    if given.get("method") or "sales_month" in given:
        return _annualised(given, clause, base)
    sales = _sales(given)
    found = turnover_rent(clause, sales, base_rent=base, share=share, scale=scale)
    return {
        "breakpoint": found.sales_breakpoint,
        "excess": found.excess,
        "computed": found.computed,
        "gross": found.computed,
        "total": found.total,
        "turnover_rent": found.turnover_rent,
        "year": found.turnover_rent,
        "month": number(found.turnover_rent.amount) / _MONTHS,
    }


def _annualised(given: Given, clause: Data, base: Data) -> Mapping[str, Any]:
    """Return a month's sales as a year's, and a twelfth of what they yield."""
    sales = Decimal(str(given.get("sales_month", given.get("sales")))) * _MONTHS
    year = turnover_rent(clause, sales, base_rent=base)
    month = turnover_rent(clause, sales, base_rent=base, scale=Fraction(1, _MONTHS))
    return {
        "annualised": year.sales,
        "breakpoint": year.sales_breakpoint,
        "excess": year.excess,
        "year": year.turnover_rent,
        "month": month.turnover_rent,
        "turnover_rent": month.turnover_rent,
    }


def _days(given: Given) -> tuple[date, date]:
    opened = str(given.get("opened") or "01-01")
    ends = date.fromisoformat(given["year_end"]) if "year_end" in given else date(2026, 12, 31)
    if len(opened) == len("10-01"):
        opened = f"{ends.year}-{opened}"
    return date.fromisoformat(opened), ends


def _clause(given: Given) -> Data:
    stated = given.get("breakpoint", given.get("breakpoint_year"))
    fields: dict[str, Any] = {"natural": stated == "natural"}
    if stated not in (None, "natural"):
        fields["sales_breakpoint"] = given.amount(stated)
    if str(given.get("relation", "")).startswith(("higher", "versus")):
        fields["relation"] = "higher_of"
    if "minimum_sales_per_report" in given:
        fields["minimum_report"] = given.amount(given["minimum_sales_per_report"])
    return TurnoverClause(
        tiers=_tiers(given),
        tier_rule=given.get("tier_rule") or ("whole" if "bands" in given else "marginal"),
        step=1 if given.is_whole() else None,
        **fields,
    )


def _tiers(given: Given) -> list[Any]:
    if "bands" in given:
        return [
            TurnoverTier(
                end=_number(end),
                rate=Decimal(rate),
                minimum=None if minimum is None else given.amount(minimum),
            )
            for end, rate, minimum in (_padded(each, 3) for each in given["bands"])
        ]
    if "tiers" in given:
        return [
            TurnoverTier(
                start=_number(start),
                end=_number(end),
                rate=Decimal(rate),
                fixed=None if fixed is None else given.amount(fixed),
            )
            for start, end, rate, fixed in (_padded(each, 4) for each in given["tiers"])
        ]
    return [TurnoverTier(rate=Decimal(given.get("rate") or 0))]


def _padded(row: list[Any], length: int) -> list[Any]:
    return [*row, *[None] * (length - len(row))]


def _number(text: Data) -> Decimal | None:
    return None if text is None else Decimal(text)


def _sales(given: Given) -> Data:
    stated = given.get("counted_sales", given.get("sales", 0))
    if not isinstance(stated, list):
        return Decimal(str(stated))
    months = [Period.month(2026, at + 1) for at in range(len(stated))]
    return [
        SalesReport(period=period(each), sales=given.amount(each[2]))
        if isinstance(each, list)
        else SalesReport(period=month, sales=given.amount(each))
        for each, month in zip(stated, months, strict=True)
    ]
