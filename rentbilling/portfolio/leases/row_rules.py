"""Row rules: which rows of a flat table are items of leases, and what the words of a column mean.

Laws: a row that is left out is counted; a row without the id of its lease is a problem of its own,
and stops no other lease; a word without a meaning is never passed over.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.errors import Problem, shown
from rentbilling.portfolio.arrow.arrays import Mask
from rentbilling.portfolio.leases.csv_lines import Stretch, TornLine, blank_cells
from rentbilling.tables import Notation, is_absent

Texts = Mapping[str, Collection[str]]
"""Texts by the headers of their columns."""
_LISTS = (list, tuple, set, frozenset)


@dataclass
class RowCounts:
    """How many rows of a table are no items, as far as they were read."""

    vacant: int = 0
    """Units without a lease."""
    skipped_rows: int = 0


class UnknownWord(NamedTuple):
    """A cell whose text has no meaning."""

    text: str
    known: tuple[str, ...]

    def problem(self, path: str) -> Problem:
        """Return what is wrong with it."""
        said, expected = "has no meaning in the mapping", "one of " + ", ".join(self.known)
        if not self.text:
            said, expected = "is blank, which has no meaning", f'{expected}; or in [words] "" = …'
        return Problem(path, "unknown_word", said, shown(self.text), expected)


class RowRules(NamedTuple):
    """What a mapping says of rows."""

    skip: Texts
    vacant: Texts
    fill_down: Sequence[str]
    words: Mapping[str, Mapping[str, Any]]

    @property
    def headers(self) -> tuple[str, ...]:
        """The columns that are read for it."""
        return *self.skip, *self.vacant, *self.fill_down

    def problems(self, mapped: Collection[str], id_header: str | None) -> Iterator[Problem]:
        """Give what is wrong with it, where these columns have fields, and one the id."""
        for name, texts in (("skip", self.skip), ("vacant", self.vacant)):
            yield from _wrong_texts(name, texts)
        if not _are_texts(self.fill_down):
            said, expected = "is no list of headers", 'such as ["Resident", "Move In"]'
            yield Problem("fill_down", "not_a_list", said, shown(self.fill_down), expected)
        if not isinstance(self.words, Mapping):
            said, expected = "is not a mapping", "texts and their meanings by headers"
            yield Problem("words", "not_an_object", said, shown(self.words), expected)
            return
        for header, meanings in self.words.items():
            path = f"words.{header}"
            if not isinstance(meanings, Mapping) or not all(
                isinstance(each, str) for each in meanings
            ):
                said, expected = "is not a mapping", '{ "Monthly" = "month" }: meanings by texts'
                yield Problem(path, "not_an_object", said, shown(meanings), expected)
                continue
            if header not in mapped or header == id_header:
                said = "has words, and no field that they could be for"
                expected = f'a line such as price_per = "{header}" in [item]'
                yield Problem(path, "says_nothing", said, shown(header), expected)
            for text, meaning in meanings.items():
                # A list of TOML can be no value of a field.
                if is_absent(meaning) or isinstance(meaning, (*_LISTS, Mapping)):
                    said, expected = "has no meaning", "a value of the field that the column fills"
                    yield Problem(f"{path}.{text}", "wrong_value", said, shown(meaning), expected)


def _wrong_texts(name: str, given: object) -> Iterator[Problem]:
    if not isinstance(given, Mapping):
        said, expected = "is not a mapping", '{ "Unit" = [""] }: lists of texts by headers'
        yield Problem(name, "not_an_object", said, shown(given), expected)
        return
    for header, texts in given.items():
        if not _are_texts(texts):
            said, expected = "is no list of texts", 'such as ["Total"], or [""] for a blank cell'
            yield Problem(f"{name}.{header}", "not_a_list", said, shown(texts), expected)


def _are_texts(given: object) -> bool:
    return isinstance(given, _LISTS) and all(isinstance(each, str) for each in given)


def text_of(cell: object) -> str:
    """Return what a cell says as a text without blanks around it, a blank one as an empty text.

    Examples:
        >>> [text_of(each) for each in (" Total ", None, 101.0)]
        ['Total', '', '101']
    """
    return "" if is_absent(cell) else str(Notation().read("text", cell))


@dataclass
class RowFilter:
    """Takes the rows of a table in order, and gives those that are items, with the cells meant."""

    rules: RowRules
    headers: Sequence[str]
    """The columns of the rows."""
    width: int
    """How many of them, from the first on, have fields of leases."""
    id_at: int | None
    """The column of the id; None where each row is a lease."""
    id_of: Callable[[object], str | None]
    """Returns the id of a cell."""
    counts: RowCounts
    needed: Collection[str] = ()
    """Columns with words, of fields for which a blank cell would mean a default."""
    _above: dict[int, Any] = field(default_factory=dict, init=False)
    _own: str | None = field(default=None, init=False)
    _waiting: list[Stretch] = field(default_factory=list, init=False)

    def rows(self, found: Iterable[Stretch | TornLine]) -> Iterator[Stretch | TornLine]:
        """Give the rows that are items."""
        for each in found:
            if isinstance(each, Stretch):
                left = self._left(each.without_blank_rows())
                if left.numbers:
                    yield from self._joined(left)
                continue
            if self._is_skipped(each):
                self.counts.skipped_rows += 1
                continue
            # The rows below a line that cannot be read may be its own.
            self._above = {}
            yield from self._let_go()
            yield each
        yield from self._let_go()

    def _is_skipped(self, line: TornLine) -> bool:
        """Return whether a line that cannot be read, such as a short one, has a text to skip."""
        cells = zip(self.headers, line.texts, strict=True)
        return any(text and text.strip() in self.rules.skip.get(name, ()) for name, text in cells)

    def _left(self, piece: Stretch) -> Stretch:
        """Return the rows of a piece that are items, the columns that have fields alone."""
        skipped = self._with_one_of(piece, self.rules.skip)
        self.counts.skipped_rows += int(skipped.sum())
        piece, goes_on = self._filled(piece.only(~skipped))
        vacant = self._with_one_of(piece, self.rules.vacant)
        self.counts.vacant += int((vacant & ~goes_on).sum())
        piece = piece.only(~vacant)
        columns = [
            self._meant(header, column)
            for header, column in zip(self.headers[: self.width], piece.columns, strict=False)
        ]
        return piece._replace(columns=columns)

    def _with_one_of(self, piece: Stretch, texts: Texts) -> Mask:
        """Return which rows have one of the texts in its column."""
        found = np.zeros(len(piece.numbers), np.bool_)
        for header, known in texts.items():
            cells = _cells(piece.columns[self.headers.index(header)])
            found |= np.array([text_of(each) in known for each in cells], np.bool_)
        return found

    def _filled(self, piece: Stretch) -> tuple[Stretch, Mask]:
        """Return rows with their blank cells filled, and which rows go on that of above."""
        goes_on = np.zeros(len(piece.numbers), np.bool_)
        places = [self.headers.index(each) for each in self.rules.fill_down]
        blank = [blank_cells(piece.columns[place]) for place in places]
        columns = [*piece.columns]
        for place, is_blank in zip(places, blank, strict=True):
            goes_on, above, cells = blank[0], self._above.get(place), list[Any]()
            for cell, fills in zip(_cells(columns[place]), is_blank & goes_on, strict=True):
                above = above if fills else cell
                cells.append(above)
            columns[place], self._above[place] = cells, above
        return piece._replace(columns=columns), goes_on

    def _meant(self, header: str, column: Any) -> Any:  # noqa: ANN401 - an array, or a sequence
        """Return a column with the meanings of its words."""
        meanings = self.rules.words.get(header)
        if meanings is None:
            return column
        texts = [(cell, text_of(cell)) for cell in _cells(column)]
        known, is_needed = tuple(meanings), header in self.needed
        return [
            meanings[text]
            if text in meanings
            else (UnknownWord(text, known) if text or is_needed else cell)
            for cell, text in texts
        ]

    def _joined(self, piece: Stretch) -> Iterator[Stretch]:
        """Give the rows without an id behind those of the lease that they are among."""
        if self.id_at is None:
            yield piece
            return
        column = piece.columns[self.id_at]
        if not (self._waiting or blank_cells(column).any()):
            self._own = self.id_of(_cells(column[-1:])[0])
            yield piece
            return
        ids = [*map(self.id_of, _cells(column))]
        order, held = list[int](), list[int]()
        for at, own in enumerate(ids):
            if own is None:
                held.append(at)
                continue
            if own != self._own:
                if self._waiting and order:
                    yield piece.only(order)
                    order = []
                yield from self._waiting
                self._waiting = []
                order, held = [*order, *held], []
            self._own = own
            order.append(at)
        if order:
            yield piece.only(order)
        if held:
            self._waiting.append(piece.only(held))
        if self._own is None:
            yield from self._let_go()

    def _let_go(self) -> Iterator[Stretch]:
        yield from self._waiting
        self._waiting, self._own = [], None


def _cells(column: Any) -> Sequence[Any]:  # noqa: ANN401 - an array, or a sequence
    found: Sequence[Any] = column.to_pylist() if isinstance(column, pa.Array) else column
    return found
