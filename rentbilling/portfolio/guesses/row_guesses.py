"""Row guesses: which rows of an exported table may be no leases, and which columns say how often.

Law: a guess is a remark for a person; what cannot be read off a table is asked and never decided.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Final, NamedTuple

from rentbilling.errors import InvalidInputError
from rentbilling.tables import TOTALS, Notation, names_totals

_HOW_OFTEN: Final = (
    "daily day perday weekly week perweek wk wkly pw fortnightly fortnight biweekly 4weekly"
    " fourweekly monthly month permonth mth mthly pcm bimonthly quarterly quarter perquarter qtr"
    " qtrly semiannually semiannual halfyearly biannually yearly year peryear yr annually annual"
    " annum perannum månedlig månedligt månedsvis prmåned prmd kvartalsvis kvartalsvist kvartal"
    " halvårlig halvårligt årlig årligt prår ugentlig monatlich vierteljährlich quartalsweise"
    " halbjährlich jährlich wöchentlich promonat projahr mensuel mensuelle trimestriel"
    " trimestrielle semestriel semestrielle annuel annuelle maandelijks perkwartaal perjaar"
    " permaand jaarlijks månadsvis årsvis mensual trimestral semestral anual mensile trimestrale"
    " annuale seasonal seasonally season once onetime oneoff engangs einmalig"
)
"""Texts in small letters without marks; not those that are also states, such as PA."""
_FREQUENCIES: Final = frozenset(_HOW_OFTEN.split())
_ASKS_HOW_OFTEN: Final = (
    "frequency freq rentfrequency paymentfrequency billingfrequency chargefrequency rentper per"
    " interval billinginterval turnus zahlungsweise intervall frekvens betalingsfrekvens"
    " périodicité periodicidad periodicità billingcycle paymentcycle rentcycle"
)
_SAYS_HOW_OFTEN: Final = frozenset(_ASKS_HOW_OFTEN.split())
_MOST_WORDS: Final = 20
"""Texts of a column that says how often, at most."""
_STATUS: Final = re.compile(r"\b(?:status|occupancy|zustand|statut|estado|stato)\b", re.IGNORECASE)
_VACANT: Final = re.compile(
    r"\b(?:vacan|vakan|vacío|vuoto|available|empty|void\b|unlet\b|unoccupied|leer|frei\b|ledig|tom\b"
    r"|tomgang|leeg|libre)",
    re.IGNORECASE,
)
_GONE: Final = re.compile(
    r"\b(?:past|former|previous|future|evict|applicant|pending|cancel|inactive|closed|terminated"
    r"|tidligere|fremtidig|ophørt|ehemalig|zukünftig|ancien|futur)",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(rf"\b{TOTALS}\b", re.IGNORECASE)
_NO_RENT: Final = re.compile(
    r"\b(?:market|mkt|deposits?|past\s*due|balance|arrears|prepaid|delinquen\w*|sq\.?\s*(?:ft|m)"
    r"|sqft|area|size|depositum|kaution|caution|borg|saldo|areal|fläche|surface)\b",
    re.IGNORECASE,
)
_ARREARS: Final = re.compile(
    r"arrear|bagud|nachschüssig|échu|achteraf|efterskott|etterskudd|vencid", re.IGNORECASE
)
_NO_ID: Final = re.compile(
    "[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{2,4}|[^0-9]*[0-9][0-9., ]*[.,][0-9]{2}[^0-9]*"
)
"""A day, or an amount."""
_TENANT: Final = re.compile(
    r"\b(?:tenant|resident|lessee|occupant|names?$|lejer|mieter|locataire|huurder|hyresgäst|leietaker|inquilino)",
    re.IGNORECASE,
)


def quoted(text: str) -> str:
    r"""Return a text as TOML writes it.

    Examples:
        >>> print(quoted('a "b"'))
        "a \"b\""
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def plain(text: str) -> str:
    """Return a text in small letters without marks.

    Examples:
        >>> plain("Lease-To")
        'leaseto'
    """
    return re.sub(r"[\W_]", "", text.casefold())


def is_no_rent(header: str) -> bool:
    """Return whether a column has amounts that nobody owes as rent.

    Examples:
        >>> is_no_rent("Market Rent"), is_no_rent("Base Rent")
        (True, False)
    """
    return _NO_RENT.search(header) is not None


class Roll(NamedTuple):
    """Some rows of a table."""

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Sequence[str]
    """The headers of the columns that have no field."""
    fields: Mapping[str, str]
    """The headers of those that have one, by field."""
    amounts: Sequence[Decimal | None] = ()
    """The amount of each row."""

    def column(self, header: str) -> list[str]:
        """Return the texts of a column."""
        at = self.headers.index(header)
        return [row[at].strip() if at < len(row) else "" for row in self.rows]

    def cells(self, header: str, places: Iterable[int]) -> list[str]:
        """Return the texts of a column in some rows."""
        column = self.column(header)
        return [column[at] for at in places]

    def texts(self, header: str) -> list[str]:
        """Return the distinct texts of a column that are not blank."""
        return [each for each in dict.fromkeys(self.column(header)) if each]

    def without(self, texts: Mapping[str, Collection[str]]) -> "Roll":
        """Return it without the rows that have one of some texts."""
        out = {
            at
            for name, known in texts.items()
            for at, text in enumerate(self.column(name))
            if text in known
        }
        left = [at for at in range(len(self.rows)) if at not in out]
        return self._replace(
            rows=[self.rows[at] for at in left], amounts=[self.amounts[at] for at in left]
        )

    def sums(self) -> list[int]:
        """Return the rows of totals: so called, or the sum of the rows above.

        That is of all rows, or of those since such a row.

        Examples:
            >>> Roll([], [], [], {}, [*map(Decimal, (1, 2, 3, 4, 5, 9, 12))]).sums()
            [2, 5, 6]
        """
        found = list[int]()
        every = since = 0, Decimal(0)
        for at, amount in enumerate(self.amounts):
            is_named = at < len(self.rows) and any(map(names_totals, self.rows[at]))
            if is_named or (
                amount and any(count > 1 and amount == total for count, total in (since, every))
            ):
                found.append(at)
                since = 0, Decimal(0)
            elif amount is not None:
                every, since = ((count + 1, total + amount) for count, total in (every, since))
        return found

    def items(self) -> list[int]:
        """Return the rows that are no sums and not blank."""
        sums = {*self.sums()}
        return [
            at for at, row in enumerate(self.rows) if at not in sums and any(map(str.strip, row))
        ]

    def vacant(self) -> list[int]:
        """Return the rows without an amount and a first day."""
        first = self.fields.get("moved_in")
        days = self.column(first) if first is not None else [""] * len(self.rows)
        return [at for at in self.items() if not (self.amounts[at] or days[at])]

    def key(self) -> str | None:
        """Return the column of the id, or one that could be: it differs in each row."""
        own = self.fields.get("id")
        if own is not None:
            return own
        items = self.items()
        for header in self.left:
            cells = self.cells(header, items)
            if is_no_rent(header) or all(map(_NO_ID.fullmatch, cells)):
                continue
            if len(items) > 1 and all(cells) and len({*cells}) == len(cells):
                return header
        return None


def frequency_columns(roll: Roll) -> dict[str, list[str]]:
    """Return the columns that say how often something is due, with their texts."""
    vacant = {*roll.vacant()}
    priced = [at for at in roll.items() if roll.amounts[at] and at not in vacant]
    found = {header: roll.texts(header) for header in roll.left}
    return {
        header: texts if all(roll.cells(header, priced)) else [*texts, ""]
        for header, texts in found.items()
        if texts
        and (
            # A text more, such as "Other", says no less of the rest.
            2 * sum(plain(each) in _FREQUENCIES for each in texts) > len(texts)
            or (plain(header) in _SAYS_HOW_OFTEN and len(texts) <= _MOST_WORDS)
        )
    }


def follow_on(roll: Roll, end: str, form: Notation) -> bool:
    """Return whether a row begins the day after the one above it ends, and is of the same thing."""
    if "moved_in" not in roll.fields:
        return False
    days = [_days(roll.column(each), form) for each in (end, roll.fields["moved_in"])]
    keys = [roll.fields["id"]] if "id" in roll.fields else roll.left
    texts = [roll.column(each) for each in keys]
    return any(
        last is not None
        and last < date.max
        and first == last + timedelta(1)
        and any(each[at] and each[at] == each[at + 1] for each in texts)
        for at, (last, first) in enumerate(zip(days[0], days[1][1:], strict=False))
    )


def _days(cells: Iterable[str], form: Notation) -> list[date | None]:
    found = list[date | None]()
    for each in cells:
        try:
            found.append(form.read("day", each))
        except InvalidInputError:
            found.append(None)
    return found


def row_remarks(roll: Roll) -> Iterator[str]:
    """Give entries of the table rows that may be right, each with its reason before it."""
    skip, sums = dict[str, list[str]](), roll.sums()
    if sums and (found := _marking(roll, sums)):
        skip |= found
        amount = quoted(roll.fields["amount"])
        yield f"rows whose {amount} is a total of rows above them, such as {_shown(roll, sums)}:"
        yield f"skip = {_table(skip)}"
        roll = roll.without(skip)
    gone = {
        header: texts
        for header in roll.left
        if _STATUS.search(header) and (texts := [*filter(_GONE.search, roll.texts(header))])
    }
    if gone:
        yield "rows that may be no leases of this month; those with a last day end by it:"
        yield f"skip = {_table(skip | gone)}"
    if filled := _fill_down(roll):
        yield "columns that are blank where rows go on that above them:"
        yield f"fill_down = [{', '.join(map(quoted, filled))}]"
    vacant = roll.vacant()
    if vacant and (found := _of_vacant(roll, vacant)):
        yield f"units without a rent, such as {_shown(roll, vacant)}:"
        yield f"vacant = {_table(found)}"


def column_remarks(roll: Roll) -> Iterator[str]:
    """Give what else columns say that changes bills, and no field has."""
    for header in roll.left:
        late = [*filter(_ARREARS.search, roll.texts(header))]
        if late and not is_no_rent(header):
            yield (
                f"{quoted(header)} has {late[0][:40]!r}: a due day counts from the start of its"
                ' period; "due_date_rule.relative_to" = "end" in [constants] counts from its end'
            )
    key = roll.key()
    if key is None:
        return
    for header in filter(_TENANT.search, roll.left):
        known: dict[str, str] = {}
        items = roll.items()
        for own, tenant in zip(roll.cells(key, items), roll.cells(header, items), strict=True):
            if own and tenant and known.setdefault(own, tenant) != tenant:
                yield (
                    f"{quoted(key)} {own[:40]!r} has several of {quoted(header)}: rows of one id"
                    " are billed as one lease"
                )
                break


def _marking(roll: Roll, marked: Sequence[int]) -> dict[str, list[str]]:
    """Return columns with their texts that only the marked rows have: the id, or of totals."""
    key, others = roll.key(), roll.items()
    ordered = [*([key] if key else []), *(each for each in roll.left if each != key)]
    named, left = dict[str, list[str]](), {*marked}
    for header in ordered:
        own = {at: text for at, text in enumerate(roll.column(header)) if at in left}
        totals = {at: text for at, text in own.items() if _TOTAL.search(text)}
        if totals:
            named[header] = [*dict.fromkeys(totals.values())]
            left -= {*totals}
        if not left:
            return named
    texts = [*dict.fromkeys(roll.cells(key, marked))] if key else []
    is_last = marked[-1] == len(roll.rows) - 1
    if key and (texts == [""] or is_last) and {*texts}.isdisjoint(roll.cells(key, others)):
        named[key] = texts
    return named


def _fill_down(roll: Roll) -> list[str]:
    """Return the columns that are blank in rows with an amount and no id, or no first day."""
    own = [roll.fields[each] for each in ("id", "moved_in", "ended_on") if each in roll.fields]
    priced = [row for row in roll.items() if roll.amounts[row]]
    first = roll.cells(own[0], priced) if own else []
    blank = [row for row, text in zip(priced, first, strict=False) if not text]
    if not blank or blank[0] == priced[0]:
        return []
    told = [each for each in roll.left if not is_no_rent(each) and roll.texts(each)]
    found = {each for each in (*own, *told) if not any(roll.cells(each, blank))}
    if "id" not in roll.fields and found.isdisjoint(told):
        return []
    return [each for each in dict.fromkeys(roll.headers) if each in found]


def _of_vacant(roll: Roll, vacant: Collection[int]) -> dict[str, list[str]]:
    """Return a column with its texts by which most units without a lease are known.

    Blank cells say it only where the tenant is: a lease may lack an end, a charge, or by a slip its
    rent.
    """
    others = [*{*roll.items()}.difference(vacant)]
    own = roll.fields.get("id")
    found, most = dict[str, list[str]](), (0, False)
    for header in [*([own] if own else []), *roll.left]:
        cells = roll.cells(header, vacant)
        known = [*filter(_VACANT.search, cells)]
        worth = len(known), True
        if _TENANT.search(header) and not any(cells):
            known, worth = cells, (len(cells), False)
        if worth > most and known and {*known}.isdisjoint(roll.cells(header, others)):
            found, most = {header: [*dict.fromkeys(known)]}, worth
    return found


def _shown(roll: Roll, rows: Sequence[int]) -> str:
    """Return the texts of the first of some rows."""
    texts = (" ".join(each.split()) for each in roll.rows[rows[0]])
    return repr(", ".join(filter(None, texts))[:60])


def _table(texts: Mapping[str, Iterable[str]]) -> str:
    entries = (f"{quoted(name)} = [{', '.join(map(quoted, each))}]" for name, each in texts.items())
    return f"{{ {', '.join(entries)} }}"
