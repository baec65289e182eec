"""Mapping guesses: a mapping to begin with, from the headers of a table and some of its rows.

Law: a guess is a text for a person to check; nothing is billed by it before it is a file of theirs.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from rentbilling.errors import InvalidInputError, InvalidRecordError, Problem
from rentbilling.portfolio.leases.table_mapping import TableMapping
from rentbilling.tables import KNOWN_DATES, KNOWN_NUMBERS, Notation
from rentbilling.values import CURRENCIES

_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "lease.id": "id lease leaseid leaseno leasenumber lejemål lejemålsnr lejemålsnummer"
        " kontrakt kontraktnr kontraktnummer contract contractid contractno tenancy"
        " tenancyid mietvertrag vertrag vertragsnr vertragsnummer bail contrat"
        " huurcontract contractnummer avtal kontraktsnummer hyresavtal leieavtale"
        " contratto contrato",
        "lease.contract_end": "contractend leaseend enddate end ophør ophørsdato slut slutdato"
        " udløb fraflytning fraflyttet til until bis mietende vertragsende ende auszug fin datefin"
        " einddatum einde utflyttning slutdatum utflytting sluttdato",
        "item.product_key": "product productkey produkt produit prodotto producto",
        "item.description": "description text tekst beskrivelse beschreibung bezeichnung libellé"
        " omschrijving beskrivning",
        "item.amount": "amount rent monthlyrent price husleje leje månedsleje beløb pris miete"
        " monatsmiete kaltmiete nettomiete betrag loyer loyermensuel montant huur huurprijs bedrag"
        " hyra månadshyra belopp leie husleie beløp canone affitto renta alquiler importe",
        "item.currency": "currency valuta währung devise monnaie divisa moneda ccy",
        "item.moved_in": "movedin movein startedon startdate start from indflytning indflyttet fra"
        " startdato overtagelse einzug mietbeginn vertragsbeginn beginn von entrée début datedébut"
        " ingangsdatum inflyttning inflyttad startdatum från innflytting",
        "item.ended_on": "endedon lastday sidstedag letztertag",
        "item.tax_mode": "taxmode vatmode momstype steuerart",
        "item.tax_rate": "taxrate vatrate vat moms momssats momspct mwst mwstsatz ust umsatzsteuer"
        " steuersatz tva tauxtva btw btwtarief momssats mva iva",
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
_A_CURRENCY: Final = re.compile(r"\s*[(\[,]\s*([^\W\d]+|[€$£])\.?[)\]]?$")
_CURRENCY_SIGNS: Final = frozenset(["KR", "€", "$", "£"])
_NOTES: Final = "# A start: check each line, and name the fields of the columns that have none.\n"
_DAYS: Final = ("moved_in", "contract_end", "ended_on", "discount.end_date")
_NUMBERS: Final = ("amount", "tax_rate", "quantity", "discount.percentage")
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
    found: dict[str, str] = {}
    for header in headers:
        name = _field_of(header)
        if name is not None:
            found.setdefault(name, header)
    sections: dict[str, dict[str, str]] = {"lease": {}, "item": {}, "constants": {}, "format": {}}
    for name, header in found.items():
        section, _, field = name.partition(".")
        sections[section][field] = header
    if {"tax_rate"} <= sections["item"].keys() and "tax_mode" not in sections["item"]:
        sections["constants"]["tax_mode"] = "Exclusive"

    def cells(fields: Iterable[str]) -> list[str]:
        of = {**sections["lease"], **sections["item"]}
        places = [headers.index(of[each]) for each in fields if each in of]
        texts = (row[place].strip() for row in rows for place in places if place < len(row))
        return [*dict.fromkeys(text for text in texts if text)]

    comments: dict[str, list[str]] = {name: [] for name in sections}
    sections["format"] |= form
    for guess, note in (_date_of(cells(_DAYS)), _marks_of(cells(_NUMBERS), are_all=are_all)):
        sections["format"] |= guess
        comments["format"] += note
    for at, header in enumerate(headers):
        if header not in found.values():
            such = next((row[at] for row in rows if at < len(row) and row[at].strip()), "")
            comments["item"].append(f"? = {_quoted(header)}, such as {such[:40]!r}")
    comments["constants"] += [
        f"missing: {each.path}: {each.expected}" for each in _problems(sections)
    ]
    return _NOTES + "".join(_section(name, sections[name], comments[name]) for name in sections)


def _field_of(header: str) -> str | None:
    """Return the field of a header; that of an amount may say a month or a currency behind it."""
    name = _FIELDS.get(_plain(header))
    if name is None:
        short = _A_MONTH.sub("", header.strip())
        behind = _A_CURRENCY.search(short)
        if behind and behind[1].upper() in _CURRENCY_SIGNS | CURRENCIES.keys():
            short = short[: behind.start()]
        if _FIELDS.get(_plain(short)) == "item.amount":
            return "item.amount"
    return name


def _plain(header: str) -> str:
    """Return a header in small letters without marks."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFC", header).casefold())


def _quoted(text: str) -> str:
    """Return a text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _section(name: str, fields: Mapping[str, str], comments: Iterable[str]) -> str:
    """Return a table of TOML."""
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
    if len(marks) == 1:
        return marks[0], []
    said = [", ".join(f'{name} = "{mark}"' for name, mark in each.items()) for each in marks]
    return ({"decimal": ""}, ["choose " + " or ".join(said)]) if said else ({}, [])


def _reads(notation: Notation, word: str, cells: Sequence[str]) -> list[Any]:
    """Return the values of cells, none where one is not of a notation."""
    try:
        return [notation.read(word, cell, is_rate=True) for cell in cells]
    except InvalidInputError:
        return []


def _problems(sections: Mapping[str, Mapping[str, str]]) -> Iterator[Problem]:
    """Give what a mapping lacks."""
    try:
        TableMapping(sections["lease"], sections["item"], sections["constants"])
    except InvalidRecordError as error:
        yield from error.problems
