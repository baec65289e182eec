"""What forecasts and scenarios are handed: leases of several files, assumed values, a picture.

Law: what is wrong with a file is said with the name of that file; a picture that nobody can draw is
refused before anything is computed.
"""

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from importlib import import_module
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rentbilling.adapters.cli.scenario_words import rate_in
from rentbilling.adapters.cli.streams import STDIN, Refusal, read_bytes, refusing, say

if TYPE_CHECKING:
    from rentbilling.indices.series import IndexSeries
    from rentbilling.policy import BillingPolicy
    from rentbilling.terms.lease_terms import LeaseTerms

_PICTURES: Final = (".png", ".svg", ".pdf")


def leases_in(names: Sequence[str], policy: "BillingPolicy | None") -> "list[LeaseTerms]":
    """Return the leases that files hold, in order.

    Raises:
        Refusal: A file cannot be read, or is refused.
    """
    from rentbilling.codec.records import loads
    from rentbilling.terms.lease_terms import LeaseTerms

    found: list[LeaseTerms] = []
    for name in names:
        given = read_bytes(name)
        with refusing(name):
            found.append(loads(given, LeaseTerms, policy=policy))
    if len(names) == 1:
        return found
    taken = {each.lease_id for each in found}
    told: set[str | None] = {None}
    for at, (name, terms) in enumerate(zip(names, found, strict=True)):
        if terms.lease_id in told:
            own = _own_name(name, names, taken)
            found[at] = terms.evolve(lease_id=own)
            taken.add(own)
        told.add(terms.lease_id)
    return found


def _own_name(name: str, names: Sequence[str], taken: Collection[str | None]) -> str:
    """Return what tells the lease of a file from all others."""
    stems = [Path(each).stem for each in names]
    path = "standard input" if name == STDIN else name
    stem = path if stems.count(Path(name).stem) > 1 or name == STDIN else Path(name).stem
    # One file may be given twice, and a lease may be called like a file.
    more = (f"{path} ({at})" for at in count(2))
    return next(each for each in chain((stem, path), more) if each not in taken)


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


@contextmanager
def naming_assumptions(
    indices: "Sequence[IndexSeries]",
    rate: Any,  # noqa: ANN401 - as `assumed_rate_in` gives it
    said: str,
) -> Generator[None]:
    """Add to an error that `--assume-index` would help, where a value to come is missing.

    Raises:
        MissingIndexError: The one that was met, with a note.
    """
    from rentbilling.errors import MissingIndexError
    from rentbilling.indices.points import IndexPoint

    try:
        yield
    except MissingIndexError as error:
        if rate is None and error.code == "missing_index":
            point = IndexPoint.parse(str(error.facts["at"]))
            ends = [
                known.last_month
                for each in indices
                if each.name == error.facts["series"]
                for known in each.points
            ]
            if ends and point.last_month > max(ends):
                error.add_note(f"--assume-index RATE gives values to {said}")
        raise


def day_in(text: str | None) -> date | None:
    """Return the day that `--start` says; what is no date is a usage error."""
    from rentbilling.errors import InvalidPeriodError
    from rentbilling.values.periods import parse_date

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


def draw(name: str, rows: "Iterable[Mapping[str, Any]]", picture: Callable[[Any], Any]) -> None:
    """Draw a picture of each currency and write it to a file, with its currency where several are.

    Raises:
        Refusal: There is nothing to draw, or a file cannot be written.
    """
    currencies = list(dict.fromkeys(row["currency"] for row in rows)) or [None]
    for currency in currencies:
        path = Path(name)
        if len(currencies) > 1:
            path = path.with_name(f"{path.stem}-{currency}{path.suffix}")
        try:
            with refusing(str(path)):
                picture(currency).save(path)
        except OSError as error:
            raise Refusal(str(path), [error.strerror or str(error)]) from None
        if len(currencies) > 1:
            say(f"Notice: the picture of {currency} is {path}")
