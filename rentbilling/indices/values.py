"""Reads the values of an index series, exactly, and reports all problems at once.

Laws: a percentage is never guessed (A5); a value is only rounded to stated decimals.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Protocol, cast, get_args

from rentbilling.errors import (
    NOT_KNOWN,
    InvalidAmountError,
    InvalidInputError,
    InvalidRecordError,
    Problem,
    Refusals,
    UnknownWordError,
    check_word,
    paths_under,
    shown,
)
from rentbilling.indices.points import UNITS, IndexPoint
from rentbilling.values import (
    MAX_DIGITS,
    Rate,
    Rounding,
    exact_ratio,
    number,
    parse_date,
    rate_of,
    rounded,
)

IndexKind = Literal["level", "change", "monthly_change"]
"""Levels, two of which make a ratio, or published changes as fractions: 0.0216 is 2.16 %.

A `change` is that of a year or of another interval of a rule; a `monthly_change` is that against
the month before (A152).
"""


class ByLabel(Protocol):
    """Values by their labels, such as a Series of pandas by months or a mapping."""

    def items(self) -> Iterable[tuple[Any, Any]]: ...


Factor = Decimal | Fraction | int
"""A factor from one base to another."""

_REQUIRED: Final = ("name", "values")
_FIELDS: Final = (*_REQUIRED, "base", "kind", "known", "provisional", "assumed", "source")

_FIGURE: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_COMMA_FIGURE: Final = re.compile(r"[+-]?[0-9]+,[0-9]+")
_DELIMITERS: Final = (";", "\t", ",")
_FEWEST_FIELDS: Final = 2
_SETTLED: Final = ("", "no", "false", "0", "final")
_PROVISIONAL: Final = ("provisional", "yes", "true", "1")
_ABSENT: Final = ("None", "nan", "NaN", "NaT", "<NA>")
"""The marks of a missing value in a Series of pandas."""
_COLUMNS: Final = ("point", "value", "known on", "provisional")
_MOST_CHANGE: Final = 10
_ROOTS: Final = Context(50, ROUND_HALF_EVEN, -999_999, 999_999, 1, 0, [], [])
_TIES: Final = Context(40, ROUND_HALF_EVEN, -999_999, 999_999, 1, 0, [], [])
_NOT_POSITIVE: Final = "not_positive", "is not above 0"


def parts_of(
    name: object,
    base: object,
    kind: object,
    values: object,
    known: object,
    provisional: object,
    assumed: object,
    source: object,
) -> dict[str, Any]:
    """Return the checked parts of a series by name, or refuse them with every problem."""
    findings = _Findings()
    read = findings.by_point("values", values, partial(value_of, kind))
    parts = {
        "name": findings.read("name", _name_of, name),
        "base": findings.read("base", _text_of, base),
        "kind": findings.read("kind", _kind_of, kind),
        "known": MappingProxyType(findings.by_point("known", known, parse_date, read)),
        "provisional": findings.marked("provisional", provisional, read),
        "assumed": findings.marked("assumed", assumed, read),
        "source": findings.read("source", _text_of, source),
    }
    if kind == "monthly_change":
        findings.of_months(read, base)
    findings.finish()
    in_order = sorted(read, key=lambda point: (UNITS.index(point.unit), point.number))
    parts["values"] = MappingProxyType({point: read[point] for point in in_order})
    return parts


def _by_label(given: Any) -> Iterator[tuple[object, object]]:  # noqa: ANN401
    """Give values by their labels; of a Series of pandas those that are there."""
    for label, value in given.items():
        if isinstance(given, Mapping) or str(value) not in _ABSENT:
            yield label, value


class _Findings(Refusals):
    """Reads the parts of a series one after the other."""

    __slots__ = ()

    def read(self, path: str, reader: Callable[[Any], Any], value: object) -> Any:  # noqa: ANN401
        try:
            return reader(value)
        except InvalidInputError as error:
            self.add(error, path)
            return None

    def by_point(
        self,
        path: str,
        given: object,
        reader: Callable[[Any], Any],
        stated: Collection[IndexPoint] | None = None,
    ) -> dict[IndexPoint, Any]:
        found: dict[IndexPoint, Any] = {}
        if not hasattr(given, "items"):
            code, said = "not_an_object", "is not a mapping"
            expected = "a mapping such as {'2025-10': 104.8}, or a Series of pandas"
            self.add(InvalidRecordError.of(path, code, said, given, expected))
            return found
        for key, value in _by_label(given):
            place = f"{path}.{key}" if isinstance(key, str) else f"{path}.{shown(key)}"
            point = self.read(place, IndexPoint.parse, key)
            if point is None:
                continue
            place = f"{path}.{point}"
            if point in found:
                code, said = "duplicate_point", "is given twice"
                self.add(InvalidRecordError.of(place, code, said, key, "one of them"))
            elif self._is_stated(place, point, stated):
                found[point] = self.read(place, reader, value)
        return found

    def of_months(self, values: Iterable[IndexPoint], base: object) -> None:
        """Refuse what changes against the month before cannot have (A152)."""
        for point in values:
            if point.unit != "month":
                said, expected = "is no month, as each change is of one", "a month such as 2021-06"
                self.add(
                    InvalidRecordError.of(
                        f"values.{point}", "out_of_range", said, str(point), expected
                    )
                )
        if base is not None:
            said = "has no effect on changes of a month"
            self.add(InvalidRecordError.of("base", "says_nothing", said, base, "none"))

    def marked(
        self, path: str, given: object, stated: Collection[IndexPoint]
    ) -> frozenset[IndexPoint]:
        if not isinstance(given, Iterable) or isinstance(given, (str, bytes, bytearray, Mapping)):
            error = InvalidRecordError.of(path, "wrong_value", "is not a list", given, "points")
            self.add(error)
            return frozenset()
        # A set has no order of its own; problems have one, in every run.
        listed = given if isinstance(given, (list, tuple)) else sorted(given, key=shown)
        found: set[IndexPoint] = set()
        for at, each in enumerate(listed):
            point = self.read(f"{path}[{at}]", IndexPoint.parse, each)
            if point is not None and self._is_stated(f"{path}[{at}]", point, stated):
                found.add(point)
        return frozenset(found)

    def _is_stated(
        self, place: str, point: IndexPoint, stated: Collection[IndexPoint] | None
    ) -> bool:
        if stated is None or point in stated:
            return True
        code, said = "no_such_value", "names a point without a value"
        self.add(InvalidRecordError.of(place, code, said, str(point), "a point of the values"))
        return False


def _name_of(given: object) -> str:
    if not isinstance(given, str):
        raise InvalidRecordError.of("", "not_a_text", "is not a text", given, "a text")
    if not given.strip():
        raise InvalidRecordError.of("", "empty_text", "is empty", given, "a name such as NPI")
    return given


def _text_of(given: object) -> str | None:
    return None if given is None else _name_of(given)


def _kind_of(given: object) -> IndexKind:
    kinds: tuple[IndexKind, ...] = get_args(IndexKind)
    check_word("", given, kinds)
    return kinds[kinds.index(cast("IndexKind", given))]


def value_of(kind: object, given: object) -> Decimal:
    """Return a value: a number or a text such as 104.8; a binary number as it prints (A1).

    Raises:
        InvalidAmountError: It is no number, too long, or out of range for its kind.

    Examples:
        >>> value_of("level", "104.8")
        Decimal('104.8')
        >>> value_of("level", 0)
        Traceback (most recent call last):
        rentbilling.errors.InvalidAmountError: is not above 0 (met 0; expected a value above 0)
    """
    expected = "a number such as 104.8"
    if given is None or (isinstance(given, str) and not _FIGURE.fullmatch(given)):
        raise InvalidAmountError.of("", "not_a_number", "is not a number", given, expected)
    if isinstance(given, str):
        given = Decimal(given)
    exact = number(given)
    if kind == "level" and exact <= 0:
        raise InvalidAmountError.of("", *_NOT_POSITIVE, exact, "a value above 0")
    if kind == "change" and not -1 <= exact <= _MOST_CHANGE:
        said = f"is not between -1 and {_MOST_CHANGE}"
        meant = "a fraction: 0.0216 is 2.16 percent"
        raise InvalidAmountError.of("", "out_of_range", said, exact, meant)
    if kind == "monthly_change" and not -1 < exact <= _MOST_CHANGE:
        said = f"is not above -1, and at most {_MOST_CHANGE}"
        meant = "a fraction of the month before: 0.0049 is 0.49 percent"
        raise InvalidAmountError.of("", "out_of_range", said, exact, meant)
    return exact


def data_of(data: object) -> dict[str, Any]:
    """Return the fields of a series in plain data, a binary number as it prints (A1)."""
    if not isinstance(data, Mapping):
        raise InvalidRecordError.of("", "not_an_object", "is not an object", data, "an object")
    given = {key: value for key, value in data.items() if value is not None}
    expected = "one of " + ", ".join(_FIELDS)
    problems = [
        Problem(str(key), "unknown_field", "is not a field", shown(value), expected)
        for key, value in data.items()
        if key not in _FIELDS
    ]
    problems += [
        Problem(key, "missing", "is required", "nothing", "a value")
        for key in _REQUIRED
        if key not in given
    ]
    if problems:
        raise InvalidRecordError(problems)
    return given


def written(
    point: IndexPoint, exact: Fraction, decimals: int | None, mode: Rounding = "half_up"
) -> Decimal:
    """Return a computed value as a value of a series, rounded if decimals are given.

    Raises:
        InvalidInputError: It has more than 15 digits.

    Examples:
        >>> written(IndexPoint.parse("2021"), Fraction(599, 6), 2)
        Decimal('99.83')
    """
    places = decimals
    if places is None:
        enough = (each for each in range(MAX_DIGITS + 1) if not 10**each % exact.denominator)
        places = next(enough, None)
    try:
        if places is not None:
            return number(rounded(exact, places, mode))
    except InvalidAmountError as error:
        if decimals is not None:
            raise error.under(f"values.{point}") from None
    said = f"is needed to write the value at {point}"
    raise InvalidRecordError.of("decimals", "decimals_needed", said, None, "decimals such as 1")


def factor_of(given: Factor, path: str = "factor") -> Fraction:
    """Return a factor between two bases, which is above 0."""
    with paths_under(path):
        factor = Fraction(*exact_ratio(given))
    if factor <= 0:
        raise InvalidAmountError.of(path, *_NOT_POSITIVE, given, "a factor above 0")
    return factor


def link_of(given: Factor | Mapping[int, Factor] | None, point: IndexPoint) -> Fraction:
    """Return the factor for a point: one for all, or that of its calendar month.

    Raises:
        InvalidInputError: There is none, or it is not above 0.

    Examples:
        >>> link_of({1: Decimal("2.341468")}, IndexPoint.parse("2002-01"))
        Fraction(585367, 250000)
    """
    path, each = "factor", given
    if isinstance(given, Mapping):
        month = point.number % 12 + 1 if point.unit == "month" else None
        path = "factor" if month is None else f"factor.{month}"
        each = None if month is None else given.get(month)
    if each is None or isinstance(each, Mapping):
        said = f"is needed to take the value at {point} to the other base"
        code, expected = "link_factor_needed", "the factor that is published for it"
        raise InvalidRecordError.of(path, code, said, None, expected)
    return factor_of(each, path)


def assumed_rate(given: Rate | Mapping[int, Rate], year: int) -> Decimal:
    """Return the rate that is assumed for a year: one for all, or its own, between −1 and 10."""
    path, rate = "rate", given
    if isinstance(rate, Mapping):
        path = f"rate.{year}"
        if year not in rate:
            missing = Problem(path, "missing", "is required", "nothing", "a rate such as 0.02")
            raise InvalidRecordError((missing,))
        rate = rate[year]
    assumed = rate_of(rate, path)
    if assumed < -1 or assumed > _MOST_CHANGE:
        said, expected = f"is not between -1 and {_MOST_CHANGE}", "a fraction: 0.02 is 2 percent"
        raise InvalidAmountError.of(path, "out_of_range", said, rate, expected)
    return assumed


def monthly_rate(yearly: Decimal) -> Fraction:
    """Return the change of a month, twelve of which make that of a year, to 40 digits.

    Examples:
        >>> monthly_rate(Decimal("2.138428376721"))
        Fraction(1, 10)
    """
    twelfth = _ROOTS.divide(Decimal(1), Decimal(12))
    return Fraction(_TIES.plus(_ROOTS.power(_ROOTS.add(yearly, 1), twelfth))) - 1


class Lines(NamedTuple):
    """The content of the lines of a CSV text."""

    values: dict[IndexPoint, Decimal]
    known: dict[IndexPoint, date]
    provisional: list[IndexPoint]


def lines_of(text: str, kind: IndexKind) -> Lines:
    """Return the content of a CSV text (`IndexSeries.from_csv`), or refuse it with every problem.

    Examples:
        >>> lines_of("2021-04;104,8", "level").values
        {IndexPoint.parse('2021-04'): Decimal('104.8')}
    """
    filled = [
        (at, line)
        for at, line in enumerate(text.removeprefix("\ufeff").splitlines())
        if line.strip() and not line.lstrip().startswith("#")
    ]
    delimiter = next((sign for _, line in filled for sign in _DELIMITERS if sign in line), ",")
    findings = _Findings()
    found = Lines({}, {}, [])
    for at, line in filled:
        try:
            fields = _fields_of(line, delimiter)
            if fields and not (at == filled[0][0] and _is_heading(fields)):
                _keep(found, fields, delimiter, kind)
        except InvalidInputError as error:
            (problem,) = error.problems
            said = f"line {at + 1} {problem.message}"
            findings.add(type(error)((problem._replace(path=f"lines[{at}]", message=said),)))
    findings.finish()
    return found


def _fields_of(line: str, delimiter: str) -> list[str]:
    import csv  # noqa: PLC0415 - most series are JSON

    try:
        fields = [field.strip() for field in next(csv.reader([line], delimiter=delimiter))]
    except csv.Error:
        raise InvalidRecordError.of("", "not_a_line", "cannot be read", line, "fields") from None
    while fields and not fields[-1]:
        fields.pop()
    return fields


def _is_heading(fields: list[str]) -> bool:
    digits = any(sign.isdigit() for sign in fields[0])
    return not digits and not any(_FIGURE.fullmatch(field) for field in fields[1:2])


def _keep(found: Lines, fields: list[str], delimiter: str, kind: IndexKind) -> None:
    if not _FEWEST_FIELDS <= len(fields) <= len(_COLUMNS):
        said = f"has another number of fields: {len(fields)}"
        raise InvalidRecordError.of("", "wrong_fields", said, fields, ", ".join(_COLUMNS))
    given, figure, day, mark = (*fields, "", "")[: len(_COLUMNS)]
    point = IndexPoint.parse(given)
    if delimiter != "," and _COMMA_FIGURE.fullmatch(figure):
        figure = figure.replace(",", ".")
    value = value_of(kind, figure)
    known = parse_date(day) if day else None
    if mark.lower() not in (*_SETTLED, *_PROVISIONAL):
        expected = "provisional, or nothing"
        raise UnknownWordError.of("", "unknown_word", NOT_KNOWN, mark, expected)
    if point in found.values:
        raise InvalidRecordError.of("", "duplicate_point", "is given twice", given, "one of them")
    found.values[point] = value
    if known is not None:
        found.known[point] = known
    if mark.lower() in _PROVISIONAL:
        found.provisional.append(point)
