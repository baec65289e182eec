"""Documentation pages and threads: cycles, shares, prices, VAT and rents by an index."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from rentbilling import BillingCycle, BillingPolicy, Period, due_date
from rentbilling.values import rounded, share_out
from tests.outside import index
from tests.outside.board import UnsaidError, Verdict
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, Near
from tests.outside.vat.billing import Piece, charged, taxed

# ------------------------------------------------------------------------------------- cycles


def _cycle(given: Asked, first: date) -> BillingCycle:
    """Return the cycle that a page states, with a period that begins on the day `first`."""
    return days.anchored(days.step_given(given.get("cycle", {"unit": "month"})), first)


def _start(given: Asked) -> date:
    return days.of(given.get("start") or given["anchor"])


def starts(given: Asked) -> Figures:
    """Answer on which days the cycles of an anchor begin, by whatever name the page lists them."""
    (name,) = [key for key in given.expected if not key.startswith("peer")]
    start = _start(given)
    cycle = _cycle(given, start)
    count = int(given.get("count", len(given.expected[name])))
    late = str(given.get("in", "advance")).startswith("arrear") and name != "starts"
    rule = days.ON_THE_LAST_DAY if late else days.AT_THE_START
    periods = days.first_of(cycle, start, count)
    return {name: [due_date(rule, period, cycle=cycle) for period in periods]}


def first_period(given: Asked) -> Figures:
    """Answer where the first period ends when cycles follow the calendar, or the start."""
    start = _start(given)
    if given.get("align", "calendar") != "calendar":
        return {"first_period_end": days.first(_cycle(given, start), start).end}
    by_month = days.step(given["cycle"]["unit"]).keeps_the_day
    cycle = _cycle(given, date(start.year, 1, 1) if by_month else start)
    return {"first_period_end": days.calendar_period(start, cycle).end}


def first_periods(given: Asked) -> Figures:
    start = _start(given)
    count = len(given.expected["periods"])
    return {"periods": days.first_of(_cycle(given, start), start, count)}


def parts_and_periods(given: Asked) -> Figures:
    """Answer periods with exclusive ends, each marked as full or as a part."""
    start, count = _start(given), len(given.expected["periods"])
    if given.get("align") == "anniversary":
        whole = days.first_of(days.anchored(days.Step("Month"), start), start, count)
    else:
        first = days.calendar_period(start, days.MONTH)
        whole = (first, *days.first_of(days.MONTH, days.after(first.end), count))[:count]
    parts = [Period(max(start, period.start), period.end) for period in whole]
    return {
        "periods": [
            [*days.ends(part), "full" if part == period else "part"]
            for part, period in zip(parts, whole, strict=True)
        ]
    }


# ------------------------------------------------------------------------------------- shares


def _stated_days(given: Asked) -> Period:
    if "days" in given:
        start = days.of(f"{given.get('month', '2026-01')}-01")
        return Period(start, days.after(start, int(given["days"]) - 1))
    start = days.of(given.get("start") or given["term_start"])
    if "next_period" in given:
        return Period(start, days.before(days.of(given["next_period"])))
    if "period" in given and "end_inclusive" not in given:
        return Period(start, days.of(given["period"][1]))
    return Period(start, days.of(given.get("end_inclusive") or given["bill_through"]))


def _stated_parts(given: Asked) -> tuple[rents.Part, ...]:
    """Return the parts whose shares are asked; several where the days are in several periods.

    A period that the days cover wholly counts as it is; the method says how the others count.
    """
    run, method = _stated_days(given), given["method"]
    if method == "days":
        return (rents.of_length(run, int(given["term_days"])),)
    if "period" in given:
        return rents.counted(run, method, days.run(given["period"]))
    if given.get("per") == "year":
        return rents.counted_by_year(run, method)
    if "anchor_day" not in given and "cycle" not in given:
        return rents.counted(run, method)
    step = days.step_given(given.get("cycle", {"unit": "month"}))
    cycle = days.anchored(step, run.start)
    if step.keeps_the_day:
        cycle = days.anchored(step, date(1, 1, int(given.get("anchor_day", 1))))
    parts: list[rents.Part] = []
    for inside, whole in days.parts_of(run, cycle):
        if inside == whole:
            parts.append(rents.Part(whole, whole, cycle))
        else:
            parts += _counted_in(inside, method, whole, cycle)
    return tuple(parts)


def _counted_in(
    run: Period, method: str, whole: Period, cycle: BillingCycle
) -> tuple[rents.Part, ...]:
    """Return what a method counts for some days of a cycle's period."""
    parts = rents.counted(run, method, whole)
    if parts and parts[0].whole == whole:
        return tuple(rents.Part(part.run, whole, cycle, part.policy) for part in parts)
    return parts


def share(given: Asked) -> Figures:
    return _shares(given, _stated_parts(given))


def _shares(given: Asked, parts: Sequence[rents.Part]) -> dict[str, object]:
    """Return our share under each name that a page may have for it."""
    whole = rents.shares(parts)
    each = [part.share for part in parts]
    found: dict[str, object] = dict.fromkeys(("fraction", "sum"), whole)
    found |= dict.fromkeys(("parts", "fractions"), each)
    total, expected = sum(part.run.days for part in parts), given.expected
    if "denominator" in expected and Fraction(total, int(expected["denominator"])) == whole:
        found["denominator"] = expected["denominator"]
    if "days" in expected and Fraction(expected["days"]) == whole * int(expected.get("of", 1)):
        found |= {name: expected.get(name) for name in ("days", "of")}
    rounded_ones = (name for name in expected if name.endswith("dp"))
    return found | {name: rounded(whole, _places(name)) for name in rounded_ones}


def price(given: Asked) -> Figures:
    parts, amount = _stated_parts(given), Decimal(given["amount"])
    mode = rents.mode(given.get("rounding", "half up"))
    found = _shares(given, parts)
    for name, stated in given.expected.items():
        if name.startswith(("amount", "total")):
            places = _places(name)
            found[name] = Near(rents.charges(amount, parts, places=places, rounding=mode))
        elif name == "periods" and isinstance(stated, list):
            found[name] = [
                {"start": part.run.start, "end_inclusive": part.run.end}
                | {"amount": Near(rents.charge(amount, part))}
                for part in parts
            ]
        elif name == "periods":
            found[name] = Decimal(int(rents.shares(parts)))
    return found


def _places(name: str) -> int:
    """Return the decimals of a figure by its name: five of `amount_5dp`, otherwise cents."""
    return int(name.removesuffix("dp").rpartition("_")[2]) if name.endswith("dp") else rents.CENTS


def months_served(given: Asked) -> Figures:
    """Answer how many months a service lasts, each part rounded as the page adds them."""
    run = _stated_days(given)
    aligned = given.get("align") == "calendar"
    cycle = days.MONTH if aligned else days.anchored(days.Step("Month"), run.start)
    cut = rents.in_each(run, cycle, rents.BY_DAYS)
    whole_months = sum(part.run == part.whole for part in cut)
    lengths = [part.share for part in cut if part.run.start > part.whole.start]
    lengths += [Fraction(whole_months)] if whole_months else []
    lengths += [
        part.share
        for part in cut
        if part.run.start == part.whole.start and part.run.end < part.whole.end
    ]
    parts = [rounded(length, 3) for length in lengths]
    return {"months_3dp": Near(sum(parts, rents.NOTHING)), "parts_3dp": parts}


# ------------------------------------------------------------------------------- VAT and sums

PER_LINE: Final = BillingPolicy(vat_rounding="per_line")
NET_FIRST: Final = BillingPolicy(rounding="half_down")
"""To round the net of a gross half up is to round its VAT, the rest, half down."""


def single_vat(given: Asked) -> Figures:
    """Answer the VAT of one figure, on top of it or inside it; either it or the net is rounded."""
    rate = given.get("rate_percent") or given["vat_percent"]
    included = given.get("mode") == "inclusive"
    piece = Piece(Decimal(given["gross" if included else "net"]), taxed(rate, included=included))
    policy = NET_FIRST if given.get("round") == "net" else BillingPolicy()
    bill = charged([piece], rents.CURRENCY, policy=policy)
    return {"net": Near(bill.net), "vat": Near(bill.tax), "gross": Near(bill.gross)}


def _piece(line: Mapping[str, Any]) -> Piece:
    """Return a page's line, its discount taken off the quantity."""
    included = "unit_gross" in line
    less = Decimal(line.get("discount_percent") or 0) / rents.HUNDRED
    return Piece(
        Decimal(line["unit_gross" if included else "unit"]),
        taxed(line["rate_percent"], included=included),
        Decimal(line["qty"]) * (1 - less),
    )


def vat_rounding(given: Asked) -> Figures:
    """Answer lines with VAT under each of the roundings that the page compares."""
    pieces = [_piece(line) for line in given["lines"]]
    per_line = charged(pieces, rents.CURRENCY, policy=PER_LINE)
    per_rate = charged(pieces, rents.CURRENCY)
    exact = charged(pieces, rents.CURRENCY, policy=rents.UNROUNDED)
    units = [charged([Piece(piece.price, piece.vat)], rents.CURRENCY) for piece in pieces]
    figures: dict[str, Any] = {
        "per_line": {"net": per_line.net, "vat": per_line.tax, "total": per_line.gross},
        "unrounded_until_total": {
            "net": rounded(exact.net, rents.CENTS),
            "vat": rounded(exact.tax, rents.CENTS),
            "total": rounded(exact.gross, rents.CENTS),
        },
        "unit_rounding_total": _each([unit.gross for unit in units], pieces),
        "vat_unit_rounded": _each([unit.tax for unit in units], pieces),
        "vat_per_line_sum": per_line.tax,
        "line_rounding_total": per_line.gross,
        "vat_totals": [
            {
                "rate_percent": piece["rate_percent"],
                "net": per_rate.base_of(taxed(piece["rate_percent"])),
                "vat": per_rate.tax_of(taxed(piece["rate_percent"])),
            }
            for piece in given.expected.get("vat_totals", ())
        ],
        "net": per_rate.net,
    }
    figures |= dict.fromkeys(("vat_per_rate", "vat_total", "vat"), per_rate.tax)
    figures |= dict.fromkeys(("total", "gross"), per_rate.gross)
    return {name: _near(given.expected.get(name), figure) for name, figure in figures.items()}


def _each(amounts: Sequence[Decimal], pieces: Sequence[Piece]) -> Decimal:
    each = zip(amounts, pieces, strict=True)
    units = [Piece(amount, rents.UNTAXED, piece.quantity) for amount, piece in each]
    return charged(units, rents.CURRENCY).net


def _near(stated: Any, figure: Any) -> Any:  # noqa: ANN401
    """Return the figures that a page prints; some print only a part of several."""
    if isinstance(figure, Decimal):
        return Near(figure)
    if isinstance(figure, list) and isinstance(stated, list):
        return [_near(said, ours) for said, ours in zip(stated, figure, strict=True)]
    if isinstance(figure, dict) and isinstance(stated, dict):
        return {name: _near(said, figure[name]) for name, said in stated.items()}
    return figure


def shared_out(given: Asked) -> Figures:
    stated = given["weights"]
    by_name = isinstance(stated, Mapping)
    weights = [Decimal(each) for each in (stated.values() if by_name else stated)]
    found: dict[str, object] = {}
    methods: dict[str, Any] = {"shares": "largest_remainder", "first_in_list": "first"}
    for rule, method in methods.items():
        parts = share_out(rents.money(given["amount"]), weights, method=method)
        found[rule] = dict(zip(stated, parts, strict=True)) if by_name else parts
    return found


# ------------------------------------------------------------------------------------ indexes

_SAY: Final = (
    "rent=base_amount base_index=from_index from_index=from_index old_index=from_index "
    "index=to_index to_index=to_index new_index=to_index share_percent=share_of_index "
    "minimum_percent=min_pct maximum_percent=max_pct cpi_change_percent=given_pct "
    "change_percent=given_pct threshold_percent=threshold_pct"
)
_EXPECT: Final = (
    "new_rent=expected_new_amount change=expected_change applied_percent=expected_percentage "
    "change_percent=expected_percentage uncapped_percent=calculated_pct_printed"
)
"""The fields of a worked example (`index/`), by the names of the pages."""


def index_adjustment(given: Asked) -> Verdict:
    """Answer a rent that follows an index or a published change, or a share of it."""
    fields: dict[str, Any] = {}
    for stated, pairs in ((given, _SAY), (given.expected, _EXPECT)):
        names = {said: ours for said, _, ours in (pair.partition("=") for pair in pairs.split())}
        for name, value in stated.items():
            if name not in names:
                raise UnsaidError(f"rent adjustment by {name}")
            fields[names[name]] = value
    extra = {name: fields.pop(name) for name in [*fields] if name not in index.EXAMPLE}
    return index.example(**fields, extra=extra)
