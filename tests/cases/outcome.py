"""The outcome of a question: one short text with everything that came of it.

It is made from the JSON in full. What is usual is left out (a regular line, a share of 1, a unit
price that is the price); a name that this module does not know is written as `name=value`, so a new
field of a bill appears in every outcome that has it.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import rentbilling as rb
from rentbilling.errors import RentBillingError
from rentbilling.records import read_json
from rentbilling.values import minor_units

Data = dict[str, Any]
Json = Any
"""Whatever JSON or TOML has."""

_PLACES = {"XTS": 2}
"""Decimals of currencies that are no known ones."""


def written(result: Json) -> Data:
    """Return a result as JSON in full has it."""
    data: Data = read_json(rb.dumps(result, full=True))
    return data


def outcome_of(data: Data) -> str:
    """Return bills, adjustments and notices as text."""
    parts = [_bill(dict(each)) for each in data.get("bills", ())]
    parts += [_adjustment(dict(each)) for each in data.get("adjustments", ())]
    parts += [_notice(dict(each)) for each in data.get("notices", ())]
    return "\n".join(parts) or "nothing"


def refusal_of(error: RentBillingError) -> str:
    found = [f"refused {each.path} {each.code}" for each in getattr(error, "problems", ())]
    return "\n".join(found) or f"refused {error.code}"


def _bill(bill: Data) -> str:
    code = bill["total"]["currency"]
    vats = bill.pop("vatTotals", [])
    lines = [_line(dict(each), code) for each in bill.pop("pendingBillLineItems")]
    first = f"due {bill.pop('dueDate')} {_amount(bill.pop('total'))} {code}"
    subtotal = _amount(bill.pop("subtotal"))
    taxes = ", ".join(_vat_total(dict(each), subtotal) for each in vats)
    more = "".join(f", {name}={_value(value)}" for name, value in bill.items())
    return "\n".join([f"{first} = {subtotal} + VAT {taxes}{more}", *_aligned(lines)])


def _line(line: Data, code: str) -> list[str]:
    days = line.pop("accountingPeriod")
    regular, share, kind = (line.pop(n, None) for n in ("regularPeriod", "share", "kind"))
    what = "" if kind in {"regular", None} else f" {kind}"
    if share not in {"1", None} or (regular and regular != days):
        what += f" {share} of {regular}"
    unit, gross = line.pop("unitNetPrice"), line.pop("amount")
    name = " ".join(filter(None, (line.pop("itemId", None), line.pop("productKey"))))
    vat = _vat(line.pop("vat"))
    net, quantity = line.pop("netPrice"), line.pop("quantity")
    apart = [each["currency"] for each in (unit, gross, net) if each["currency"] != code]
    more = [f"amount={_amount(gross)}"] if gross != unit else []
    more += [f"{n}={_value(value)}" for n, value in line.items()] + apart
    price = f"{quantity} × {_amount(unit)}"
    return [name, days + what, price, "= " + _amount(net), ", ".join([vat, *more])]


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = {2, 3}
    cells = (
        [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    )
    return ["  " + "  ".join(each).rstrip() for each in cells]


def _vat_total(total: Data, subtotal: str) -> str:
    base = total.pop("base", None)
    shown = f"{_amount(total.pop('amount'))} ({_vat(total.pop('vat'))}"
    shown += f" of {_amount(base)})" if base and _amount(base) != subtotal else ")"
    return shown + "".join(f" {name}={_value(value)}" for name, value in total.items())


def _vat(vat: Data) -> str:
    rate = vat.get("taxRate")
    return vat["taxMode"] if rate is None else f"{vat['taxMode']} {_number(Decimal(rate) * 100)}%"


def _adjustment(one: Data) -> str:
    effects = one.pop("adjustmentRulesEffects", [])
    what = f"{one.pop('adjusteeId', '')} by {one.pop('planId', '')}"
    lines = [f"adjusted {one.pop('adjustedOn')} {what}: {_changes(one)}"]
    return "\n".join([*lines, *("  " + _changes(dict(each)) for each in effects)])


def _changes(data: Data) -> str:
    """Return fields; one that goes from a value to another one as `x → y`, without the change."""
    parts = []
    for name in [*data]:
        if name not in data:
            continue
        to = "to" + name[4:]
        if name.startswith("from") and to in data:
            before, after = data.pop(name), data.pop(to)
            change = name[4:5].lower() + name[5:] + "Change"
            if change in data and _plain(after) - _plain(before) == _plain(data[change]):
                data.pop(change)
            parts.append(f"{name[4].lower()}{name[5:]} {_value(before)} → {_value(after)}")
        elif not name.endswith("Change"):
            parts.append(f"{name} {_value(data[name])}")
    parts += [f"{name} {_value(each)}" for name, each in data.items() if name.endswith("Change")]
    return ", ".join(parts)


def _plain(value: Json) -> Decimal:
    return Decimal(value["amount"] if isinstance(value, Mapping) else value)


def _notice(data: Data) -> str:
    data.pop("message", None)
    if facts := data.pop("facts", {}):
        data["facts"] = {name: _without_zeros(str(each)) for name, each in facts.items()}
    return " ".join(["notice", data.pop("code"), *(f"{k}={_value(v)}" for k, v in data.items())])


def _without_zeros(text: str) -> str:
    """Return a fact without zeros at the end of its figures: they say how it was typed."""
    return re.sub(r"(\.\d*?)0+(?!\d)", r"\1", text).replace(". ", " ").rstrip(".")


def _value(value: Json) -> str:
    if isinstance(value, Mapping):
        if value.keys() == {"amount", "currency"}:
            return _amount(value)
        return "(" + " ".join(f"{name} {_value(each)}" for name, each in value.items()) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return _number(value) if isinstance(value, (Decimal, int)) else str(value)


def _amount(amount: Mapping[str, Json]) -> str:
    """Return the figure with the decimals of its currency at least."""
    figure, places = _number(amount["amount"]), minor_units(amount["currency"], _PLACES)
    whole, _, decimals = figure.partition(".")
    return f"{whole}.{decimals.ljust(places, '0')}" if places else figure


def _number(number: Json) -> str:
    text = f"{Decimal(number):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
