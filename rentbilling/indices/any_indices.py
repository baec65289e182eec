"""Index series as a caller may give them; one name means one series (A41)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from rentbilling.errors import InvalidRecordError, shown
from rentbilling.indices.series import IndexSeries

AnyIndices = IndexSeries | Iterable[IndexSeries] | Mapping[str, IndexSeries] | None
"""Series as a caller may give them: one, several, several by name, or none."""

NO_SERIES: Final[Mapping[str, IndexSeries]] = MappingProxyType({})


def series_of(indices: AnyIndices) -> Mapping[str, IndexSeries]:
    """Return series by name; the keys of a mapping name the series in it.

    Raises:
        InvalidRecordError: Two different series have one name.
        TypeError: It is something else.

    Examples:
        >>> list(series_of(IndexSeries("NPI", {"2021-04": "104.8"})))
        ['NPI']
    """
    if indices is None or (isinstance(indices, Mapping) and not indices):
        return NO_SERIES
    if isinstance(indices, IndexSeries):
        return MappingProxyType({indices.name: indices})
    # What was made here is a mapping, too, and is known as such at once.
    by_name = type(indices) is MappingProxyType or isinstance(indices, Mapping)
    if not isinstance(indices, Iterable) or isinstance(indices, (str, bytes)):
        raise _no_series(indices)
    named = indices.items() if isinstance(indices, Mapping) else enumerate(indices)
    of_key = str if by_name else int
    found: dict[str, IndexSeries] = {}
    for key, series in named:
        if not isinstance(series, IndexSeries) or not isinstance(key, of_key):
            raise _no_series({key: series} if of_key is str else series)
        own = series.named(key) if isinstance(key, str) else series
        kept = found.setdefault(own.name, own)
        if kept != own:
            said, expected = "names two series", "another name for each, or one base only"
            bases = f"{kept.base} and {own.base}"
            raise InvalidRecordError.of(f"indices.{own.name}", "two_series", said, bases, expected)
    return MappingProxyType(found)


def _no_series(met: object) -> TypeError:
    makes = 'IndexSeries("NPI", {"2025-10": 104.8}) or loads(text, IndexSeries) makes one'
    kinds = "indices is an IndexSeries, several, or a mapping of them"
    return TypeError(f"{kinds}, not {shown(met)}; {makes}")
