"""VAT of bills that come as a table: of the bill, of the lines, or else computed.

Law: what the rows state is passed on as it is, also where it is wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rentbilling.checks.stated_bill import Category, StatedLine
from rentbilling.checks.vat_rules import vat_both_ways
from rentbilling.errors import InvalidRecordError
from rentbilling.policy import BillingPolicy
from rentbilling.values import TAXED

Fields = dict[str, Any]
"""The fields of a row."""


def row_vat(row: Fields) -> Fields:
    rate = row.get("tax_rate")
    mode = row.get("tax_mode")
    if mode is None:
        # A rate says that there is VAT on top: nets are stated as well.
        mode = "Exclusive" if rate else "Exempt"
    return {"taxMode": mode} if rate is None else {"taxMode": mode, "taxRate": rate}


def refuse_repeated_vat(
    lines: Sequence[Fields],
    place: str,
    subtotal: Decimal,
    total: Decimal | None,
    places: int,
    policy: BillingPolicy,
) -> None:
    """Refuse the VAT of a whole bill that each of its rows states as that of a line.

    Raises:
        InvalidRecordError: It is so; the first row is named.
    """
    stated = {line.get("vat") for line in lines}
    vat = stated.pop()
    if len(lines) == 1 or stated or not vat:
        return
    ways = [_computed(own, places, policy) for own in _groups(lines).values()]
    computed = {sum(each) for each in zip(*ways, strict=True)}
    whole = vat in computed or (total is not None and subtotal + vat == total)
    if whole and vat * len(lines) not in computed:
        said, expected = "is the VAT of the whole bill", "the field bill_vat for this column"
        met = f"{vat} on each of {len(lines)} rows"
        raise InvalidRecordError.of(f"{place}.vat", "contradiction", said, met, expected)


Groups = Mapping[tuple[str, Decimal | None], list[Fields]]


def _groups(rows: Sequence[Fields]) -> Groups:
    """Return the rows of each tax mode and rate."""
    groups: dict[tuple[str, Decimal | None], list[Fields]] = {}
    for row in rows:
        vat = row_vat(row)
        groups.setdefault((vat["taxMode"], vat.get("taxRate")), []).append(row)
    return groups


def _is_charged(mode: str, rate: Decimal | None) -> bool:
    return bool(rate) and mode.title() in TAXED


def _computed(
    rows: Sequence[Fields], places: int, policy: BillingPolicy
) -> tuple[Decimal, Decimal]:
    """Return the VAT of rows of one mode and rate, rounded once and for each line (A29)."""
    vat = row_vat(rows[0])
    mode, rate = vat["taxMode"], vat.get("taxRate")
    if rate is None or not _is_charged(mode, rate):
        return Decimal(0), Decimal(0)
    category = Category(mode, Fraction(rate), inclusive=mode.title() == "Inclusive")
    return vat_both_ways(category, [*map(_stated_line, rows)], places, policy)


def vat_totals(
    rows: Sequence[Fields], tax: Decimal | None, places: int, policy: BillingPolicy
) -> Iterator[tuple[Fields, Decimal]]:
    """Give the VAT of each mode and rate: of the bill, of the lines, or else computed (A106)."""
    groups = _groups(rows)
    charged = [key for key in groups if _is_charged(*key)]
    # What the bill states belongs to the one rate that is charged, or to the one group.
    takers = charged or [*groups]
    whole = sum((row["vat"] for row in rows if "vat" in row), Decimal(0))
    for (mode, rate), own in groups.items():
        vat = {"taxMode": mode} if rate is None else {"taxMode": mode, "taxRate": rate}
        of_bill = tax if takers == [(mode, rate)] else None
        of_lines = None
        if all("vat" in row for row in own):
            of_lines = sum((row["vat"] for row in own), Decimal(0))
        if of_bill is not None and of_lines in (None, of_bill):
            yield vat, of_bill
        elif of_lines is not None and tax in (None, whole):
            yield vat, of_lines
        else:
            found = _computed(own, places, policy)
            # Lines may be rounded by themselves where the bill is not.
            if of_lines is None or of_lines in found:
                of_lines = found[0] if of_bill is None else of_bill
            yield vat, of_lines


def _stated_line(row: Fields) -> StatedLine:
    """Return what the VAT of a line is computed from."""
    net, quantity, unit = (
        Fraction(row.get(name, 0)) for name in ("net_price", "quantity", "amount")
    )
    return StatedLine("", None, net, row["product_key"], quantity, unit)
