"""What a command is handed beside the lease: the period, the policy, the index series.

Laws: standard input is read once; what is wrong with a file is said with the name of that file.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rentbilling.adapters.cli.streams import STDIN, Refusal, read_bytes, refusing
from rentbilling.errors import (
    InvalidInputError,
    InvalidPeriodError,
    InvalidRecordError,
    Problem,
    shown,
)

if TYPE_CHECKING:
    from datetime import date

    from rentbilling.indices.series import IndexSeries
    from rentbilling.policy import BillingPolicy
    from rentbilling.values.periods import Period

_YEAR: Final = re.compile(r"[0-9]{4}")
_MONTH: Final = re.compile(r"[0-9]{4}-[0-9]{2}")
_MOST_PROBLEMS: Final = 10
"""Problems of one index file that are told: one with the wrong columns has one in every line."""


def refuse_second_reader(names: Iterable[str | None], *, among: str = "FILE") -> None:
    """Refuse a command that would read standard input twice.

    Raises:
        UsageError: Standard input is among them more than once.
    """
    if list(names).count(STDIN) > 1:
        said = f"Only one of {among}, --policy and --indices can be standard input."
        raise click.UsageError(said)


def policy_in(name: str | None) -> "BillingPolicy | None":
    """Return the policy that a file holds, none without a file."""
    from rentbilling.codec.records import loads
    from rentbilling.policy import BillingPolicy

    if name is None:
        return None
    given = read_bytes(name)
    with refusing(name):
        return loads(given, BillingPolicy)


def period_in(asked: str, policy: "BillingPolicy | None") -> "Period":
    """Return the period that was asked for; a malformed one is a usage error."""
    from rentbilling.values.periods import Period, YearMonth, day_in_month

    try:
        if _YEAR.fullmatch(asked):
            return Period.parse(f"{asked}-01-01/{asked}-12-31")
        if _MONTH.fullmatch(asked):
            year, month = YearMonth.parse(asked)
            index = year * 12 + month - 1
            return Period.of(day_in_month(index, 1), day_in_month(index, 31))
        return Period.parse(asked, period_end=policy.period_end if policy else "included")
    except InvalidPeriodError as error:
        (problem,) = error.problems
        wrong = f"{problem.met} {problem.message}"
        right = "a year (2026), a month (2026-03), or two days (2026-01-01/2026-03-31)"
        if problem.code == "reversed_period":
            right = problem.expected
        elif problem.met != shown(asked):
            wrong = f"{shown(asked)} is not a period ({wrong})"
        raise click.BadParameter(f"{wrong}; write {right}.", param_hint="'--period'") from None


def day_in(asked: str | None, option: str) -> "date | None":
    """Return the day that was asked for, none without one; a malformed one is a usage error."""
    from rentbilling.values.periods import parse_date

    if asked is None:
        return None
    try:
        return parse_date(asked)
    except InvalidPeriodError as error:
        (problem,) = error.problems
        said = f"{problem.met} {problem.message}; write {problem.expected}."
        raise click.BadParameter(said, param_hint=f"'{option}'") from None


def indices_in(names: Iterable[str]) -> "tuple[IndexSeries, ...]":
    """Return the index series that files hold, in order.

    Raises:
        Refusal: A file cannot be read, or holds no series.
    """
    from rentbilling.indices import series_of

    found: list[IndexSeries] = []
    for name in names:
        given = read_bytes(name)
        try:
            with refusing(name):
                for place, series in _series_in(name, given):
                    if not series.values:
                        raise _empty(f"{place}.values" if place else "")
                    found.append(series)
                # Two different ones of one name are refused.
                series_of(found)
        except Refusal as refusal:
            raise _shortened(refusal) from None
    return tuple(found)


def _series_in(name: str, given: bytes) -> "Iterator[tuple[str, IndexSeries]]":
    """Give the series of one file, each with its place in it.

    Raises:
        InvalidInputError: It holds none, or they are not well formed; problems with their paths.
        Refusal: It is CSV and no UTF-8.
    """
    from rentbilling.indices.series import IndexSeries
    from rentbilling.records.json_text import read_json

    path = Path(name)
    if path.suffix.lower() == ".csv":
        try:
            text = given.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refusal(name, [f"is not UTF-8 at byte {error.start}"]) from None
        yield "", IndexSeries.from_csv(text, name=path.stem)
    else:
        for place, data in _entries(read_json(given)):
            try:
                yield place, IndexSeries.from_data(data)
            except InvalidInputError as error:
                raise (error.under(place) if place else error) from None


def _entries(data: Any) -> list[tuple[str, Any]]:  # noqa: ANN401 - whatever a JSON text holds
    """Return the data of each series with its place: of one, of a list, or of `series`."""
    prefix = ""
    if isinstance(data, Mapping) and "series" in data and "values" not in data:
        for key in data:
            if key != "series":
                said, expected = "is not a field", "series alone, or a name and values"
                raise InvalidRecordError.of(str(key), "unknown_field", said, data[key], expected)
        prefix, data = "series", data["series"]
        if not isinstance(data, list):
            said, expected = "is not a list", "a list of series"
            raise InvalidRecordError.of(prefix, "not_a_list", said, data, expected)
    if not isinstance(data, list):
        return [("", data)]
    if not data:
        raise _empty(prefix)
    return [(f"{prefix}[{at}]", each) for at, each in enumerate(data)]


def _empty(place: str) -> InvalidRecordError:
    """Return the refusal of a file or a part of one that has no index value in it."""
    expected = "a month, quarter or year with its value"
    said = "holds no index value"
    return InvalidRecordError((Problem(place, "says_nothing", said, "nothing", expected),))


def _shortened(refusal: Refusal) -> Refusal:
    """Return a refusal with its first problems, and how many more there are."""
    more = len(refusal.problems) - _MOST_PROBLEMS
    if more < 2:  # noqa: PLR2004 - the last one takes no more room than the count
        return refusal
    told = refusal.problems[:_MOST_PROBLEMS]
    return Refusal(refusal.source, (*told, f"and {more} more problems like these"), refusal.notes)
