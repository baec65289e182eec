"""Mapping guesses: a mapping to begin with, from the headers of a table and some of its rows.

Law: a guess is a text for a person to check; nothing is billed by it before it is a file of theirs.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem
from rentbilling.portfolio.leases.table_mapping import TableMapping
from rentbilling.tables import KNOWN_DATES, KNOWN_NUMBERS, Notation, without_currency
from rentbilling.values import CURRENCIES

_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "lease.id": "id lease lejemål lejekontrakt kontrakt contract tenancy mietvertrag vertrag"
        " bail contrat huurcontract avtal hyresavtal leieavtale contratto contrato",
        "lease.contract_end": "contractend leaseend leaseto end expiration moveout ophør slut"
        " lejeophør udløb fraflytning fraflyttet til until bis mietende vertragsende ende auszug"
        " fin sortie fine eind einde utflyttning utflytting slutt",
        "item.product_key": "product productkey produkt produit prodotto producto",
        "item.description": "description text tekst beskrivelse beschreibung bezeichnung libellé"
        " omschrijving beskrivning",
        "item.amount": "amount rent baserent rentamount price husleje leje månedsleje beløb pris"
        " miete monatsmiete kaltmiete nettomiete nettokaltmiete grundmiete betrag loyer montant"
        " huur huurprijs bedrag hyra månadshyra belopp leie husleie beløp canone affitto renta"
        " alquiler importe",
        "item.currency": "currency currencycode valuta valutakode währung devise monnaie divisa"
        " moneda ccy",
        "item.moved_in": "movedin movein startedon start leasestart leasefrom rentstart"
        " commencement from indflytning indflyttet fra lejestart overtagelse einzug mietbeginn"
        " vertragsbeginn beginn von entrée début ingang inflyttning inflyttad från innflytting"
        " inicio inizio",
        "item.ended_on": "endedon lastday sidstedag letztertag",
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
"""Headers that usually have a field: of the interface, and in the languages of its users."""
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
_DAYS: Final = ("moved_in", "contract_end", "ended_on", "discount.end_date")
_RATES: Final = ("tax_rate", "discount.percentage")
_NUMBERS: Final = ("amount", "quantity", *_RATES)
_MARKS: Final = ";\t|,"


def delimiter_of(header: str) -> str:
    r"""Return the mark that parts a line of headers, a comma where none does.

    Examples:
        >>> delimiter_of("Lejemål;Husleje, kr.;Fra"), delimiter_of("id")
        (';', ',')
    """
    return max(_MARKS, key=lambda mark: (header.count(mark) > 0, header.count(mark), mark == ","))


def mapping_start(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    form: Mapping[str, str],
    *,
    are_all: bool = True,
) -> str:
    """Return a mapping as TOML, as far as headers and rows tell it, with the rest as comments.

    Args:
        headers: Of the table.
        rows: Some of its rows, by which the forms of dates and numbers are guessed.
        form: What is known of its form, such as the delimiter.
        are_all: Whether the table has no further rows, whose numbers may have other marks.

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
    sections: dict[str, dict[str, str]] = {"lease": {}, "item": {}, "constants": {}, "format": {}}
    for header in headers:
        section, _, field = (_field_of(header) or "").partition(".")
        if field:
            sections[section].setdefault(field, header)
    currency = _currency_of(sections["item"].get("amount", ""))[1]
    if currency and "currency" not in sections["item"]:
        sections["constants"]["currency"] = currency
    comments: dict[str, list[str]] = {name: [] for name in sections}
    if {"tax_rate"} <= sections["item"].keys() and "tax_mode" not in sections["item"]:
        sections["constants"]["tax_mode"] = "Exclusive"
        comments["constants"].append("rows without a rate are exempt from VAT")
    if "id" not in sections["lease"]:
        comments["lease"].append('missing: id = "Lease"; without it each row is a lease of its own')

    def cells(fields: Iterable[str]) -> list[str]:
        of = {**sections["lease"], **sections["item"]}
        places = [headers.index(of[each]) for each in fields if each in of]
        texts = (row[place].strip() for row in rows for place in places if place < len(row))
        return [*dict.fromkeys(text for text in texts if text)]

    sections["format"] |= form
    # The column of the amount may be one without a field.
    numbers = cells(_NUMBERS) + ([] if "amount" in sections["item"] else _marked(rows))
    for guess, note in (_date_of(cells(_DAYS)), _marks_of(numbers, are_all=are_all)):
        sections["format"] |= guess
        comments["format"] += note
    rates = _reads_any([each for each in cells(_RATES) if not each.endswith("%")])
    if max(rates, default=0) > 1:
        sections["format"]["rates"] = "percent"
        if small := [each for each in rates if 0 < each < 1]:
            comments["format"].append(f"by percent, {small[0]} is {small[0]} %, and not a fraction")
    known = {*sections["lease"].values(), *sections["item"].values()}
    comments["item"] += _left(headers, rows, known)
    comments["constants"] += [
        f"missing: {each.path}: {each.expected}" for each in _problems(sections)
    ]
    return _NOTES + "".join(_section(name, sections[name], comments[name]) for name in sections)


def _left(
    headers: Sequence[str], rows: Sequence[Sequence[str]], known: Collection[str]
) -> Iterator[str]:
    """Give remarks about columns without a field."""
    left, numbers = [at for at, header in enumerate(headers) if header not in known], False
    for at in left:
        cells = [row[at] for row in rows if at < len(row) and row[at].strip()]
        yield f"? = {_quoted(headers[at])}, such as {(cells or [''])[0][:40]!r}"
        numbers |= bool(_reads_any(cells))
    if numbers:
        yield (
            'Another item in the same row? Its amount is "recurring_bill_items[1].amount"; all'
            ' fields of the first item then begin with "recurring_bill_items[0]."'
        )


def _field_of(header: str) -> str | None:
    """Return the field of a header, which may say around its word what kind of value it has."""
    header = header.strip()
    name = _FIELDS.get(_plain(header))
    if name is not None:
        return name
    kinds = (
        (_MONTHLY.sub("", _currency_of(header)[0]), ("amount",)),
        (_A_DATE.sub("", header), _DAYS),
        (_A_NUMBER.sub("", header), ("id",)),
    )
    found = ((_FIELDS.get(_plain(short), ""), fields) for short, fields in kinds)
    return next((each for each, fields in found if each.partition(".")[2] in fields), None)


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
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFC", header).casefold())


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _section(name: str, fields: Mapping[str, str], comments: Iterable[str]) -> str:
    lines = [f"{_key(field)} = {_quoted(text)}\n" for field, text in fields.items()]
    lines += [f"# {' '.join(each.split())}\n" for each in comments]
    return f"\n[{name}]\n" + "".join(lines)


def _key(field: str) -> str:
    return _quoted(field) if "." in field else field


def _date_of(cells: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the form of dates, and what is said where it is not certain."""
    forms = [form for form in KNOWN_DATES if cells and _reads(Notation(form), "day", cells)]
    if len(forms) == 1:
        return {"date": forms[0]}, []
    if not cells:
        return {}, []
    said = " or ".join(f'date = "{form}"' for form in forms) or 'date = "…", of mixed forms'
    return {}, [said]


def _marks_of(cells: Sequence[str], *, are_all: bool) -> tuple[dict[str, str], list[str]]:
    """Return the marks of numbers; where they are not certain, one that is refused until chosen."""
    given = {text: without_currency(text) for text in cells}
    odd = [text for text in cells if not _reads_any([text])]
    numbers = [plain for plain in given.values() if _reads_any([plain])]
    notes = [
        f"{text!r} is not read: format the column as numbers"
        + (", without currency" if given[text] in numbers else "")
        for text in odd[:1]
    ]
    if not numbers:
        return {}, notes
    marks = _meant(numbers, are_all=are_all)
    if len(marks) == 1:
        return marks[0], notes
    said = [", ".join(f'{name} = "{mark}"' for name, mark in each.items()) for each in marks]
    choose = "choose " + (" or ".join(said) or 'decimal = "," or ".": numbers are of mixed forms')
    return {"decimal": ""}, [choose, *notes]


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
