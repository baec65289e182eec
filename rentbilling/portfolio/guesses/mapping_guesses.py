"""Mapping guesses: a mapping to begin with, from the headers of a table and some of its rows.

Law: a guess is a text for a person to check; nothing is billed by it before it is a file of theirs.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem
from rentbilling.portfolio.guesses.row_guesses import (
    Roll,
    column_remarks,
    follow_on,
    frequency_columns,
    is_no_rent,
    plain,
    quoted,
    row_remarks,
)
from rentbilling.portfolio.leases.table_mapping import TableMapping
from rentbilling.tables import (
    KNOWN_DATES,
    KNOWN_NUMBERS,
    Notation,
    unread_day,
    without_currency,
)
from rentbilling.values import CURRENCIES

_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "lease.id": "id lease lejemål lejekontrakt kontrakt contract tenancy mietvertrag vertrag"
        " bail contrat huurcontract avtal hyresavtal leieavtale contratto contrato",
        "item.product_key": "product productkey produkt produit prodotto producto",
        "item.description": "description text tekst beskrivelse beschreibung bezeichnung libellé"
        " omschrijving beskrivning",
        "item.amount": "amount rent baserent rentamount price husleje leje månedsleje beløb pris"
        " miete monatsmiete kaltmiete nettomiete nettokaltmiete grundmiete betrag loyer montant"
        " huur huurprijs bedrag hyra månadshyra belopp leie husleie beløp canone affitto renta"
        " alquiler importe",
        "item.currency": "currency currencycode valuta valutakode währung devise monnaie divisa"
        " moneda ccy",
        "item.moved_in": "movedin movein indflytning indflyttet einzug entrée inflyttning inflyttad"
        " innflytting",
        "start": "startedon start leasestart leasefrom rentstart commencement from fra lejestart"
        " overtagelse mietbeginn vertragsbeginn beginn von début ingang från inicio inizio",
        "item.ended_on": "endedon lastday sidstedag letztertag moveout movedout fraflytning"
        " fraflyttet auszug sortie utflyttning utflytting",
        "end": "contractend leaseend leaseto leaseexpiration leaseexpiry leaseexpires expiration"
        " expiry expires end until ophør slut lejeophør udløb til bis mietende vertragsende ende"
        " fin fine eind einde slutt",
        "item.tax_mode": "taxmode vatmode momstype steuerart",
        "item.tax_rate": "taxrate vatrate vat moms momssats momspct mwst mwstsatz ust ustsatz"
        " umsatzsteuer steuersatz tva tauxtva btw btwtarief mva iva",
        "item.quantity": "quantity antal menge anzahl quantité aantal antall",
        "item.months": "months måneder monate mois maanden månader periodlength",
        "item.due_day": "dueday dayofperiod forfaldsdag fälligkeitstag förfallodag forfallsdag",
        "item.discount.percentage": "discount discountpct rabat rabatpct rabatt remise korting",
        "item.discount.end_date": "discountuntil discountend rabattil rabattbis",
    }
)
"""Headers that usually have a field: of the interface, and in the languages of its users.

`start` is a first day where no column has the day of moving in; `end` may be an end or none.
"""
_OWN_END: Final = ("contract_end", "contractEnd")
"""The headers of an end that say that it is one, because they are the field."""
_FIELDS: Final = MappingProxyType(
    {word: name for name, words in _WORDS.items() for word in words.split()}
)
_A_MONTH: Final = re.compile(
    r"[\s(/,]+(?:(?:pr|per|pro|par|por|al)\b\.?\s*)?"
    r"(?:måned|md|month|monat|mois|maand|månad|mnd|mese|mes)\b\.?\)?$",
    re.IGNORECASE,
)
"""Behind a header's word: that it is for a month; a year is no usual cycle."""
_MONTHLY: Final = re.compile(
    r"^(?:monthly|månedlige?|monatliche?|månatlig|maandelijkse?)\s+|\s+(?:mensuel|mensile|mensual)$",
    re.IGNORECASE,
)
"""Before or behind a header's word: that it is for a month."""
_A_DATE: Final = re.compile(
    r"^(?:date|data|fecha)\s+(?:d['’]\s*|(?:de|du|di|of)\s+)?|s?[\s_-]*(?:dato|datum|date)$",
    re.IGNORECASE,
)
"""Before or behind a header's word: that it is a date."""
_A_NUMBER: Final = re.compile(
    r"^(?:n[°ºo.]|num[eé]ro)\s*(?:(?:de|du|di)\s+)?|s?[\s._-]*(?:nr|no|nummer|number|id|#)\.?$",
    re.IGNORECASE,
)
"""Before or behind a header's word: that it is a number or an id."""
_MARKED: Final = re.compile("[0-9][.,' \u00a0\u202f][0-9]")
"""A number with a mark."""
_A_CURRENCY: Final = re.compile(r"(?:\s*[(\[,]\s*|\s+(?:in\s+)?)([^\W\d]+|[€$£])\.?[)\]]?$")
_CURRENCY_SIGNS: Final = MappingProxyType({"KR": "", "€": "EUR", "$": "", "£": "GBP"})
"""Signs, with the currency of those that only one has."""
_NOTES: Final = "# A start: check each line, and name the fields of the columns that have none.\n"
_DAYS: Final = ("moved_in", "contract_end", "ended_on", "discount.end_date", "start", "end")
_RATES: Final = ("tax_rate", "discount.percentage")
_NUMBERS: Final = ("amount", "quantity", *_RATES)
_MARKS: Final = ";\t|,"
_ORDER: Final = ("lease", "item", "constants", "rows", "words", "format")
"""The tables of a mapping."""
_MEANINGS: Final = (
    'say what each text means: "month" or "year" for price_per, a number for months; skip rows that'
    " are for once; or strike the line out"
)


def delimiter_of(lines: Sequence[str]) -> str:
    r"""Return the mark that parts the first lines of a table, a comma where none does.

    The first line decides, or where it has no mark the one that has most.

    Examples:
        >>> delimiter_of(["Lejemål;Husleje, kr.;Fra"]), delimiter_of(["id"])
        (';', ',')
        >>> delimiter_of(["Rent roll", "id;rent"])
        ';'
    """
    counts = [{mark: line.count(mark) for mark in _MARKS} for line in lines]
    first = counts[0] if counts and any(counts[0].values()) else {}
    found = first or max(counts, key=lambda each: max(each.values()), default={})
    return max(_MARKS, key=lambda mark: (found.get(mark, 0), mark == ","))


def header_place(rows: Sequence[Sequence[str]]) -> int:
    """Return which row has the headers: the first with most that are known, if it is not the first.

    Examples:
        >>> header_place([["Rent roll"], ["As of", "2026-03-01"], ["id", "rent"], ["1", "5"]])
        2
    """
    known = [len({*filter(None, map(_field_of, row))}) for row in rows]
    return known.index(max(known)) if known[0] <= 1 < max(known) else 0


def mapping_start(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    form: Mapping[str, str],
    *,
    are_all: bool = True,
    header_line: int | None = None,
) -> str:
    """Return a mapping as TOML, as far as headers and rows tell it, with the rest as comments.

    Args:
        headers: Of the table.
        rows: Some of its rows, by which the forms of dates and numbers are guessed.
        form: What is known of its form, such as the delimiter.
        are_all: Whether the table has no further rows, whose numbers may have other marks.
        header_line: Of a file, the line of the headers, if others are above it.

    Examples:
        >>> headers = ["Lejemål", "Husleje", "Fra"]
        >>> print(mapping_start(headers, [["1", "8.500,00", "15-01-2026"]], {}))
        # A start: check each line, and name the fields of the columns that have none.
        <BLANKLINE>
        [lease]
        id = "Lejemål"
        <BLANKLINE>
        [item]
        amount = "Husleje"
        moved_in = "Fra"
        <BLANKLINE>
        [constants]
        # missing: item.currency: a column, or currency = "DKK" as a constant
        <BLANKLINE>
        [format]
        date = "D-M-YYYY"
        decimal = ","
        thousands = "."
        <BLANKLINE>
    """
    sections, ends = _fields_of(headers)
    of = {**sections["lease"], **sections["item"]}
    comments: dict[str, list[str]] = {name: [] for name in _ORDER}
    currency = _currency_of(of.get("amount", ""))[1]
    if currency and "currency" not in of:
        sections["constants"]["currency"] = currency
    if "tax_rate" in of and "tax_mode" not in of:
        sections["constants"]["tax_mode"] = "Exclusive"
        comments["constants"].append("rows without a rate are exempt from VAT")
    left = [each for each in dict.fromkeys(headers) if each not in (*of.values(), *ends)]
    roll = Roll(headers, rows, left, of)
    sections["format"] |= form
    for guess, note in _forms_of(roll, ends, are_all=are_all):
        sections["format"] |= guess
        comments["format"] += note
    roll = roll._replace(amounts=_amounts_of(roll, sections["format"]))
    guess, note = _sign_of(roll)
    sections["format"] |= guess
    comments["format"] += note
    words = frequency_columns(roll)
    if "id" not in of:
        key = quoted(roll.key() or "Lease")
        comments["lease"].append(f"missing: id = {key}; without it each row is a lease of its own")
    for header in ends:
        comments["lease"] += _end_of_lease(header)
        comments["item"] += [] if "ended_on" in of else _end_of_item(header)
    comments["item"] += [*_left(roll, words), *column_remarks(roll), *map(_how_often, words)]
    comments["rows"] += row_remarks(roll)
    comments["constants"] += [
        f"missing: {each.path}: {each.expected}" for each in _problems(sections)
    ]
    lines = {name: _lines(fields) for name, fields in sections.items()}
    lines["rows"] = [] if header_line is None else [f"header_line = {header_line}"]
    lines["words"], comments["words"] = _asked(roll, words, ends, sections["format"])
    return _NOTES + "".join(
        _section(name, lines[name], comments[name])
        for name in _ORDER
        if name in sections or lines[name] or comments[name]
    )


def _forms_of(
    roll: Roll, ends: Iterable[str], *, are_all: bool
) -> Iterator[tuple[dict[str, str], list[str]]]:
    """Give the forms of dates, numbers and rates, with what is said of them."""

    def cells(fields: Iterable[str], more: Iterable[str] = ()) -> list[str]:
        names = [*(roll.fields[each] for each in fields if each in roll.fields), *more]
        return [*dict.fromkeys(text for each in names for text in roll.texts(each))]

    yield _date_of(cells(_DAYS, ends))
    # The column of the amount may be one without a field.
    numbers = cells(_NUMBERS) + ([] if "amount" in roll.fields else _marked(roll.rows))
    yield _marks_of(numbers, are_all=are_all)
    rates = _reads_any([each for each in cells(_RATES) if not each.endswith("%")])
    if max(rates, default=0) > 1:
        small = [each for each in rates if 0 < each < 1][:1]
        notes = [f"by percent, {each} is {each} %, and not a fraction" for each in small]
        yield {"rates": "percent"}, notes


def _fields_of(headers: Sequence[str]) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return the headers of fields, and those that may be ends of leases."""
    sections: dict[str, dict[str, str]] = {"lease": {}, "item": {}, "constants": {}, "format": {}}
    found = {header: _field_of(header) or "" for header in headers}
    for header, name in found.items():
        is_first = name == "start" and "item.moved_in" not in found.values()
        section, _, field = ("item.moved_in" if is_first else name).partition(".")
        if field:
            sections[section].setdefault(field, header)
    return sections, [header for header, name in found.items() if name == "end"]


def _end_of_lease(header: str) -> list[str]:
    said = "is no end here: a tenant who stays is billed until ended_on; if none stays:"
    return [f"{quoted(header)} {said}", f"contract_end = {quoted(header)}"]


def _end_of_item(header: str) -> list[str]:
    said = "if the tenant has left, or the price changes, after"
    return [f"{said} {quoted(header)}:", f"ended_on = {quoted(header)}"]


def _asked(
    roll: Roll, words: Mapping[str, Sequence[str]], ends: Iterable[str], form: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """Return lines that make a map fail until they are written or struck out, and why."""
    lines = [f"{quoted(header)} = {_blanks(texts)}" for header, texts in words.items()]
    comments = [_MEANINGS] if words else []
    dates = Notation(form.get("date", "YYYY-MM-DD"))
    for header in [] if "ended_on" in roll.fields else ends:
        if follow_on(roll, header, dates):
            # Without their ends, rows that follow each other would be billed at once.
            lines.append(f'{quoted(header)} = ""')
            comments.append(
                f"rows go on in others after {quoted(header)}: write it as ended_on if each row"
                " ends there, and strike the line out"
            )
    return lines, comments


def _how_often(header: str) -> str:
    name = quoted(header)
    return (
        f"{name} says how often: price_per = {name} where the amount is for that time,"
        f" months = {name} where it is billed that often; its words are in [words]"
    )


def _blanks(texts: Iterable[str]) -> str:
    return "{ " + ", ".join(f'{quoted(each)} = ""' for each in texts) + " }"


def _amounts_of(roll: Roll, form: Mapping[str, str]) -> list[Decimal | None]:
    """Return the amount of each row, None where it is not certain."""
    marks = {name: form[name] for name in ("decimal", "thousands") if name in form}
    if "amount" not in roll.fields or marks.get("decimal") == "":
        return [None] * len(roll.rows)
    cells = roll.column(roll.fields["amount"])
    notations = (Notation(**marks, currency_sign=_sign(each)) for each in cells)
    found = (_reads(each, "number", [cell]) for each, cell in zip(notations, cells, strict=True))
    return [values[0] if values else None for values in found]


def _left(roll: Roll, known: Collection[str]) -> Iterator[str]:
    """Give remarks about columns without a field."""
    numbers, no_rent = False, list[str]()
    for header in roll.left:
        cells = roll.texts(header)
        if header in known:
            continue
        if is_no_rent(header):
            no_rent.append(quoted(header))
            continue
        yield f"? = {quoted(header)}, such as {' '.join((cells or [''])[0][:40].split())!r}"
        numbers |= bool(_reads_any(cells))
    if no_rent:
        yield f"no rent that is due: {', '.join(no_rent)}"
    if numbers:
        yield (
            'Another item in the same row? Its amount is "recurring_bill_items[1].amount"; all'
            ' fields of the first item then begin with "recurring_bill_items[0]."'
        )


def _field_of(header: str) -> str | None:
    """Return the field of a header, which may say around its word what kind of value it has."""
    header = header.strip()
    if header in _OWN_END:
        return "lease.contract_end"
    name = _FIELDS.get(_plain(header))
    if name is not None:
        return name
    kinds = (
        (_MONTHLY.sub("", _currency_of(header)[0]), ("amount",)),
        (_A_DATE.sub("", header), _DAYS),
        (_A_NUMBER.sub("", header), ("id",)),
    )
    found = ((_FIELDS.get(_plain(short), ""), fields) for short, fields in kinds)
    return next((each for each, fields in found if each.rpartition(".")[2] in fields), None)


def _currency_of(header: str) -> tuple[str, str]:
    """Return a header without the month and the currency behind its word, and the currency."""
    short = _A_MONTH.sub("", header.strip())
    behind = _A_CURRENCY.search(short)
    code = behind[1].upper() if behind else ""
    if behind and code in _CURRENCY_SIGNS | CURRENCIES.keys():
        return short[: behind.start()], _CURRENCY_SIGNS.get(code, code)
    return short, ""


def _plain(header: str) -> str:
    """Return a header in small letters without marks."""
    return plain(unicodedata.normalize("NFC", header))


def _section(name: str, lines: Iterable[str], comments: Iterable[str]) -> str:
    return f"\n[{name}]\n" + "".join(
        f"{each}\n" for each in (*lines, *(f"# {each}" for each in comments))
    )


def _lines(fields: Mapping[str, str]) -> list[str]:
    return [f"{_key(field)} = {quoted(text)}" for field, text in fields.items()]


def _key(field: str) -> str:
    return quoted(field) if "." in field else field


def _date_of(cells: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the form of dates, and what is said where it is not certain."""
    forms = [form for form in KNOWN_DATES if cells and _reads(Notation(form), "day", cells)]
    if len(forms) == 1:
        return {"date": forms[0]}, []
    if not cells:
        return {}, []
    said = " or ".join(f'date = "{form}"' for form in forms)
    unread = next((f"{cell!r}: {why}" for cell in cells if (why := unread_day(cell))), "")
    return {}, [said or unread or 'date = "…", of mixed forms']


def _marks_of(cells: Sequence[str], *, are_all: bool) -> tuple[dict[str, str], list[str]]:
    """Return the marks of numbers; where they are not certain, one that is refused until chosen."""
    numbers = [each for each in map(_core, cells) if _reads_any([each])]
    if not numbers:
        return {}, []
    marks = _meant(numbers, are_all=are_all)
    if len(marks) == 1:
        return marks[0], []
    said = [", ".join(f'{name} = "{mark}"' for name, mark in each.items()) for each in marks]
    choose = "choose " + (" or ".join(said) or 'decimal = "," or ".": numbers are of mixed forms')
    return {"decimal": ""}, [choose]


def _core(text: str) -> str:
    """Return a number without its sign and its currency."""
    return without_currency(text.strip().strip("-+()\u2212"))


def _sign_of(roll: Roll) -> tuple[dict[str, str], list[str]]:
    """Return the sign of a currency that every amount has, and what is not read without it."""
    header = roll.fields.get("amount")
    amounts = [] if header is None else roll.column(header)
    signs = {_sign(amounts[at]) for at in roll.items() if amounts and amounts[at]}
    if len(signs) == 1 and (sign := signs.pop()):
        return {"currency_sign": sign}, [f"{sign} says no currency"]
    fields = [roll.fields[each] for each in _NUMBERS if each in roll.fields]
    odd = [text for each in fields for text in roll.texts(each) if not _reads_any([text])][:1]
    return {}, [
        f"{text!r} is not read: format the column as numbers"
        + (f", or write currency_sign = {quoted(sign)}" if (sign := _sign(text)) else "")
        for text in odd
    ]


def _sign(text: str) -> str:
    """Return the sign of a currency around a number, empty where there is none."""
    inner = text.strip().strip("-+()\u2212").strip()
    number = without_currency(inner)
    return inner.replace(number, "", 1).strip() if _reads_any([number]) else ""


def _meant(cells: Sequence[str], *, are_all: bool) -> list[dict[str, str]]:
    """Return the marks that read all numbers, one for each meaning."""
    meant: dict[tuple[Any, ...], dict[str, str]] = {}
    # Where all are read alike, the usual marks say so.
    for decimal, thousands in ((".", ""), *KNOWN_NUMBERS):
        notation = Notation(decimal=decimal, thousands=thousands)
        if values := _reads(notation, "number", cells):
            apart = {"thousands": thousands} if thousands else {}
            meant.setdefault(tuple(values), {"decimal": decimal, **apart})
    marks = [*meant.values()]
    if len(marks) == 1 and not are_all and all(map(str.isdecimal, cells)):
        marks.append({"decimal": ",", "thousands": "."})
    return marks


def _marked(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the cells that are numbers with a mark."""
    cells = (cell.strip() for row in rows for cell in row if _MARKED.search(cell))
    return [cell for cell in cells if _reads_any([without_currency(cell)])]


def _reads(notation: Notation, word: str, cells: Sequence[str]) -> list[Any]:
    """Return the values of cells, none where one is not of a notation."""
    try:
        return [notation.read(word, cell, is_rate=True) for cell in cells]
    except InvalidInputError:
        return []


def _reads_any(cells: Sequence[str]) -> list[Decimal]:
    """Return the numbers of cells in a usual notation, none where no notation reads them all."""
    notations = (Notation(decimal=decimal, thousands=mark) for decimal, mark in KNOWN_NUMBERS)
    return next(filter(None, (_reads(each, "number", cells) for each in notations)), [])


def _problems(sections: Mapping[str, Mapping[str, str]]) -> Iterator[Problem]:
    try:
        TableMapping(sections["lease"], sections["item"], sections["constants"])
    except InvalidRecordError as error:
        yield from error.problems
