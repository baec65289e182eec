"""Index series: read from files, and continued at an assumed rate.

Law: what is wrong with a file is said with the name of that file.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import click

from rentbilling.adapters.cli.streams import Refusal, read_bytes, refusing, say
from rentbilling.errors import InvalidInputError, InvalidRecordError, MissingIndexError, Problem
from rentbilling.indices import IndexPoint, IndexSeries, series_of
from rentbilling.records import read_json
from rentbilling.values import month_index, percent_words

_MOST_PROBLEMS: Final = 10
"""The most problems of one file that are said: wrong columns give one for every line."""


def indices_in(names: Iterable[str]) -> tuple[IndexSeries, ...]:
    """Return the index series that files hold, in order.

    Raises:
        Refusal: A file cannot be read, or holds no series.
    """
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


def _series_in(name: str, given: bytes) -> Iterator[tuple[str, IndexSeries]]:
    """Give the series of one file, each with its place in it.

    Raises:
        InvalidInputError: It holds none, or they are not well formed; problems with their paths.
        Refusal: It is CSV and no UTF-8.
    """
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
    expected = "a month, quarter or year with its value"
    said = "holds no index value"
    return InvalidRecordError((Problem(place, "says_nothing", said, "nothing", expected),))


def _shortened(refusal: Refusal) -> Refusal:
    """Return a refusal with its first problems, and how many more there are."""
    more = len(refusal.problems) - _MOST_PROBLEMS
    if more < 2:  # noqa: PLR2004 - the last one is no longer than the count
        return refusal
    first = refusal.problems[:_MOST_PROBLEMS]
    return Refusal(refusal.source, (*first, f"and {more} more problems like these"), refusal.notes)


def example_index() -> IndexSeries:
    """Return the series that comes with the package."""
    from importlib import resources

    file = resources.files("rentbilling.adapters.cli").joinpath("example_index.json")
    return IndexSeries.from_data(read_json(file.read_bytes()))


def assumed_rate_in(text: str | None) -> Decimal | None:
    """Return the rate of `--assume-index`; None where it is not given."""
    if text is None:
        return None
    from rentbilling.adapters.cli.input.scenarios import rate_in

    try:
        return rate_in(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'--assume-index'") from None


def assumed(
    indices: Sequence[IndexSeries], rate: Decimal | None, year: int
) -> tuple[IndexSeries, ...]:
    """Return series that go on at a rate to the end of a year, as they are without a rate."""
    if rate is None:
        return tuple(indices)
    until = f"{min(year, date.max.year):04d}-12"
    return tuple(each.extended(rate, until) for each in indices)


def say_assumptions(indices: Sequence[IndexSeries], rate: Decimal | None, day: date) -> None:
    if rate is None:
        return
    for each in indices:
        last = _last_point(each)
        if last.last_month < month_index(day.toordinal()):
            words = percent_words(rate)
            say(f"Notice: {each.name} is assumed to change by {words} a year after {last}")


def _last_point(series: IndexSeries) -> IndexPoint:
    return max(series.points, key=lambda point: point.last_month)


@contextmanager
def naming_options(
    indices: Sequence[IndexSeries], rate: Decimal | None, said: str
) -> Generator[None]:
    """Add to an error about an index beyond the last value that `--assume-index` helps.

    Raises:
        MissingIndexError: The same error, with a note.
    """
    try:
        yield
    except MissingIndexError as error:
        if rate is None and error.code == "missing_index":
            name = error.facts["series"]
            last = _last_point(next(each for each in indices if each.name == name))
            if IndexPoint.parse(str(error.facts["at"])).last_month > last.last_month:
                hint = f"--assume-index RATE gives values to {said}"
                error.add_note(f"the series {name} ends at {last}: {hint}")
        raise
