"""Short ways to write index series, adjustment plans and what came of them.

The lease: the plain rent of `rents` at 10,000 DKK a month, whose opening period ends on 31 January
2020, so that its first adjustment can come in February 2020.
"""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import rentbilling as rb
from rentbilling.indices import AnyIndices
from tests.support.rents import amount, opening, rent

LONG = "2020-02-01/2035-12-31"
"""All the years that the tests adjust in."""
TO_2021 = "2020-02-01/2021-12-31"
TO_2022 = "2020-02-01/2022-12-31"
TO_2023 = "2020-02-01/2023-12-31"
IN_2021 = "2021-01-01/2021-12-31"
IN_2022 = "2022-01-01/2022-12-31"
GOES_ON = rb.BillingPolicy(missing_index="notice")
ITEM = "recurring-1"
"""Id of the plain rent in its lease."""


_FIGURE = re.compile(r"-?[0-9]+([.][0-9]+)?")
_LIMITS = {"least": "minimum_percentage", "most": "maximum_percentage"}


def series(values: Mapping[str, object], name: str = "NPI", **changes: Any) -> rb.IndexSeries:  # noqa: ANN401
    """Return a series of values by point, on the base 2015=100 unless another is given."""
    texts = {point: str(value) for point, value in values.items()}
    return rb.IndexSeries(name, texts, **{"base": "2015=100", **changes})


def octobers(*values: object, first: int = 2019, **changes: Any) -> rb.IndexSeries:  # noqa: ANN401
    """Return a series with one value for each October, from 2019 on unless told otherwise."""
    return series({f"{year}-10": value for year, value in enumerate(values, first)}, **changes)


def years(*values: object, first: int = 2019, **changes: Any) -> rb.IndexSeries:  # noqa: ANN401
    return series({f"{year}": value for year, value in enumerate(values, first)}, **changes)


TENTHS = octobers(100, 110, 121, "133.1", "146.41")
"""Each October a tenth more than the one before, from 2019 on."""


def clause(**fields: Any) -> rb.IndexClause:  # noqa: ANN401
    return rb.IndexClause(**{name: figure(value) for name, value in fields.items()})


def figure(value: Any) -> Any:  # noqa: ANN401
    """Return the number that a text writes; an amount where it names a currency."""
    if isinstance(value, str) and _FIGURE.fullmatch(value):
        return Decimal(value)
    if isinstance(value, str) and value.endswith(" DKK"):
        return amount(value)
    return value


def by_index(**fields: Any) -> rb.RentAdjustmentRule:  # noqa: ANN401
    """Return a rule by the index of October for each January, or as these fields say.

    Fields of its clause stand among them; a minimum and a maximum are `least` and `most`.
    """
    own, changes = _clause_apart(fields)
    month = None if own is not None and (own.finds_points or own.combine == "limit") else 10
    return rb.RentAdjustmentRule(
        **{"adjustment_type": "Index", "adjustment_month": 1, "index_month": month, **changes}
    )


def _clause_apart(fields: dict[str, Any]) -> tuple[rb.IndexClause | None, dict[str, Any]]:
    """Return the clause that some fields make, and the other fields of a rule with it."""
    own = {name: fields.pop(name) for name in list(fields) if name in rb.IndexClause.model_fields}
    changes = {
        _LIMITS.get(name, name): figure(value) if name in _LIMITS else value
        for name, value in fields.items()
    }
    if own:
        changes["index_clause"] = clause(**own)
    return changes.get("index_clause"), changes


def ruled(**fields: Any) -> rb.RentAdjustmentRule:  # noqa: ANN401
    """Return the rule by the index of October, or as these fields of its clause find the point."""
    own = clause(**fields)
    return by_index(index_clause=own, index_month=None if own.finds_points else 10)


def step(
    year: int | str, text: str, *, level: bool = False, recurs: bool | None = None
) -> rb.Increment:
    """Return an increment: `3 %` is a percentage, another text an amount, or a level."""
    recurrence = None if recurs is None else "Recurring" if recurs else "OneTime"
    fields: dict[str, Any] = {"year": f"{year}", "recurrence": recurrence}
    if text.endswith("%"):
        fields["percentage"] = Decimal(text.removesuffix("%").strip()).scaleb(-2)
    else:
        fields["level" if level else "amount"] = amount(text)
    return rb.Increment(**fields)


def by_steps(*increments: rb.Increment, **fields: Any) -> rb.RentAdjustmentRule:  # noqa: ANN401
    """Return a rule of increments for each January, or as fields of it or its clause say."""
    _, changes = _clause_apart(fields)
    return rb.RentAdjustmentRule(
        **{
            "adjustment_type": "Increment",
            "adjustment_month": 1,
            "increments": increments,
            **changes,
        }
    )


def plan(*rules: rb.RentAdjustmentRule, **changes: Any) -> rb.RentAdjustmentPlan:  # noqa: ANN401
    return rb.RentAdjustmentPlan(rent_adjustment_rules=rules, **changes)


def deposit(price: str = "30000.00", months: str | None = None, **changes: Any) -> rb.Balance:  # noqa: ANN401
    return rb.Balance(
        amount=amount(price), months=None if months is None else Decimal(months), **changes
    )


def home(price: str = "10000.00", **changes: Any) -> rb.RecurringBillItem:  # noqa: ANN401
    """Return the rent that is adjusted; its opening period is January 2020."""
    first = opening("2020-01-01/2020-01-31", price=price)
    return rent(price, **{"first_billing_period_bill_item": first, **changes})


def lease(
    *plans: rb.RentAdjustmentPlan | rb.RentAdjustmentRule,
    item: rb.RecurringBillItem | None = None,
    **changes: Any,  # noqa: ANN401
) -> rb.LeaseTerms:
    """Return a lease of one rent with plans; a rule alone is a plan of one rule."""
    fields: dict[str, Any] = {
        "recurring_bill_items": (home() if item is None else item,),
        "rent_adjustment_plans": tuple(
            plan(each) if isinstance(each, rb.RentAdjustmentRule) else each for each in plans
        ),
    }
    return rb.LeaseTerms(**{**fields, **changes})


def whole(terms: rb.LeaseTerms | rb.RentAdjustmentPlan | rb.RentAdjustmentRule) -> rb.LeaseTerms:
    """Return a lease as it is, and of a plan or a rule alone the lease that it adjusts."""
    return terms if isinstance(terms, rb.LeaseTerms) else lease(terms)


def made(
    terms: rb.LeaseTerms,
    indices: AnyIndices = None,
    days: str = LONG,
    policy: rb.BillingPolicy | None = None,
) -> list[tuple[str, str]]:
    """Return the day and the new amount of every adjustment of some days."""
    found = rb.rent_adjustments(terms, days, indices=indices, policy=policy)
    return [(each.adjusted_on.isoformat(), to_text(each)) for each in found]


def amounts(
    terms: rb.LeaseTerms,
    indices: AnyIndices = None,
    days: str = LONG,
    policy: rb.BillingPolicy | None = None,
) -> list[str]:
    return [text for _, text in made(terms, indices, days, policy)]


def to_text(adjusted: rb.RentAdjustment) -> str:
    to = adjusted.to_period_amount or adjusted.to_balance_amount
    return "" if to is None else f"{to.amount:f}"


def worth(terms: rb.LeaseTerms, day: str, indices: AnyIndices = None, what: str = ITEM) -> str:
    return f"{rb.amount_in_force(terms, what, day, indices=indices).amount:f}"


def with_listed(
    terms: rb.LeaseTerms, listed: Iterable[rb.RentAdjustment], at: int = 0
) -> rb.LeaseTerms:
    plans = list(terms.rent_adjustment_plans)
    plans[at] = plans[at].evolve(adjustments=tuple(listed))
    return terms.evolve(rent_adjustment_plans=tuple(plans))
