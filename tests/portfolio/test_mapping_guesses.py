"""A map to begin with: fields by headers, forms by rows, and what is left to the person."""

import csv
import tomllib

from rentbilling.portfolio.guesses.mapping_guesses import delimiter_of, mapping_start
from tests.support.rows import rows


def start(text: str) -> str:
    """Return the map that a table begins with."""
    delimiter = delimiter_of(text.splitlines()[:1])
    headers, *rows = csv.reader(text.splitlines(), delimiter=delimiter)
    form = {} if delimiter == "," else {"delimiter": delimiter}
    return mapping_start(headers, rows, form)


@rows(
    ("text", "expected"),
    [
        (
            "leaseId,amount,currency,movedIn\n1,8500.00,DKK,2026-01-15\n",
            {
                "lease": {"id": "leaseId"},
                "item": {"amount": "amount", "currency": "currency", "moved_in": "movedIn"},
                "constants": {},
                "format": {"date": "YYYY-MM-DD", "decimal": "."},
            },
        ),
        (
            "Vertrag;Kaltmiete;Mietbeginn;MwSt\n7;1.100,5;1.3.2020;19 %\n8;900;15.12.2021;0\n",
            {
                "lease": {"id": "Vertrag"},
                "item": {"amount": "Kaltmiete", "tax_rate": "MwSt", "moved_in": "Mietbeginn"},
                "constants": {"tax_mode": "Exclusive"},
                "format": {"delimiter": ";", "date": "D.M.YYYY", "decimal": ",", "thousands": "."},
            },
        ),
        (
            "Lejemål\tHusleje\tFra\tMoms\tMomstype\tRabat\tRabat til\n\n",
            {
                "lease": {"id": "Lejemål"},
                "item": {
                    "amount": "Husleje",
                    "moved_in": "Fra",
                    "tax_rate": "Moms",
                    "tax_mode": "Momstype",
                    "discount.percentage": "Rabat",
                    "discount.end_date": "Rabat til",
                },
                "constants": {},
                "format": {"delimiter": "\t"},
            },
        ),
    ],
    ids=["names of the interface", "German", "no rows"],
)
def test_what_headers_and_rows_tell(text: str, expected: dict[str, dict[str, str]]) -> None:
    found = tomllib.loads(start(text))

    assert expected == {name: {**section} for name, section in found.items()}


def test_a_header_may_say_a_month_or_a_currency_behind_its_word() -> None:
    """A price of a year, a quarter or a square metre is no amount of the usual cycle."""
    right = ["Leje pr. måned", "Miete/Monat", "Rent (EUR)", "Husleje, kr.", "Rent [€]", "Leje, DKK"]
    wrong = ["Leje pr. år", "Husleje (år)", "Rent (pa)", "Hyra, år", "Price [qtr]", "Leje, m2"]
    wrong += ["Rabat (kr)", "Discount (DKK)", "VAT (DKK)", "Moms, kr."]
    found = [each for each in right + wrong if "\n# ?" not in mapping_start([each], [], {})]

    assert right == found


@rows(
    ("header", "field"),
    [
        *((each, "id") for each in ("Lease ID", "Mietvertragsnummer", "N° bail", "Contrat no.")),
        *((each, "amount") for each in ("Månedlig leje", "Monthly rent", "Loyer mensuel")),
        *((each, "moved_in") for each in ("Date d'entrée", "Start date", "Fecha de inicio")),
        *((each, "ended_on") for each in ("Date de sortie", "Move-out date", "Fraflytning")),
        *((each, "contract_end") for each in ("contractEnd", "contract_end")),
        *((each, "") for each in ("End date", "Slutdatum", "Lease To", "Lease Expiration")),
        *((each, "") for each in ("Lease End Date", "Expiration", "Contract end", "Vertragsende")),
        *((each, "") for each in ("Date", "Nummer", "Monthly", "Rent date", "Monthly VAT")),
    ],
)
def test_a_header_may_say_around_its_word_what_it_has(header: str, field: str) -> None:
    found = tomllib.loads(mapping_start([header], [], {}))

    assert {name: header for name in [field] if name} == {**found["lease"], **found["item"]}


DANISH = """Lejemålsnr.;Månedlig husleje (kr.);A conto varme;Indflytningsdato;Fraflytningsdato
1;kr. 8.500,00;950,00;01-04-2015;
2;7.000;;15-08-2019;31-03-2026
"""
ANOTHER = (
    '# Another item in the same row? Its amount is "recurring_bill_items[1].amount"; all fields'
    ' of the first item then begin with "recurring_bill_items[0]."'
)


@rows(
    "text, expected",
    [
        (
            DANISH,
            [
                'id = "Lejemålsnr."',
                'amount = "Månedlig husleje (kr.)"',
                'moved_in = "Indflytningsdato"',
                'ended_on = "Fraflytningsdato"',
                "# ? = \"A conto varme\", such as '950,00'",
                ANOTHER,
                '# missing: item.currency: a column, or currency = "DKK" as a constant',
                'delimiter = ";"',
                'date = "D-M-YYYY"',
                'decimal = ","',
                'thousands = "."',
                (
                    "# 'kr. 8.500,00' is not read: format the column as numbers, or write"
                    ' currency_sign = "kr."'
                ),
            ],
        ),
        (
            "Vertrags-Nr.|Betrag EUR|USt %|Einzugsdatum\n1|900,50|19|1.3.2020\n2|80|0|\n",
            [
                'id = "Vertrags-Nr."',
                'amount = "Betrag EUR"',
                'tax_rate = "USt %"',
                'moved_in = "Einzugsdatum"',
                'currency = "EUR"',
                'tax_mode = "Exclusive"',
                "# rows without a rate are exempt from VAT",
                'delimiter = "|"',
                'date = "D.M.YYYY"',
                'decimal = ","',
                'rates = "percent"',
            ],
        ),
        (
            "Lease #,Rent ($),Lease Start Date,Move-out date,Born\n1,$5.50,1/15/2026,,1/2/1990\n",
            [
                'id = "Lease #"',
                'amount = "Rent ($)"',
                'moved_in = "Lease Start Date"',
                'ended_on = "Move-out date"',
                "# ? = \"Born\", such as '1/2/1990'",
                '# missing: item.currency: a column, or currency = "DKK" as a constant',
                'date = "M/D/YYYY"',
                'decimal = "."',
                'currency_sign = "$"',
                "# $ says no currency",
            ],
        ),
    ],
)
def test_an_export_of_an_administrator(text: str, expected: list[str]) -> None:
    lines = [each for each in start(text).splitlines()[1:] if each and each[0] != "["]

    assert expected == lines


def test_rates_that_may_be_fractions_are_named() -> None:
    table = "id,rent,from,moms,rabat\n1,9.5,2026-01-01,25,0.1\n2,9.5,2026-01-01,25 %,\n"
    printed = start(table).splitlines()

    assert printed[-2:] == ['rates = "percent"', "# by percent, 0.1 is 0.1 %, and not a fraction"]


def test_a_table_of_which_not_all_is_seen_leaves_marks_that_no_number_shows() -> None:
    rows = [["900"], ["1250"]]

    assert 'decimal = "."' in mapping_start(["rent"], rows, {}).splitlines()
    assert 'decimal = ""' in mapping_start(["rent"], rows, {}, are_all=False).splitlines()


def test_what_is_not_certain_is_a_comment() -> None:
    text = 'id,rent,from,Bemærkning "x"\n1,8.500,01/02/2026,a  b\n2,12.250,03/04/2026\n'
    printed = start(text)

    assert {
        '# ? = "Bemærkning \\"x\\"", such as \'a b\'',
        '# missing: item.currency: a column, or currency = "DKK" as a constant',
        '# date = "D/M/YYYY" or date = "M/D/YYYY"',
        'decimal = ""',
        '# choose decimal = "." or decimal = ",", thousands = "."',
    } <= {*printed.splitlines()}


def test_marks_are_chosen_where_a_column_without_a_field_may_have_the_amount() -> None:
    """By the rate alone 8.500 would be 8.5."""
    printed = start("id;Brutto;moms\n1;8.500;25\n2;12.250;0\n").splitlines()

    assert {
        "# ? = \"Brutto\", such as '8.500'",
        'decimal = ""',
        '# choose decimal = "." or decimal = ",", thousands = "."',
    } <= {*printed}
    assert 'decimal = ","' in start("id;Brutto;moms\n1;8.500,00;25\n2;12.250;0\n").splitlines()


def test_a_cell_that_is_no_number_does_not_hide_the_marks_of_others() -> None:
    printed = start("id;leje\n1;8.500,00\n2;aftale\n3;7.000\n").splitlines()

    assert {'decimal = ","', 'thousands = "."'} <= {*printed}
    assert "# 'aftale' is not read: format the column as numbers" in printed


def test_numbers_of_mixed_forms_are_refused_until_marks_are_chosen() -> None:
    printed = start("id;leje\n1;8.500,00\n2;9,500.00\n").splitlines()

    assert {
        'decimal = ""',
        '# choose decimal = "," or ".": numbers are of mixed forms',
    } <= {*printed}


def test_a_table_without_an_id_is_told_what_that_means() -> None:
    said = '# missing: id = "Lease"; without it each row is a lease of its own'

    assert said in start("rent,from\n1,2026-01-01\n").splitlines()
    assert said not in start("id,rent,from\n1,1,2026-01-01\n").splitlines()


def test_mixed_forms_are_left_to_the_person() -> None:
    printed = start("id,rent,from\n1,a lot,2026-01-01\n2,,01-02-2026\n,,\n")

    assert '# date = "…", of mixed forms' in printed.splitlines()
    assert "decimal" not in printed
    assert [] == [*tomllib.loads(printed)["format"]]


@rows(
    "cells, said",
    [
        (("01/15/26", "2/1/26"), "'01/15/26': years of two digits are not read: write all four"),
        (("Jan 15, 2026",), "'Jan 15, 2026': names of months are not read: write their numbers"),
    ],
)
def test_days_that_are_in_no_form_say_why(cells: tuple[str, ...], said: str) -> None:
    printed = mapping_start(["Move In"], [[each] for each in cells], {})

    assert [f"# {said}"] == printed.partition("[format]\n")[2].splitlines()
