"""What forecasts and scenarios are handed: leases of several files, assumed values, a picture.

Law: what is wrong with a file is said with the name of that file; a picture that nobody can draw is
refused before anything is computed.
What does not live here: periods, policies and index files (`inputs`), the words of scenarios
(`scenario_words`).
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rentbilling.adapters.cli.scenario_words import rate_in
from rentbilling.adapters.cli.streams import STDIN, Refusal, read_bytes, refusing

if TYPE_CHECKING:
    from rentbilling.index_series import IndexSeries
    from rentbilling.policy import BillingPolicy
    from rentbilling.terms import LeaseTerms

_PICTURES: Final = (".png", ".svg", ".pdf")


def leases_in(names: Sequence[str], policy: "BillingPolicy | None") -> "list[LeaseTerms]":
    """Return the leases that files hold, in order.

    Args:
        names: Of the files; `-` is standard input.
        policy: The billing policy.

    Returns:
        A lease for each file. Of several, one without an id of its own gets the name of its file.

    Raises:
        Refusal: A file cannot be read, or is refused.
    """
    from rentbilling.codec import loads
    from rentbilling.terms import LeaseTerms

    found: list[LeaseTerms] = []
    for name in names:
        given = read_bytes(name)
        with refusing(name):
            terms = loads(given, LeaseTerms, policy=policy)
            if len(names) > 1 and terms.lease_id in {None, *(each.lease_id for each in found)}:
                own = "standard input" if name == STDIN else Path(name).stem
                terms = terms.evolve(lease_id=own)
        found.append(terms)
    return found


def earliest_of(leases: "Iterable[LeaseTerms]") -> date | None:
    """Return the first day that a recurring item of any lease is paid for; None without one."""
    return min(
        (
            item.first_billing_period_bill_item.accounting_period.start
            for lease in leases
            for item in lease.recurring_bill_items
        ),
        default=None,
    )


def assumed_rate_in(text: str | None) -> Any:  # noqa: ANN401 - an exact rate, or none
    """Return the rate at which index series go on; what is no rate is a usage error."""
    if text is None:
        return None
    try:
        return rate_in(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'--assume-index'") from None


def assumed(
    indices: "Sequence[IndexSeries]",
    rate: Any,  # noqa: ANN401 - as `assumed_rate_in` gives it
    year: int,
) -> "tuple[IndexSeries, ...]":
    """Return series that go on at a rate to the end of a year, as they are without a rate.

    Raises:
        InvalidInputError: The rate is out of range, or a value gets too long.
    """
    if rate is None:
        return tuple(indices)
    until = f"{min(year, date.max.year):04d}-12"
    return tuple(each.extended(rate, until) for each in indices)


def day_in(text: str | None) -> date | None:
    """Return the day that `--start` says; what is no date is a usage error."""
    from rentbilling.errors import InvalidPeriodError
    from rentbilling.periods import parse_date

    if text is None:
        return None
    try:
        return parse_date(text)
    except InvalidPeriodError as error:
        (problem,) = error.problems
        said = f"{problem.met} {problem.message}; write a date such as 2027-01-01."
        raise click.BadParameter(said, param_hint="'--start'") from None


def plots_for(name: str | None) -> Any:  # noqa: ANN401 - an extra that may be absent
    """Return what draws pictures, None where none is asked for.

    Args:
        name: Of the picture's file.

    Returns:
        The module.

    Raises:
        BadParameter: The name does not end as a picture's does.
        Refusal: The extra `notebook` is not installed.
    """
    if name is None:
        return None
    if Path(name).suffix.lower() not in _PICTURES:
        said = f"{name} is no name of a picture; write one that ends in .png, .svg or .pdf."
        raise click.BadParameter(said, param_hint="'--plot'")
    try:
        return import_module("rentbilling.adapters.plots")
    except ImportError as error:
        raise Refusal("--plot", [str(error)]) from None


def draw(name: str, picture: Callable[[], Any]) -> None:
    """Draw a picture and write it to a file.

    Args:
        name: Of the file.
        picture: Draws it.

    Raises:
        Refusal: There is nothing to draw, or the file cannot be written.
    """
    try:
        with refusing(name):
            picture().save(name)
    except OSError as error:
        raise Refusal(name, [error.strerror or str(error)]) from None
