"""What the tables of calls can name beside the public names of the package."""

import copy
import functools
import json
import pickle
import types
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import ROUND_DOWN, Context, Decimal, Inexact, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from dateutil.relativedelta import MO, relativedelta
from dateutil.rrule import DAILY, YEARLY, rrule, rruleset
from pydantic import TypeAdapter

import rentbilling as rb
from rentbilling import (
    billing,
    checks,
    errors,
    payers,
    policy,
    portfolio,
    schedule,
    settlement,
    terms,
    testing,
    values,
    whatif,
)
from rentbilling.adjustments import AdjustmentResult
from rentbilling.errors import InvalidInputError, RentBillingError
from rentbilling.schedule import part_periods
from rentbilling.values import money, wire_form
from tests.oracle.workings import replayed


class Day(date):
    """A date of another library."""


class Reading(float):
    """A binary number whose repr is no number, like those of array libraries."""

    def __repr__(self) -> str:
        return f"Reading({float(self)})"

    def __str__(self) -> str:
        return float.__repr__(self)


class Unprintable(float):
    """A binary number that prints as no number at all."""

    def __repr__(self) -> str:
        return "much"


class NoWords:
    """A type of a caller that cannot be quoted."""

    def __repr__(self) -> str:
        raise LookupError("not now")


class Days:
    """A container of days that cannot list them: those of which something is true."""

    def __init__(self, holds: Callable[[date], bool]) -> None:
        self._holds = holds

    def __contains__(self, each: object) -> bool:
        return isinstance(each, date) and self._holds(each)


class Filling(dict[date, str]):
    """A calendar that knows a year's holidays once one of its days was asked for."""

    def __contains__(self, asked: object) -> bool:
        if isinstance(asked, date):
            self[date(asked.year, 1, 1)] = "New year"
        return super().__contains__(asked)


class Counted(list[datetime]):
    """A rule that counts how often it is asked."""

    def between(self, after: datetime, before: datetime, inc: bool = False) -> list[datetime]:  # noqa: ARG002, FBT002
        self.asked = [*getattr(self, "asked", []), after.year]
        return list(self)


class Told(str):
    """An outcome that is a text already."""

    __slots__ = ()


def outcome(call: Callable[[], object], *, met: bool = True, whole: bool = False) -> str:
    """Return what a call gives, or the kind of its error with path, code and value met."""
    try:
        return _shown(call())
    except InvalidInputError as error:
        kind = type(error).__name__
        if whole:
            return f"{kind}: {error}".replace("\n", " ¶ ")
        return f"{kind} " + "; ".join(
            " ".join(filter(None, (each.path, each.code, each.met if met else "")))
            for each in error.problems
        )
    except (RentBillingError, TypeError) as error:
        text = f"{type(error).__name__}: {error}"
        return text if met else text.partition(", not ")[0][:120]
    except NameError:
        # The line itself is wrong.
        raise
    except Exception as error:  # noqa: BLE001 - whatever is answered
        return type(error).__name__


def _shown(found: object) -> str:
    if isinstance(found, (list, tuple)) and not hasattr(found, "_fields"):
        return "[" + ", ".join(map(_shown, found)) + "]"
    return str(found)


def each(call: Callable[..., object], *given: object) -> Told:
    """Return what each value gives: once where all give the same, without the value met."""
    found = [outcome(functools.partial(call, one), met=False) for one in given]
    return Told(found[0] if len({*found}) == 1 else " | ".join(found))


def all_of(*calls: Callable[[], object]) -> Told:
    """Return what each call gives, as `each`."""
    return each(lambda call: call(), *calls)


def said(call: Callable[[], object]) -> Told:
    """Return what would be right of each problem of a refused call."""
    try:
        return Told(_shown(call()))
    except InvalidInputError as error:
        return Told(" ¶ ".join(problem.expected for problem in error.problems))


def problems_of(call: Callable[[], object]) -> tuple[errors.Problem, ...]:
    try:
        call()
    except InvalidInputError as error:
        return error.problems
    return ()


def said_met(call: Callable[[], object]) -> str:
    return problems_of(call)[0].met


def inside(how: dict[str, Any], call: Callable[[], object]) -> object:
    """Return what a call gives in another decimal context of the caller."""
    with localcontext(Context(**how)):
        return call()


def bill_of(*lines: str, policy: rb.BillingPolicy | None = None) -> rb.PendingBill:
    """Return a bill of lines such as "1000.01 Exclusive 25%" or "3 × 33.34 Exempt", in EUR."""
    items = []
    for at, line in enumerate(lines, 1):
        times, _, rest = line.rpartition(" × ")
        amount, _, vat = rest.partition(" ")
        item = billing.one_time_item(f"key:{at}", f"{amount} EUR", "2026-03-01", vat=vat)
        days = {"quantity": Decimal(times or 1), "accounting_period": "2026-03-01/2026-03-31"}
        items.append(item.evolve(**days))
    return rb.pending_bills(items, "2026-03", policy=policy)[0]


def parts_told(result: rb.BillingResult) -> str:
    """Return of each payer nets, VAT totals, total and corrections; the bills are right."""
    assert rb.check_bill(result).is_consistent
    return "; ".join(f"{_figures(bill)} {_units(bill)}".rstrip() for bill in _replayed(result))


def less_told(count: int, result: rb.BillingResult) -> str:
    """Return the amounts of the lines after the first, VAT totals, total and notices."""
    assert not rb.check_bill(result).errors
    (bill,) = _replayed(result)
    taken = " ".join(f"{line.amount.amount}" for line in bill.lines[count:])
    told = [_figures(bill).replace(_nets(bill), taken, 1), *(each.code for each in result.notices)]
    return " ".join(told)


def _replayed(result: rb.BillingResult) -> rb.BillingResult:
    for bill, working in zip(result, rb.explain(result), strict=True):
        assert bill.payable == replayed(working)
    return result


def _nets(bill: rb.PendingBill) -> str:
    return " ".join(f"{line.net_price.amount}" for line in bill.lines)


def _figures(bill: rb.PendingBill) -> str:
    vats = " ".join(f"{total.amount.amount}" for total in bill.vat_totals)
    return f"{_nets(bill)} / {vats} / {bill.total.amount}"


def _units(bill: rb.PendingBill) -> str:
    found = bill.payer.corrections.items() if bill.payer else ()
    return " ".join(f"{path} {units:+}" for path, units in found)


def public(of: types.ModuleType) -> dict[str, object]:
    return {name: getattr(of, name) for name in dir(of) if not name.startswith("_")}


def by_name(given: Iterable[Any]) -> dict[str, object]:
    return {each.__name__.rpartition(".")[2]: each for each in given}


def names() -> dict[str, Any]:
    """Return what an expression can name."""
    found: dict[str, Any] = {}
    for of in (whatif, billing, terms, values, schedule, policy, payers, errors, rb):
        found |= public(of)
    found |= by_name((copy, functools, json, pickle, OrderedDict, Path, date, datetime, timedelta))
    found |= by_name(
        (TypeAdapter, timezone, ZoneInfo, relativedelta, rrule, rruleset, checks, part_periods)
    )
    found |= by_name((portfolio, settlement, testing, money, wire_form, AdjustmentResult))
    found |= by_name((Day, Reading, Unprintable, NoWords, Days, Filling, Counted, outcome, each))
    found |= by_name((all_of, said, said_met, problems_of, inside, bill_of, parts_told, less_told))
    found |= {"UTC": UTC, "ROUND_DOWN": ROUND_DOWN, "Inexact": Inexact, "MO": MO, "rb": rb}
    found |= {"DAILY": DAILY, "YEARLY": YEARLY, "D": Decimal, "F": Fraction, "replayed": replayed}
    lease = testing.a_lease(testing.a_rent(amount="8500", moved_in="2026-01-15"))
    found |= {"lease": lease, "rent": lease.recurring_bill_items[0], "columns": _columns()}
    return {**found, "bills": rb.pending_bills(lease, "2026"), "Payer": billing.Payer}


def _columns() -> types.SimpleNamespace:
    """Return a column of Christmas 2026 of each library, and what else pandas and NumPy have."""
    found = types.SimpleNamespace()
    days, moments = [date(2026, 12, 25)], [datetime(2026, 12, 25)]  # noqa: DTZ001
    found.index = pd.DatetimeIndex(moments)
    found.series, found.polars = pd.Series(found.index), pl.Series(days)
    found.array, found.arrow = np.array(["2026-12-25"], "datetime64[D]"), pa.array(days)
    found.month, found.days = pd.Period("2026-01", "M"), pd.Period("2026-01-31", "D")
    found.hour, found.nat = pd.Period("2026-01-31 12", "h"), pd.NaT
    found.moment, found.noon = pd.Timestamp("2026-01-01"), pd.Timestamp("2026-01-01 12:00")
    found.day64 = np.datetime64("2026-01-31")
    return found
