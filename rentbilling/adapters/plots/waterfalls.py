"""Waterfalls of a bill, from lines or list prices, and of a statement of service charges.

Law: every bar begins where the one before it ended, and carries its exact amount; nothing is a
bar whose amount is zero, but for the total.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from textwrap import fill, shorten
from types import MappingProxyType
from typing import Final, Unpack

from matplotlib.axes import Axes

from rentbilling.adapters.money_texts import date_text, percent_text
from rentbilling.adapters.plots import pictures
from rentbilling.adapters.plots.bill_steps import BillStep, By, bill_at, bill_steps
from rentbilling.adapters.plots.plotted_rows import places_of
from rentbilling.adapters.plots.plotted_texts import amount_text, named
from rentbilling.adapters.plots.styles import Style
from rentbilling.billing import BillingResult, PendingBill
from rentbilling.settlement import Statement
from rentbilling.values import Amount

_SIZE: Final = (10.0, 5.2)
_WIDTH: Final = 0.62
_MOST_LINES: Final = 10
_LONGEST_NAME: Final = 36
_LETTERS: Final = 9.0
_LETTER: Final = 0.72
"""Width of a bold letter and the gap after it, in parts of its size."""
_NAMES: Final = MappingProxyType(
    {
        "list_price": "List price",
        "discount": "Discount",
        "share": "Share of the period",
        "rounding": "Rounding of lines",
        "vat_inside": "VAT inside prices",
        "subtotal": "Subtotal",
        "vat": "VAT",
        "total": "Total",
        "cash_rounding": "Cash rounding",
        "payable": "Payable",
        "costs": "Share of the costs",
        "advances": "Advances paid",
        "balance": "To pay",
        "paid_back": "To be paid back",
    }
)


def bill_waterfall(
    bills: BillingResult | PendingBill,
    bill: int | str | date | PendingBill | None = None,
    *,
    by: By = "lines",
    **look: Unpack[pictures.Look],
) -> pictures.Picture:
    """Draw how a bill comes about: line by line, then VAT and total.

    Of more than ten lines, the smallest are one bar together.

    Args:
        bills: A computed result, or a bill alone, whose discounts are not known.
        bill: Which bill of a result: its position, its due date, or itself.
        by: `prices` draws list price, discount and share of the period instead of lines.
        **look: See `Look`; the title has the due date and the lease by default.

    Raises:
        InvalidRecordError: The result has no such bill, or several and none was chosen.
        UnknownWordError: The locale is not known, or `by` is neither of its words.
    """
    one = bill_at(bills, bill)
    steps = _shown(bill_steps(bills, one, by=by))
    day = date_text(one.due_date, look.get("locale", pictures.ENGLISH), length="long")
    leases = [bills.lease_id] if isinstance(bills, BillingResult) else []
    known = isinstance(bills, BillingResult) and bills.source is not None
    return _picture(named(f"Bill due {day}", leases), steps, look, known=known)


def statement_waterfall(statement: Statement, **look: Unpack[pictures.Look]) -> pictures.Picture:
    """Draw where a tenant's share comes from: cost by cost, then the advances and the balance.

    Of more than ten costs, the smallest are one bar together.

    Args:
        statement: A statement of `settle`.
        **look: See `Look`; the title has the lease and its days by default.

    Raises:
        UnknownWordError: The locale is not known.
    """
    nothing = statement.share - statement.share
    costs: dict[str, Amount] = {}
    for line in statement.lines:
        text = line.description or line.pool_id
        costs[text] = costs.get(text, nothing) + line.amount
    left = statement.balance
    steps = [
        *(BillStep("line", "change", amount, text=text) for text, amount in costs.items()),
        BillStep("costs", "sum", statement.share),
        BillStep("advances", "change", -statement.advances),
        BillStep("paid_back" if left.amount < 0 else "balance", "sum", left),
    ]
    locale = look.get("locale", pictures.ENGLISH)
    days = [stay.period for stay in statement.stays]
    ends = min(each.start for each in days), max(each.end for each in days)
    first, last = (date_text(day, locale) for day in ends)
    return _picture(f"Statement of {statement.lease_id}, {first} to {last}", _shown(steps), look)


def _picture(
    said: str, steps: Sequence[BillStep], look: pictures.Look, *, known: bool = True
) -> pictures.Picture:
    size = look.setdefault("size", _SIZE)
    picture, axes, style, locale = pictures.begun(said, steps[-1].amount.currency, **look)
    names = [_name(step, steps, locale, known=known) for step in steps]
    texts = [_text(step, locale) for step in steps]
    _drawn(axes, style, steps, texts, _letters(texts, size))
    axes.set_xticks(range(len(steps)), [fill(name, 110 // len(names) + 1) for name in names])
    axes.tick_params(axis="x", labelcolor=style.ink, labelsize=9.5, length=0)
    pictures.show_numbers(axes.yaxis, locale)
    axes.margins(x=0.02)
    pictures.leave_room(axes, above=0.12, below=0.12)
    axes.axhline(0, color=style.muted, linewidth=0.8, zorder=1)
    return pictures.finish(picture)


def _shown(steps: Sequence[BillStep]) -> list[BillStep]:
    """Return the steps that are drawn: none of zero, and of many lines the largest."""
    kept = [step for step in steps if step.amount.amount or step.kind == "sum"]
    lines = [step for step in kept if step.name == "line"]
    if len(lines) <= _MOST_LINES:
        return kept
    by_size = sorted(lines, key=lambda step: abs(step.amount.amount), reverse=True)
    small = by_size[_MOST_LINES - 1 :]
    rest = small[0]._replace(
        amount=Amount.unchecked(
            sum((step.amount.amount for step in small), Decimal(0)), small[0].amount.currency
        ),
        text=f"{len(small)} other lines",
    )
    others = [step for step in kept if step.name != "line"]
    return [*(step for step in lines if step not in small), rest, *others]


def _name(step: BillStep, steps: Sequence[BillStep], locale: str, *, known: bool) -> str:
    """Return the name below a bar; of two modes of one rate each has its own."""
    if step.vat is not None:
        rate = step.vat.charged_rate
        twins = [each for each in steps if each.vat and each.vat.charged_rate == rate]
        mode = f" {step.vat.tax_mode.lower()}" if len(twins) > 1 else ""
        return f"VAT {percent_text(rate, locale)}{mode}"
    if step.name == "line":
        return shorten(pictures.one_line(step.text), _LONGEST_NAME, placeholder=" …")
    if step.name == "list_price" and not known:
        return "Price after discount"
    return _NAMES[step.name]


def _text(step: BillStep, locale: str) -> str:
    """Return the amount of a step; what is added to others has its sign."""
    return amount_text(step.amount, locale, signed=step.kind == "change" and step.name != "line")


def _letters(texts: Sequence[str], size: pictures.Size) -> float:
    """Return the size of letters in which the longest amount fits its width."""
    room = (size[0] - 1.2) * 72 / len(texts)
    return min(_LETTERS, room / (max(map(len, texts)) * _LETTER))


def _drawn(
    axes: Axes, style: Style, steps: Sequence[BillStep], texts: Sequence[str], letters: float
) -> None:
    """Draw the bars, what joins them, and their amounts."""
    reached = Decimal(0)
    for at, step in enumerate(steps):
        amount = step.amount.amount
        bottom, top = (Decimal(0), amount) if step.kind != "change" else (reached, reached + amount)
        low, high = places_of((bottom, top))
        axes.bar(
            at,
            high - low,
            _WIDTH,
            bottom=low,
            facecolor=_colour(style, step),
            linewidth=0,
            zorder=2,
            gid=step.name,
        )[0].set_gid(step.name)
        if at + 1 < len(steps):
            ends = [at + _WIDTH / 2, at + 1 - _WIDTH / 2]
            axes.plot(ends, [high, high], color=style.muted, linewidth=0.9, linestyle=":")
        below = amount < 0
        place = at, min(low, high) if below else max(low, high)
        weight = "bold" if step.kind == "sum" else "normal"
        gap, how = -4 if below else 4, {"fontsize": letters, "fontweight": weight}
        pictures.label(axes, texts[at], place, style.ink, gap=gap, **how)
        reached = top


def _colour(style: Style, step: BillStep) -> str:
    if step.kind != "change":
        return style.series[0]
    return style.less if step.amount.amount < 0 else style.more
