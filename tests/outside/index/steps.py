"""Stepped rents: increments of amounts, percentages or levels, year by year, and amounts used once.

Law: each step is an increment of a rule; a year that is only counted begins with 2021.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final

import rentbilling as rb
from tests.outside.board import UnsaidError, Verdict, held_against
from tests.outside.index.figures import amounts, answer, in_force
from tests.outside.index.leases import Question, currency_of, terms_of
from tests.outside.index.stated import Stated, fraction_of

_BEFORE_THE_FIRST: Final = 2020
_ANY_AMOUNT: Final = Decimal(1000)
_A_YEAR: Final = {"day": 365, "week": 52, "month": 12, "quarter": 4, "half_year": 2, "year": 1}


def is_stepped(stated: Stated) -> bool:
    by_amount = stated.has("steps") and not stated.index_steps
    return by_amount or _discount(stated) is not None


def figures_of(stated: Stated) -> Iterator[Verdict]:
    asked = asked_of(stated)
    for step in _steps(stated):
        if step.get("expected") is not None:
            day = date(_year(stated, step), 1, 1)
            expected = Decimal(str(step["expected"]))
            yield held_against(expected, in_force(asked, day), what=f"amount on {day}")
    yield from amounts(stated, asked, answer(asked))


def _steps(stated: Stated) -> Iterator[Mapping[str, Any]]:
    """Give the steps; a discount that is used up at once is one too."""
    yield from stated.extra.get("steps") or ()
    discount = _discount(stated)
    if discount is not None:
        yield {"year": str(_BEFORE_THE_FIRST + 1), "amount": str(-discount)}


def _discount(stated: Stated) -> Decimal | None:
    left = str(stated.extra.get("carry", ""))
    return Decimal(left) if left[:1].isdigit() else stated.number("one_time_discount")


def asked_of(stated: Stated) -> Question:
    steps = list(_steps(stated))
    years = [_year(stated, step) for step in steps]
    rule = rb.RentAdjustmentRule(
        adjustment_type="Increment",
        adjustment_month=1,
        increments=tuple(_increment(stated, step) for step in steps),
    )
    price = stated.number("base_amount") or _ANY_AMOUNT
    return Question(
        terms_of(stated, price, date(min(years) - 1, 1, 1), (rule,)),
        (),
        rb.BillingPolicy(increment_amount=_scale(stated)),
        date(min(years), 1, 1),
        date(max(years), 1, 1),
    )


def _year(stated: Stated, step: Mapping[str, Any]) -> int:
    year = int(step["year"])
    return year + _BEFORE_THE_FIRST if stated.word("year_is") == "ordinal" else year


def _increment(stated: Stated, step: Mapping[str, Any]) -> rb.Increment:
    fields: dict[str, Any] = {
        "year": f"{_year(stated, step):04d}",
        "recurrence": stated.word("recurrence"),
    }
    if step.get("pct") is not None:
        return rb.Increment(percentage=fraction_of(step["pct"]), **fields)
    for name in ("amount", "level"):
        if step.get(name) is not None:
            value = Decimal(str(step[name])) * _times(stated)
            fields[name] = rb.Amount(value, currency_of(stated))
            return rb.Increment(**fields)
    raise UnsaidError("a step of neither amount nor percentage nor level")


def _per(stated: Stated, name: str) -> str | None:
    given = stated.given(name)
    return None if given is None else str(given)


def _scale(stated: Stated) -> Any:  # noqa: ANN401
    """Return whether the library reads the amounts of steps per billing period or per year."""
    step, amount = _per(stated, "step_per"), _per(stated, "amount_per")
    return "per_period" if step in {None, "period", amount} else "per_year"


def _times(stated: Stated) -> int:
    """Return by what an amount of a step is multiplied to be one of a year, where that is read."""
    step = _per(stated, "step_per")
    if _scale(stated) == "per_period" or step is None:
        return 1
    if step not in _A_YEAR:
        raise UnsaidError(f"a step per {step}")
    return _A_YEAR[step]
