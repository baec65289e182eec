"""Arguments and options as values: the period, days, the policy.

Law: a malformed one is a usage error that says what would be right.
"""

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rentbilling.adapters.cli.input.databases import extras
from rentbilling.adapters.cli.streams import STDIN, read_as
from rentbilling.codec import loads
from rentbilling.errors import InvalidInputError, InvalidPeriodError, shown
from rentbilling.policy import BillingPolicy
from rentbilling.values import Period, parse_date

if TYPE_CHECKING:
    from rentbilling.portfolio import TableMapping


def refuse_second_reader(names: Iterable[str | None], *, among: str = "FILE") -> None:
    """Refuse a command that would read standard input twice.

    Raises:
        UsageError: Standard input is among them more than once.
    """
    if list(names).count(STDIN) > 1:
        said = f"Only one of {among}, --policy and --indices can be standard input."
        raise click.UsageError(said)


def refuse_overwriting(read: Iterable[str | None], written: Iterable[str | None]) -> None:
    """Refuse a command that would write over a file that it reads, or write one file twice.

    Raises:
        UsageError: A file is written that was named before.
    """
    seen = {Path(each).resolve() for each in read if each and each != STDIN}
    for each in written:
        if each is not None:
            if (whole := Path(each).resolve()) in seen:
                said = f"{each} would be written over: another option or argument names it."
                raise click.UsageError(said)
            seen.add(whole)


def policy_in(name: str | None) -> BillingPolicy | None:
    """Return the policy of a file; None without a file."""
    return None if name is None else read_as(name, lambda given: loads(given, BillingPolicy))


def mapping_in(name: str | None) -> "TableMapping | None":
    """Return the mapping of a file, None where there is none.

    Raises:
        Refusal: It cannot be read, or is no mapping.
    """
    if name is None:
        return None
    with extras():
        from rentbilling.portfolio import TableMapping
    return read_as(name, TableMapping.from_toml)


def period_in(asked: str, policy: BillingPolicy | None, option: str = "--period") -> Period:
    try:
        return Period.parse(asked, period_end=policy.period_end if policy else "included")
    except InvalidPeriodError as error:
        (problem,) = error.problems
        wrong = f"{problem.met} {problem.message}"
        right = "two days as 2026-01-01/2026-03-31"
        if problem.code in ("reversed_period", "not_a_period"):
            right = problem.expected
        elif problem.met != shown(asked):
            wrong = f"{shown(asked)} is not a period ({wrong})"
        raise click.BadParameter(f"{wrong}; write {right}.", param_hint=f"'{option}'") from None


def day_in(asked: str | None, option: str, example: str | None = None) -> date | None:
    """Return the day of an option; None where it is not given."""
    if asked is None:
        return None
    try:
        return parse_date(asked)
    except InvalidPeriodError as error:
        raise bad_value(error, option, example and f"a date such as {example}") from None


def bad_value(error: InvalidInputError, name: str, right: str | None = None) -> click.BadParameter:
    """Return the usage error for what the library refuses of an option or argument."""
    problem = error.problems[0]
    said = f"{problem.met} {problem.message}; write {right or problem.expected}."
    return click.BadParameter(said, param_hint=f"'{name}'")
