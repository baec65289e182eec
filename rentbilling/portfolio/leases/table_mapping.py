"""Table mapping: which column of a flat table has which field of a lease; a row is an item.

Laws: nothing is guessed: every field has its column, its constant or a default that is documented;
a mapping that could bill no row is refused with all of its problems before a row is read.
"""

import codecs
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from rentbilling.errors import InvalidRecordError, Problem, refuse_file_name, shown
from rentbilling.portfolio.arrow.column_types import Shape, shape_of
from rentbilling.portfolio.arrow.schema_checks import without_items
from rentbilling.portfolio.leases.row_rules import RowRules
from rentbilling.tables import Notation, delimiter_problems
from rentbilling.terms import LeaseTerms

if TYPE_CHECKING:
    from rentbilling.portfolio.leases.table_leases import TableLeases

Step = str | int | None
"""A step of a path: a field, a place in a list, or the place that a row has of its own."""

ITEMS: Final = "recurring_bill_items"
PLANS: Final = "rent_adjustment_plans"
OPENING: Final = "first_billing_period_bill_item"
MOVED_IN: Final = "moved_in"
LEASE_ID: Final = ("lease_id",)

_STEP: Final = re.compile(r"([a-z_]+)(?:\[([0-9]{1,4})\])?")
_MOVED_IN: Final = re.compile(rf"{ITEMS}(?:\[([0-9]{{1,4}})\])?\.{MOVED_IN}")
_SHORT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "amount": "amount.amount",
        "currency": "amount.currency",
        "tax_mode": "vat.tax_mode",
        "tax_rate": "vat.tax_rate",
        "due_day": "due_date_rule.day_of_period",
        "months": "billing_cycle.period_length",
    }
)
"""Short names of fields of an item."""
_DEFAULTS: Final[Mapping[str, object]] = MappingProxyType(
    {
        "product_key": "key:rent",
        "vat.tax_mode": "Exempt",
        "billing_cycle.time_unit": "Month",
        "billing_cycle.period_length": 1,
        "billing_cycle.start": 1,
        "due_date_rule.day_of_period": 1,
    }
)
"""What an item has where neither a column nor a constant says it."""
_RATES: Final = ("tax_rate", "percentage")
_SECTIONS: Final = ("lease", "item", "constants", "rows", "words", "format")
_ROWS: Final = ("header_line", "skip", "vacant", "fill_down")
_FORMAT: Final = (
    *("date", "decimal", "thousands", "rates", "currency_sign", "delimiter", "encoding"),
)


class Target(NamedTuple):
    """A field of a lease that a column, a constant or a default fills."""

    name: str
    """How the mapping names it: `item.amount`."""
    path: str
    """Its path from the lease, without places of rows."""
    steps: tuple[Step, ...]
    """Its path, step by step."""
    kinds: tuple[str, ...]
    """What each step but the last leads into: a list, a period or a record."""
    word: str | None
    """The kind of its values, None where the path leads to no field."""

    @property
    def list_name(self) -> Step:
        """The list of the lease that it is in, or the field of the lease."""
        return self.steps[0] if self.steps else None

    @property
    def has_places(self) -> bool:
        """Whether it is in the same place of its lists in every row."""
        return None not in self.steps

    @property
    def is_rate(self) -> bool:
        """Whether `25 %` can be written."""
        return self.path.endswith(_RATES)

    @property
    def part(self) -> tuple[Step, ...]:
        """The innermost optional part that it is in: a place of a list, or a discount."""
        for at in range(len(self.steps) - 1, 0, -1):
            if isinstance(self.steps[at], int) or self.steps[at - 1] == "discount":
                return self.steps[: at + (self.steps[at - 1] != "discount")]
        return ()


def target_of(name: str, path: str) -> Target:
    """Return the field that a path leads to.

    Examples:
        >>> target_of("lease.id", "lease_id").word, target_of("item.rent", "rent").word
        ('text', None)
    """
    if moved_in := _MOVED_IN.fullmatch(path):
        place = None if moved_in[1] is None else int(moved_in[1])
        return Target(name, path, (ITEMS, place, MOVED_IN), ("list", "record"), "day")
    shape: Shape | None = shape_of(LeaseTerms)
    steps: list[Step] = []
    kinds: list[str] = []
    for text in path.split("."):
        found = _STEP.fullmatch(text)
        shape = None if shape is None or found is None else dict(shape.parts).get(found[1])
        if shape is None or found is None:
            break
        steps.append(found[1])
        if shape.word == "list":
            kinds.append("list")
            steps.append(None if found[2] is None else int(found[2]))
            shape = shape.parts[0][1]
        elif found[2] is not None:
            shape = None
            break
        kinds.append(shape.word)
    # Where the path leads to no field, or to what has fields of its own, there is none.
    word = None if shape is None or shape.parts else shape.word
    return Target(name, path, tuple(steps), tuple(kinds), word)


@dataclass(frozen=True)
class TableMapping:
    """Which columns of a flat table have the fields of leases; a row is an item of a lease.

    Rows of one lease follow each other, have the same id, and are not the same (A141); without a
    column for the id, every row is a lease of its own. Names of fields are those of `LeaseTerms`
    (`id` is its `lease_id`) and of `RecurringBillItem`, with dots for what is inside, such as
    `amount_records[0].value.amount`; short names are `amount`, `currency`, `tax_mode`, `tax_rate`,
    `due_day`, `months` of a cycle.

    A row may also be a lease with several items, each by its place and with its own product:
    `recurring_bill_items[1].amount`. A lease whose own columns of it are empty does not have it,
    nor a plan without a value in the columns of its rules. If it has a column for its amount or
    quantity, columns of a currency, or shared with other fields, do not count.

    `moved_in` is the first day to pay for. The opening period, `started_on` and its due date follow
    from it (A14, `first_billing_period`) under the policy of the run.

    Where a column has the rate of VAT, a constant tax mode counts in rows with a rate; the others
    are exempt (A143). Without column or constant an item has the product `key:rent`, VAT `Exempt`,
    a cycle of one calendar month and the first day of the month as its due day. An amount whose
    currency no column or constant has is in that of its item, or of the lease.

    Raises:
        InvalidRecordError: A name is no field, a required field has no column, or the notation is
            none; with every problem.

    Examples:
        >>> mapping = TableMapping(
        ...     {"id": "Lejemål"},
        ...     {"amount": "Husleje", "moved_in": "Fra"},
        ...     {"currency": "DKK"},
        ...     date="DD-MM-YYYY",
        ...     decimal=",",
        ...     thousands=".",
        ... )
        >>> rows = [{"Lejemål": "1", "Husleje": "8.500,00", "Fra": "15-01-2026"}]
        >>> (lease,) = mapping.leases(rows)
        >>> print(lease.recurring_bill_items[0].first_billing_period_bill_item.amount)
        4661.29 DKK
    """

    lease: Mapping[str, str] = field(default_factory=dict)
    """Headers by fields of the lease; fields of other lists have a place:
    `one_time_bill_items[0].amount.amount`."""
    item: Mapping[str, str] = field(default_factory=dict)
    """Headers by fields of the item; several fields may have the same column."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    """Values, as Python or JSON writes them, by fields of the item, or of the lease as
    `lease.contract_end`. One inside an optional part, such as a discount, counts in the rows
    where a column has a value for that part."""
    _: KW_ONLY
    date: str = "YYYY-MM-DD"
    """How dates are written: D or DD, M or MM, YYYY, and the marks between."""
    decimal: str = "."
    """The character before the decimals."""
    thousands: str = ""
    """The character between thousands, empty for none."""
    rates: str = "fraction"
    """How rates of VAT and percentages are written without a sign: `fraction` for 0.25, `percent`
    for 25; with one, 25 % is always 0.25."""
    currency_sign: str = ""
    """What may be before or behind a number, such as `$`; it says no currency."""
    delimiter: str = ","
    """Of CSV."""
    encoding: str = "utf-8"
    """Of CSV."""
    header_line: int | None = None
    """The line of a file, from 1, that has the headers; lines above it are not read."""
    skip: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Texts by header: a row with one of them in the column is no item, such as one of totals; an
    empty text is a blank cell. The summary of a run counts these rows."""
    vacant: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Texts by header: a row with one of them is a unit without a lease, which is counted too."""
    fill_down: Sequence[str] = ()
    """Headers: where the first of these columns is blank, all blank cells of them have the value of
    the row above. Rows to skip are none."""
    words: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What the texts of a column mean for its field, by header. Another text is the problem
    `unknown_word` of its lease; a blank cell without a meaning says nothing."""

    def __post_init__(self) -> None:
        """Refuse what leads nowhere, and what is missing in every row."""
        problems = [*self._wrong_sections()] or [
            *self._wrong_paths(),
            *self._wrong_notation(),
            *self.row_rules.problems(self.headers, self.lease.get("id")),
        ]
        if not problems:
            names = {str(each.list_name) for each in (*self.columns, *self.fixed)}
            problems += without_items("mapping", names) or [*self._missing()]
        if problems:
            raise InvalidRecordError(problems)

    @classmethod
    def from_toml(cls, text: str | bytes) -> Self:
        """Return the mapping of a TOML text with the tables lease, item, constants and format.

        The tables rows (`header_line`, `skip`, `vacant`, `fill_down`) and words are of an export
        that is no plain table. Bytes are UTF-8.

        Raises:
            InvalidRecordError: It is not TOML, or the mapping is wrong.

        Examples:
            >>> text = '''
            ... [lease]
            ... id = "Lejemål"
            ... [item]
            ... amount = "Husleje"
            ... moved_in = "Fra"
            ... [constants]
            ... currency = "DKK"
            ... [format]
            ... date = "DD-MM-YYYY"
            ... '''
            >>> TableMapping.from_toml(text).item["amount"]
            'Husleje'
        """
        refuse_file_name(text, "TOML")
        try:
            data = tomllib.loads(text if isinstance(text, str) else text.decode("utf-8-sig"))
        except ValueError as error:
            said, expected = f"is not TOML: {error}", '[item] and lines such as amount = "Rent"'
            raise InvalidRecordError.of("", "unreadable", said, text[:20], expected) from None
        problems = [*_unknown("", data, _SECTIONS)]
        choices: dict[str, Any] = {}
        for name, known in (("rows", _ROWS), ("format", _FORMAT)):
            part = data.pop(name, {})
            if isinstance(part, dict):
                problems += _unknown(f"{name}.", part, known)
                choices |= part
            else:
                said, expected = "is not a mapping", f"the table [{name}]"
                problems.append(Problem(name, "not_an_object", said, shown(part), expected))
        if problems:
            raise InvalidRecordError(problems)
        return cls(**data, **choices)

    def leases(self, source: Any) -> "TableLeases":  # noqa: ANN401 - whatever holds rows
        """Return the leases of a table: a path of CSV, a data frame, an Arrow table, or rows.

        It is a source for `bill_portfolio`; iterated, it gives the leases themselves.

        Args:
            source: A pandas or Polars frame, an Arrow table, an iterable of dicts by column, or
                the path of a CSV file, which may be compressed (`.gz`).

        Raises:
            InvalidRecordError: It is none of these, or a column is missing.
        """
        from rentbilling.portfolio.leases.table_leases import TableLeases  # noqa: PLC0415

        return TableLeases.of(source, self)

    @property
    def headers(self) -> tuple[str, ...]:
        """The columns that have fields, each once."""
        return tuple(dict.fromkeys((*self.lease.values(), *self.item.values())))

    @property
    def row_rules(self) -> RowRules:
        """Which rows are items, and what the words of columns mean."""
        return RowRules(self.skip, self.vacant, self.fill_down, self.words)

    @property
    def read_headers(self) -> tuple[str, ...]:
        """The columns that are read: first those with fields, then those that choose rows."""
        return tuple(dict.fromkeys((*self.headers, *self.row_rules.headers)))

    @property
    def notation(self) -> Notation:
        """How its cells are written."""
        return Notation(self.date, self.decimal, self.thousands, self.rates, self.currency_sign)

    @property
    def columns(self) -> tuple[Target, ...]:
        """The fields that columns fill, in the order of the headers in lease and item."""
        found = [
            target_of(f"lease.{name}", "lease_id" if name == "id" else _in_full(name))
            for name in self.lease
        ]
        return (*found, *(_item_field(f"item.{name}", name) for name in self.item))

    @property
    def fixed(self) -> tuple[Target, ...]:
        """The fields that constants fill."""
        return tuple(
            target_of(f"constants.{name}", _in_full(name.removeprefix("lease.")))
            if name.startswith("lease.")
            else _item_field(f"constants.{name}", name)
            for name in self.constants
        )

    @property
    def defaults(self) -> Iterator[tuple[Target, object]]:
        """Give the fields of an item that nothing else fills, with their defaults."""
        filled = {each.path for each in (*self.columns, *self.fixed)}
        for item, (path, value) in product(_items_of(filled), _DEFAULTS.items()):
            # A rate says that there is VAT, and not which one. Each of several has its own product.
            is_vague = path == "vat.tax_mode" and f"{item}.vat.tax_rate" in filled
            is_own = path == "product_key" and item != ITEMS
            if not (f"{item}.{path}" in filled or is_vague or is_own):
                yield target_of(f"default of {path}", f"{item}.{path}"), value

    def _wrong_sections(self) -> Iterator[Problem]:
        """Give the parts that are no mappings of texts."""
        for name in _SECTIONS[:3]:
            section = getattr(self, name)
            if not isinstance(section, Mapping) or not all(isinstance(key, str) for key in section):
                expected = "headers by the names of fields"
                yield Problem(name, "not_an_object", "is not a mapping", shown(section), expected)
            elif name != "constants":
                for key, header in section.items():
                    if not isinstance(header, str):
                        place, said = f"{name}.{key}", "is no header of a column"
                        expected = "a text; a value for all rows is one of the constants"
                        yield Problem(place, "not_a_text", said, shown(header), expected)

    def _wrong_paths(self) -> Iterator[Problem]:
        """Give the names that lead to no field, and those that contradict others."""
        known: dict[Step, bool] = {}
        seen: set[str] = set()
        for each in (*self.columns, *self.fixed):
            if each.word is None:
                said, expected = "leads to no field of a lease", _nearest(each)
                met = shown(each.name.partition(".")[2])
                yield Problem(each.name, "unknown_field", said, met, expected)
            elif each.path in seen:
                said, expected = "is filled twice", "one column or constant for each field"
                yield Problem(each.name, "contradiction", said, shown(each.path), expected)
            elif known.setdefault(each.list_name, each.has_places) is not each.has_places:
                said = "has a place in its list, which others have not"
                expected = "either for every column of the list"
                if not each.has_places:
                    said = "has no place in its list, which others have"
                    expected = (
                        f"its place, such as {each.list_name}[0].{each.path.partition('.')[2]}"
                    )
                    if each.path == f"{ITEMS}.amount.currency":
                        expected += ", or lease.currency for all items"
                yield Problem(each.name, "contradiction", said, shown(each.path), expected)
            seen.add(each.path)

    def _wrong_notation(self) -> Iterator[Problem]:
        """Give what is wrong with how the table is said to be written."""
        yield from self.notation.problems()
        yield from delimiter_problems(self.delimiter)
        line = self.header_line
        if line is not None and (type(line) is not int or line < 1):
            said, expected = "is no line of a file", "a whole number from 1"
            yield Problem("header_line", "wrong_value", said, shown(line), expected)
        try:
            codecs.lookup(self.encoding)
        except (LookupError, TypeError):
            said, expected = "is no known encoding", "one such as utf-8 or latin-1"
            yield Problem("encoding", "wrong_value", said, shown(self.encoding), expected)

    def _missing(self) -> Iterator[Problem]:
        filled = {each.path for each in (*self.columns, *self.fixed)}
        for item in _items_of(filled):
            yield from _missing_of(item, filled)


def _items_of(filled: Iterable[str]) -> list[str]:
    """Return the paths of the items that have fields: that of each row, or of each place."""
    heads = (path.partition(".")[0] for path in filled)
    return sorted({head for head in heads if head.partition("[")[0] == ITEMS})


def _missing_of(item: str, filled: Collection[str]) -> Iterator[Problem]:
    """Give the fields that an item needs and no column, constant or default has."""
    opening = any(path.startswith(f"{item}.{OPENING}.") for path in filled)
    moved = f"{item}.{MOVED_IN}" in filled
    wanted = (
        ("amount", f"{item}.amount.amount" in filled, 'amount = "Rent"'),
        (
            "currency",
            not {f"{item}.amount.currency", "currency"}.isdisjoint(filled),
            'a column, or currency = "DKK" as a constant',
        ),
        ("moved_in", opening or moved, 'moved_in = "From", or the fields of the opening'),
        (
            "tax_mode",
            f"{item}.vat.tax_mode" in filled or f"{item}.vat.tax_rate" not in filled,
            'a column, or tax_mode = "Exclusive" as a constant, with a rate',
        ),
        (
            "product_key",
            item == ITEMS or f"{item}.product_key" in filled,
            'a column, or product_key = "key:heating" as a constant',
        ),
    )
    name = "item" if item == ITEMS else item
    for field_name, there, expected in wanted:
        if not there:
            said = "is required, and no column or constant has it"
            yield Problem(f"{name}.{field_name}", "missing", said, "nothing", expected)
    if opening and moved:
        said, expected = "says the opening period, which is stated too", "one of the two"
        yield Problem(f"{name}.moved_in", "contradiction", said, "both", expected)


def _in_full(path: str) -> str:
    """Return the path of a field, also where an item of a place has its short name."""
    head, dot, rest = path.partition(".")
    return f"{head}{dot}{_SHORT.get(rest, rest)}" if head.startswith(f"{ITEMS}[") else path


def _item_field(name: str, field_name: str) -> Target:
    """Return a field of an item, also where the path begins with another list of the lease."""
    first = re.split(r"[.\[]", field_name, maxsplit=1)
    if len(first) > 1 and first[0] in dict(shape_of(LeaseTerms).parts):
        return target_of(name, _in_full(field_name))
    return target_of(name, f"{ITEMS}.{_SHORT.get(field_name, field_name)}")


def _nearest(wrong: Target) -> str:
    """Return what could be written in place of a name that is none."""
    if wrong.name.startswith("lease."):
        return "a field of LeaseTerms, such as id, currency or contract_end"
    short = ", ".join((*_SHORT, MOVED_IN, "product_key"))
    return f"{short}, or a field of RecurringBillItem, such as billing_cycle.period_length"


def _unknown(prefix: str, data: Mapping[str, Any], known: Iterable[str]) -> Iterator[Problem]:
    for name in data:
        if name not in known:
            said, expected = "is not a part of a mapping", "one of " + ", ".join(known)
            yield Problem(f"{prefix}{name}", "unknown_field", said, shown(data[name]), expected)
