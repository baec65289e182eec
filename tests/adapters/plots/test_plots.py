"""Pictures draw the figures they are given, with nothing cut off, light and dark."""

import re
from collections.abc import Callable, Generator
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.artist import Artist
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from rentbilling import IndexSeries, forecast, pending_bills, what_if
from rentbilling.adapters.plots import (
    Picture,
    against_baseline,
    bill_waterfall,
    fan_chart,
    rent_over_time,
    rent_steps,
)
from rentbilling.adapters.plots.styles import DARK, LIGHT, Style, line_style, mark
from rentbilling.errors import CurrencyMismatchError, InvalidRecordError, UnknownWordError
from rentbilling.simulation import Futures, IndexPaths, simulate
from rentbilling.testing import a_lease, a_plan, a_rent, an_item
from rentbilling.whatif import Forecast, WhatIf, raise_rent
from tests.adapters.plots.written import (
    day,
    money,
    number,
    only_axes,
    percent,
    shown_texts,
    texts_of,
)
from tests.support.rents import YEAR, rent, vat

LONG = (
    "Rent for the commercial premises on the ground floor and in the basement, Nørre "
    "Farimagsgade 12–14, 1364 København K, from $ 5 to $ 6, _and_more"
)


def d(number: str) -> Decimal:
    return Decimal(number)


def step(day: str, amount: str | None, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "item_id": "rent",
        "from_date": date.fromisoformat(day),
        "amount": None if amount is None else d(amount),
        "currency": "DKK",
        **more,
    }


STEPS = [
    step("2026-01-01", "8500.00", per="month", name="Flat"),
    step("2027-01-01", "8704.00", per="month", change=d("0.024"), text="120.0 → 122.9"),
    step("2028-01-01", "8878.08", per="month", change=d("0.02"), assumed=True),
]
YEARS = [
    {"year": 2027, "currency": "DKK", "baseline": d("102000"), "Cap": d("101000.50")},
    {"year": 2028, "currency": "DKK", "baseline": d("105000"), "Cap": d("106000.00")},
]
MONTHS = [
    {"month": "2027-01", "currency": "DKK", "baseline": d("8500"), "Quarters": d("25500")},
    {"month": "2027-02", "currency": "DKK", "baseline": d("8500"), "Quarters": None},
    {"month": "2027-04", "currency": "DKK", "baseline": d("8600"), "Quarters": d("25800")},
]


def future(year: int, **more: str) -> dict[str, Any]:
    found = {"q5": "90", "q25": "95", "q50": "100", "q75": "110", "q95": "130", **more}
    return {"year": year, "currency": "EUR", **{name: d(value) for name, value in found.items()}}


FUTURES = [future(2027), future(2028, q95="150"), future(2029, q5="80")]
BILLS = pending_bills([rent(vat=vat("Exclusive", "0.25"))], YEAR)


def drawn(picture: Picture, gid: str) -> list[Artist]:
    return [artist for artist in picture.findobj() if artist.get_gid() == gid]


def points(line: Artist) -> list[tuple[float, float]]:
    assert isinstance(line, Line2D)
    x, y = (np.asarray(each, float) for each in line.get_data())
    return list(zip(x.tolist(), y.tolist(), strict=True))


Draw = Callable[..., Picture]

MANY = [
    {
        "month": f"2027-{month:02d}",
        "currency": "JPY",
        "baseline": d("850000"),
        **{f"{LONG} {at}": d("850000") + (at - 2) * month for at in range(6)},
    }
    for month in range(1, 13)
]
FORTY = [
    step(
        f"{year}-01-01", f"{8500 + (year - 2020) ** 3}", name=LONG, change=d("0.0213"), text="1 → 2"
    )
    for year in range(2020, 2061)
]
FOURTEEN = [
    {**step("2026-01-01", f"{100 + at}"), "item_id": f"item {at}", "name": LONG[: 5 * at + 5]}
    for at in range(14)
]
DRAWINGS: dict[str, Callable[..., Picture]] = {
    "rent": lambda **how: rent_over_time(STEPS, **how),
    "rent, forty years": lambda **how: rent_over_time(FORTY, **how),
    "rent, one step": lambda **how: rent_over_time(STEPS[:1], **how),
    "rent, a credit": lambda **how: rent_over_time([step("2026-01-01", "-150")], **how),
    "rent, fourteen items": lambda **how: rent_over_time(FOURTEEN, **how),
    "bars": lambda **how: against_baseline(YEARS, **how),
    "lines": lambda **how: against_baseline(MONTHS, **how),
    "running": lambda **how: against_baseline(MONTHS, running=True, **how),
    "many variants": lambda **how: against_baseline(MANY, **how),
    "bars of months": lambda **how: against_baseline(MANY, kind="bars", **how),
    "one month": lambda **how: against_baseline(MONTHS[:1], **how),
    "fan": lambda **how: fan_chart(FUTURES, **how),
    "fan, one year": lambda **how: fan_chart(FUTURES[:1], **how),
    "fan, forty years": lambda **how: fan_chart([future(y) for y in range(2027, 2067)], **how),
    "fan, months": lambda **how: fan_chart(
        [{**future(2027), "month": f"2027-{month:02d}"} for month in range(1, 13)], **how
    ),
    "waterfall": lambda **how: bill_waterfall(BILLS, 1, **how),
    "waterfall of a credit": lambda **how: bill_waterfall(
        pending_bills([rent("-8500.00", vat=vat("Inclusive", "0.25"))], YEAR), -1, **how
    ),
}


@cache
def picture_of(name: str, *, dark: bool = False) -> Picture:
    """Return a picture, drawn once for all tests that look at it; no setting is touched."""
    before = dict(mpl.rcParams)
    picture = DRAWINGS[name](dark=dark, locale="da")
    assert before == dict(mpl.rcParams)
    return picture


@cache
def seen(name: str, *, dark: bool = False) -> list[Text]:
    return shown_texts(picture_of(name, dark=dark))


@pytest.fixture(scope="module", autouse=True)
def nothing_is_held() -> Generator[None]:
    """Let go of the pictures after the last test, which are hundreds of megabytes."""
    yield
    picture_of.cache_clear()
    seen.cache_clear()


def wrong_inks(name: str, *, dark: bool) -> set[str]:
    """Return the colours of texts that are none of the style's inks, such as black on black."""
    style = DARK if dark else LIGHT
    inks = {to_hex(text.get_color()) for text in seen(name, dark=dark)}
    return inks - {style.ink, style.muted, style.paper, *style.series}


@pytest.mark.usefixtures("placed")
@pytest.mark.parametrize("name", DRAWINGS)
def test_every_text_of_a_picture_can_be_read(name: str) -> None:
    """None is cut off, lies upon another, or has another colour than those of the style."""
    picture = picture_of(name)
    boxes = [(text.get_text(), text.get_window_extent()) for text in seen(name)]
    whole = picture.bbox
    cut_off = [
        (text, box.bounds)
        for text, box in boxes
        if box.x0 < whole.x0 or box.x1 > whole.x1 or box.y0 < whole.y0 or box.y1 > whole.y1
    ]
    covered = [
        (one, other)
        for at, (one, box) in enumerate(boxes)
        for other, there in boxes[:at]
        if box.padded(-1).overlaps(there.padded(-1))
    ]

    assert [] == cut_off
    assert [] == covered
    assert to_rgb(LIGHT.paper) == to_rgb(picture.get_facecolor()[:3])
    assert set() == wrong_inks(name, dark=False)


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_picture_is_drawn_on_dark_ground_where_it_is_asked_for(name: str) -> None:
    assert to_rgb(DARK.paper) == to_rgb(picture_of(name, dark=True).get_facecolor()[:3])
    assert set() == wrong_inks(name, dark=True)


def test_a_notebook_shows_a_picture_sharp_and_in_its_size() -> None:
    """A PNG of twice the dots, with the size it is shown in: 10 × 5.4 inches of 100 dots."""
    shown, about = DRAWINGS["rent"]()._repr_png_()

    assert {"width": 1000, "height": 540, "alt": "Rent over time"} == about
    assert b"\x89PNG\r\n\x1a\n" == shown[:8]
    assert (2000, 1080) == (int.from_bytes(shown[16:20]), int.from_bytes(shown[20:24]))


@pytest.mark.parametrize(
    ("ending", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_a_picture_is_saved_in_the_format_of_its_name(
    tmp_path: Path, ending: str, begins: bytes
) -> None:
    path = tmp_path / f"rent.{ending}"
    DRAWINGS["waterfall"]().save(path)

    assert path.read_bytes().startswith(begins)


def test_names_are_shown_as_they_are() -> None:
    rows = [step("2026-01-01", "1", name="_a $x^2$\n<b>")]

    assert f"_a $x^2$ <b>: {money('1.00 DKK')}" in texts_of(rent_over_time(rows, locale="da"))


@pytest.mark.parametrize("draw", [DRAWINGS["rent"], DRAWINGS["bars"], DRAWINGS["fan"]])
def test_a_title_can_be_given(draw: Draw) -> None:
    picture = draw(title=LONG)

    assert " ".join(LONG.split()) in [" ".join(text.split()) for text in texts_of(picture)]


def test_an_unknown_locale_is_refused() -> None:
    for draw in DRAWINGS.values():
        with pytest.raises(UnknownWordError, match="locale: is not a locale"):
            draw(locale="xx")


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2)."""
    low, high = sorted([_luminance(one), _luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_texts_have_contrast(style: Style) -> None:
    """4.5 to 1 at least, also for labels in the colour of their series."""
    weak = [
        each
        for each in (style.ink, style.muted, *style.series)
        if _contrast(each, style.paper) < 4.5
    ]

    assert [] == weak


def test_no_two_series_look_alike_in_grey() -> None:
    for kinds in (line_style, mark):
        assert 6 == len({kinds(at) for at in range(6)})


def day_of(place: float) -> date:
    """Return the day at a place of an axis, which counts days from 1970."""
    return date(1970, 1, 1) + timedelta(days=place)


def runs_of(picture: Picture, gid: str) -> list[tuple[date, date, float]]:
    return [
        (day_of(start), day_of(end), amount)
        for line in drawn(picture, gid)
        if isinstance(line, Line2D)
        for (start, amount), (end, _) in [points(line)[:2]]
    ]


def test_a_rent_is_drawn_in_steps() -> None:
    """Each amount from its day to the next one; the last one for another year (366 − 1 days)."""
    picture = rent_over_time(STEPS, locale="da")

    assert [
        (date(2026, 1, 1), date(2027, 1, 1), 8500.0),
        (date(2027, 1, 1), date(2028, 1, 1), 8704.0),
    ] == runs_of(picture, "published")
    assert [(date(2028, 1, 1), date(2028, 12, 31), 8878.08)] == runs_of(picture, "assumed")
    assert "DKK a month" == only_axes(picture).get_ylabel()


def test_adjustments_are_marked_and_labelled() -> None:
    picture = rent_over_time(STEPS, locale="da")
    (marks,) = drawn(picture, "adjustments")

    assert [8704.0, 8878.08] == [amount for _, amount in points(marks)]
    first, second = day("2027-01-01"), day("2028-01-01")
    assert {
        f"{percent('0.024', signed=True)}\n120.0 → 122.9\n{first}",
        f"{percent('0.02', signed=True)}\n{second}",
        f"Flat: {money('8500.00 DKK')} → {money('8878.08 DKK')}",
        f"Assumed index values, from {second} on",
    } <= set(texts_of(picture))


def test_a_published_rent_says_nothing_of_assumptions() -> None:
    picture = rent_over_time(STEPS[:2])

    assert [] == drawn(picture, "assumed")
    assert not [text for text in texts_of(picture) if "ssumed" in text]


def test_an_item_that_ends_is_not_drawn_further() -> None:
    rows = [
        step("2026-01-01", "100"),
        step("2026-07-01", None),
        {**step("2026-01-01", "50"), "item_id": "heating"},
    ]

    assert {
        (date(2026, 1, 1), date(2026, 7, 1), 100.0),
        (date(2026, 1, 1), date(2026, 12, 31), 50.0),
    } == set(
        runs_of(
            rent_over_time(rows, until=date(2026, 12, 31), items=["rent", "heating"]), "published"
        )
    )


def test_items_of_other_cycles_say_so() -> None:
    rows = [STEPS[0], {**step("2026-01-01", "3000", per="quarter"), "item_id": "shop"}]
    picture = rent_over_time(rows, locale="da")

    assert "DKK a billing period" == only_axes(picture).get_ylabel()
    flat, shop = money("8500.00 DKK"), money("3000.00 DKK")
    assert {f"Flat (a month): {flat}", f"shop (a quarter): {shop}"} <= set(texts_of(picture))


def test_items_are_told_apart_without_colour() -> None:
    """By the line, and by the name at its end; of those that never change nothing is marked."""
    rows = [STEPS[0], {**step("2026-01-01", "50", per="month"), "item_id": "parking"}]
    picture = rent_over_time(rows)
    lines = [each for each in drawn(picture, "published") if isinstance(each, Line2D)]

    assert 2 == len({line.get_linestyle() for line in lines})
    assert {"Flat", "parking"} <= set(texts_of(picture))
    assert [[], []] == [points(each) for each in drawn(picture, "adjustments")]
    assert [[], []] == [points(each) for each in drawn(picture, "changes")]


def test_only_a_change_of_an_amount_is_marked() -> None:
    """No start, no end, no adjustment by nothing; an agreed amount is hollow, with no label."""
    rows = [
        step("2026-01-01", "100"),
        step("2026-07-01", "100", change=d("0")),
        step("2027-01-01", "102", change=d("0.02")),
        step("2027-07-01", "110"),
        step("2028-01-01", None),
    ]
    picture = rent_over_time(rows)

    assert [102.0] == [
        amount for each in drawn(picture, "adjustments") for _, amount in points(each)
    ]
    assert [110.0] == [amount for each in drawn(picture, "changes") for _, amount in points(each)]
    assert ["+2%\nJan 1, 2027"] == [text for text in texts_of(picture) if "%" in text]


@pytest.mark.usefixtures("placed")
def test_labels_of_a_picture_say_alike_much() -> None:
    """Where not all have room for their index values, none has them."""
    labels = [text for text in texts_of(picture_of("rent, forty years")) if "%" in text]

    assert {"+2,13 %"} == set(labels)
    assert 3 < len(labels) < 40


def test_the_title_names_the_lease() -> None:
    lease = a_lease(a_rent(amount=100), lease_id="Vestergade 7")
    bills = pending_bills(lease, YEAR)
    coming = forecast(lease, years=2)
    more, both = raise_rent("0.1"), [lease, lease.evolve(lease_id="2")]
    answers = (what_if(both, each, period=YEAR) for each in (more.named("more"), more))
    pictures = [rent_over_time(coming), rent_over_time(bills), *map(against_baseline, answers)]

    assert [
        "Rent over time, Vestergade 7",
        "Rent over time, Vestergade 7",
        "More against the baseline, 2 leases",
        "key:rent +10 % against the baseline, 2 leases",
    ] == [only_axes(picture).get_title(loc="left") for picture in pictures]


def test_items_of_one_name_have_their_ids() -> None:
    rows = [{**step("2026-01-01", "50"), "item_id": each, "name": "Parking"} for each in "ab"]

    texts = texts_of(rent_over_time(rows, locale="da"))
    assert {f"Parking, {each}: {money('50.00 DKK')}" for each in "ab"} <= set(texts)


def indexed() -> Forecast:
    """Return three years of a rent of 8,000 by an index, whose last value is assumed."""
    index = IndexSeries("CPI", {"2025-10": "116.699", "2026-10": "117.8431"})
    lease = a_lease(a_rent(amount=8000), plans=[a_plan()])
    return forecast(lease, years=3, indices=index.extended(Decimal("0.02"), "2030"))


def test_a_forecast_is_drawn_as_its_result() -> None:
    coming = indexed()
    picture, same = rent_over_time(coming), rent_over_time(coming.result)

    assert runs_of(same, "assumed") == runs_of(picture, "assumed") != []
    assert texts_of(same) == texts_of(picture)
    assert "DKK a month" == only_axes(picture).get_ylabel()


def test_a_forecast_of_several_leases_is_drawn_with_their_names() -> None:
    """The unit is that of the two lines that are drawn; the quarterly shop does not change."""
    index = IndexSeries("CPI", {"2025-10": 100, "2026-10": 102})
    indexed_one = a_lease(a_rent(amount=8000), an_item(months=3), plans=[])
    plan = a_plan(adjustee_ref="recurring-1")
    leases = [
        indexed_one.evolve(rent_adjustment_plans=[plan], lease_id=each) for each in ("A", None)
    ]
    picture = rent_over_time(forecast(leases, years=2, indices=index))

    texts = set(texts_of(picture))
    assert {"Rent over time, 2 leases", "DKK a month"} <= texts
    names = ("key:rent, A (a month): ", "key:rent, lease 2 (a month): ")
    assert all(any(text.startswith(name) for text in texts) for name in names)


def test_more_items_than_a_picture_can_show_are_refused_or_counted() -> None:
    still = [{**step("2026-01-01", "50"), "item_id": f"flat-{at}"} for at in range(21)]

    assert "Unchanged: 21 items" in texts_of(rent_over_time([*STEPS, *still]))
    with pytest.raises(InvalidRecordError, match=r"met 21; expected at most 20: fewer leases, i"):
        rent_over_time(still)


def test_an_item_without_a_description_has_the_name_of_its_product() -> None:
    coming = indexed()

    assert {"key:rent"} == {row["name"] for row in coming.rents().rows()}
    assert {"key:rent"} == {row["name"] for row in rent_steps(coming.result)}


def test_index_values_have_three_decimals_at_most() -> None:
    """117.8431 is 117.843; the last value is assumed, so that none of its digits is shown."""
    texts = [row["text"] for row in rent_steps(indexed().result)]

    assert ["", "116.699 → 117.843", ""] == texts


def test_a_change_that_is_no_adjustment_is_not_marked() -> None:
    rows = [
        step("2026-01-01", "100", adjusted=False),
        step("2026-07-01", "110", change=d("0.1"), adjusted=False),
        step("2026-12-01", "121", change=d("0.1"), adjusted=True),
    ]
    picture = rent_over_time(rows, locale="da")
    (marks,) = drawn(picture, "adjustments")

    assert [121.0] == [amount for _, amount in points(marks)]
    said = f"{percent('0.1', signed=True)}\n{day('2026-12-01')}"
    assert [said] == [each for each in texts_of(picture) if each[:3] == "+10"]


def test_items_can_be_chosen() -> None:
    rows = [*STEPS, {**step("2026-01-01", "50"), "item_id": "parking"}]

    def amounts(picture: Picture) -> list[float]:
        return [amount for _, _, amount in runs_of(picture, "published")]

    assert [8500.0, 8704.0] == amounts(rent_over_time(rows, items=["rent"]))
    assert [8500.0, 8704.0] == amounts(rent_over_time(rows, items="Flat"))
    assert [50.0] == amounts(rent_over_time(rows, items=["parking"]))
    coming = forecast(a_rent(amount=100, description="Flat"), years=1)
    assert [100.0] == amounts(rent_over_time(coming, items="key:rent"))
    assert [8500.0, 8704.0, 50.0] == amounts(rent_over_time(rows, items=["rent", "parking"]))


def test_what_never_changes_is_written_and_not_drawn() -> None:
    rows = [*STEPS, {**step("2026-01-01", "50"), "item_id": "parking"}]
    picture = rent_over_time(rows, locale="da")

    assert 50.0 not in [each[2] for each in runs_of(picture, "published")]
    assert f"Unchanged: parking {money('50.00 DKK')}" in texts_of(picture)


def bars_of(picture: Picture, gid: str) -> list[tuple[float, float]]:
    found = [each for each in drawn(picture, gid) if isinstance(each, Rectangle)]
    return [(each.get_y(), each.get_y() + each.get_height()) for each in found]


def test_few_years_are_bars_of_the_difference() -> None:
    """102,000 − 101,000.50 and 106,000 − 105,000; both sums and their difference are written."""
    picture = against_baseline(YEARS, locale="nl")

    assert [(0, -999.5), (0, 1000)] == bars_of(picture, "Cap")
    assert ["2027", "2028"] == [text.get_text() for text in only_axes(picture).get_xticklabels()]
    assert "DKK a year" == only_axes(picture).get_ylabel()
    before, after = money("207000.00 DKK", "nl"), money("207000.50 DKK", "nl")
    change = money("0.50 DKK", "nl")
    assert {f"Baseline: {before}", f"Cap: {after} (+{change})"} <= set(texts_of(picture))
    assert {f"−{number('999.50', 'nl')}", f"+{number('1000.00', 'nl')}"} <= set(texts_of(picture))


def levels_of(picture: Picture, gid: str) -> list[tuple[date, float]]:
    (line,) = drawn(picture, gid)
    return [(day_of(x), y) for x, y in points(line)]


def test_months_are_lines_of_what_has_come_together() -> None:
    """A month without a row, or without a figure, is one in which nothing is due; the last lasts.

    25,500 − 8,500 = 17,000; less 8,500; 0; and 25,800 − 8,600 = 17,200 more: 25,700 in all.
    """
    picture = against_baseline(MONTHS, locale="de")
    days = [date(2027, month, 1) for month in range(1, 6)]

    assert list(zip(days, [17000, 8500, 8500, 25700, 25700], strict=True)) == levels_of(
        picture, "Quarters"
    )
    before, after, change = (money(f"{each}.00 DKK", "de") for each in (25600, 51300, 25700))
    assert {f"Baseline: {before}", f"Quarters: {after} (+{change})"} <= set(texts_of(picture))
    assert "DKK since the start" == only_axes(picture).get_ylabel()


def test_months_can_be_drawn_for_themselves() -> None:
    picture = against_baseline(MONTHS, running=False)

    assert [17000, -8500, 0, 17200, 17200] == [high for _, high in levels_of(picture, "Quarters")]
    assert "DKK a month" == only_axes(picture).get_ylabel()


def test_years_can_be_added_up() -> None:
    """999.50 less, then 1,000 more."""
    picture = against_baseline(YEARS, running=True)

    assert [(0, -999.5), (0, 0.5)] == bars_of(picture, "Cap")


@pytest.mark.parametrize(
    ("rows", "kind"), [(YEARS, "bars"), (YEARS, "lines"), (MONTHS, "lines"), (MONTHS, "bars")]
)
def test_the_baseline_is_the_zero(rows: list[dict[str, Any]], kind: Any) -> None:  # noqa: ANN401
    picture = against_baseline(rows, kind=kind)
    (zero,) = drawn(picture, "baseline")
    low, high = only_axes(picture).get_ylim()

    assert [0, 0] == [height for _, height in points(zero)]
    assert low <= 0 < high


def rent_of(amount: str, last: int) -> WhatIf:
    """Return what a tenth more would change in so many years from 2026 on."""
    lease = a_lease(a_rent(amount=amount))
    return what_if(lease, raise_rent("0.1").named("More"), period=f"2026-01-01/{last}-12-31")


def test_what_if_is_drawn_by_month() -> None:
    """36 months are lines: 10.00 more each, 360.00 in all."""
    picture = against_baseline(rent_of("100", 2028), locale="de")

    assert {f"Baseline: {money('3600.00 DKK', 'de')}"} <= set(texts_of(picture))
    assert (37, 360) == (len(levels_of(picture, "More")), levels_of(picture, "More")[-1][1])


def test_what_if_of_many_years_is_drawn_by_year() -> None:
    """Four years are bars of 120.00."""
    picture = against_baseline(rent_of("100", 2029))

    assert "DKK a year" == only_axes(picture).get_ylabel()
    assert [(0, 120)] * 4 == bars_of(picture, "More")


def test_many_names_do_not_fill_the_title() -> None:
    assert "6 variants against the baseline" in texts_of(against_baseline(MANY))


@pytest.mark.usefixtures("placed")
def test_bands_reach_from_quantile_to_quantile() -> None:
    """q5 to q95, q25 to q75, and the middle as a line."""
    picture = fan_chart(FUTURES, locale="de", of="gross")
    (middle,) = drawn(picture, "q50")
    (wide,), (narrow,) = drawn(picture, "q5-q95"), drawn(picture, "q25-q75")

    assert [(2027.0, 100.0), (2028.0, 100.0), (2029.0, 100.0)] == points(middle)
    assert (80.0, 150.0) == _reach(wide)
    assert (95.0, 110.0) == _reach(narrow)
    assert "EUR a year, gross" == only_axes(picture).get_ylabel()
    p5, p25, p50, p75, p95 = (percent(f"0.{each}", "de") for each in ("05", 25, 50, 75, 95))
    assert {
        f"{p50}  {money('100.00 EUR', 'de')}",
        f"{p5}  {money('80.00 EUR', 'de')}",
        f"{p95}  {money('130.00 EUR', 'de')}",
        f"50 of 100 futures: {p25} to {p75}",
        f"90 of 100 futures: {p5} to {p95}",
    } <= set(texts_of(picture))


def _futures() -> Futures:
    """Return two paths of a rent of 100.00 with 25 % of VAT in 2027: 103 and 105 of it."""
    index = IndexSeries("NPI", {"2025-10": "100.0"})
    paths = IndexPaths.of_array(index, [[1030], [1050]], points=["2026-10"])
    lease = a_lease(a_rent(amount=100, vat="Exclusive 0.25"), plans=[a_plan()])
    return simulate(lease, paths, "2027-01-01/2027-12-31")


@pytest.mark.parametrize(
    ("of", "figures"),
    [
        ("", (1545, 1575)),
        ("gross", (1545, 1575)),
        ("net", (1236, 1260)),
        ("rent", (1236, 1260)),
        ("vat", (309, 315)),
    ],
)
def test_futures_are_drawn_by_the_figure_that_is_asked_for(
    of: str, figures: tuple[float, float]
) -> None:
    """12 × 103 = 1,236 and 12 × 105 = 1,260; gross 5/4 of it, VAT a quarter."""
    picture = fan_chart(_futures(), of=of)
    (wide,) = drawn(picture, "q5-q95")

    assert figures == _reach(wide)
    assert f"DKK a year, {of or 'gross'}" == only_axes(picture).get_ylabel()


def test_the_title_of_futures_names_paths_and_lease() -> None:
    index = IndexSeries("NPI", {"2025-10": "100.0"})
    paths = IndexPaths.constant(index, d("0.02"), until="2026-10", paths=1200)
    leases = [a_lease(a_rent(amount=100), lease_id=each, plans=[a_plan()]) for each in "AB"]

    assert [
        "Range of the rent by year, 1,200 paths, A",
        "Range of the rent by year, 1,200 paths",
    ] == [
        only_axes(fan_chart(simulate(given, paths, "2027-01-01/2027-12-31"), of="rent")).get_title(
            loc="left"
        )
        for given in (leases[0], leases)
    ]


def test_rows_say_what_they_are_quantiles_of() -> None:
    picture = fan_chart(_futures().rows(of="rent"))

    assert "DKK a year, rent" == only_axes(picture).get_ylabel()


def test_months_are_drawn_by_their_days() -> None:
    """Twelve of them, each 103 to 105 with a quarter more: 128.75 and 131.25."""
    picture = fan_chart(_futures().rows(by="month"), locale="da")
    (middle,), (wide,) = drawn(picture, "q50"), drawn(picture, "q5-q95")

    assert [(date(2027, month, 1), 128.75) for month in range(1, 13)] == [
        (day_of(place), amount) for place, amount in points(middle)
    ]
    assert (128.75, 131.25) == _reach(wide)
    assert "DKK a month, gross" == only_axes(picture).get_ylabel()
    assert "Range of gross amounts by month" in texts_of(picture)


def test_one_month_is_as_wide_as_a_bar() -> None:
    (middle,) = drawn(fan_chart(_futures().rows(by="month")[:1]), "q50")

    assert [date(2026, 12, 22), date(2027, 1, 11)] == [day_of(place) for place, _ in points(middle)]


def _reach(area: Artist) -> tuple[float, float]:
    assert isinstance(area, PolyCollection)
    box = area.get_paths()[0].get_extents()
    return float(box.y0), float(box.y1)


def test_one_year_is_as_wide_as_a_bar() -> None:
    picture = fan_chart(FUTURES[:1])
    (middle,) = drawn(picture, "q50")

    assert [(2026.7, 100.0), (2027.3, 100.0)] == points(middle)
    assert ["2027"] == [text.get_text() for text in only_axes(picture).get_xticklabels()]


YEAR_OF_EUROS = {**YEARS[0], "currency": "EUR"}
OF_GROSS = [{**FUTURES[0], "of": "gross"}, {**FUTURES[1], "of": "rent"}]
REFUSED: dict[tuple[type[Exception], str], list[Callable[[], object]]] = {
    (CurrencyMismatchError, "rows: have several currencies (met 'DKK, EUR"): [
        lambda: against_baseline([*YEARS, YEAR_OF_EUROS]),
        lambda: rent_over_time([*STEPS, {**STEPS[0], "currency": "EUR"}]),
    ],
    (CurrencyMismatchError, "rows: have no such currency"): [
        lambda: fan_chart(FUTURES, currency="DKK"),
    ],
    (InvalidRecordError, "rows: are empty"): [
        *(lambda draw=draw: draw([]) for draw in (against_baseline, rent_over_time, fan_chart)),
    ],
    (InvalidRecordError, "items: are not all there (met 'rent, x'; expected some of rent, Flat)"): [
        lambda: rent_over_time(STEPS, items=["rent", "x"]),
    ],
    (InvalidRecordError, "rents: has no steps of rents"): [
        lambda: rent_over_time(rent_of("100", 2026)),
    ],
    (InvalidRecordError, "rows: are differences already"): [
        lambda: against_baseline(rent_of("100", 2026).differences("month")),
    ],
    (InvalidRecordError, "of: is not what the rows are of"): [
        lambda: fan_chart(OF_GROSS[:1], of="rent"),
        lambda: fan_chart(OF_GROSS, of=""),
    ],
    (UnknownWordError, "of: is not a known word"): [lambda: fan_chart(_futures(), of="grosz")],
    (InvalidRecordError, "rows[0].year: is required"): [
        lambda: fan_chart([{"currency": "EUR", "q50": d("1")}]),
    ],
    (InvalidRecordError, "rows[0].q50: is required"): [
        lambda: fan_chart([{"year": 2027, "currency": "DKK"}]),
    ],
    (InvalidRecordError, "rows: have no counterpart (met 'q10'"): [
        lambda: fan_chart([{**future(2027), "q10": d("1")}]),
    ],
    (InvalidRecordError, "rows[0]: compares with nothing"): [
        lambda: against_baseline([{"year": 2027, "currency": "DKK", "baseline": d("1")}]),
    ],
    (InvalidRecordError, "rows[1].year: is there twice"): [
        lambda: against_baseline([YEARS[0], YEARS[0]]),
    ],
    (InvalidRecordError, "rows: is no exact number"): [
        lambda: against_baseline([{**YEARS[0], "Cap": 1.5}]),
    ],
}


@pytest.mark.parametrize("refusal", REFUSED, ids=lambda each: each[1])
def test_what_cannot_be_drawn_is_refused(refusal: tuple[type[Exception], str]) -> None:
    kind, said = refusal
    for draw in REFUSED[refusal]:
        with pytest.raises(kind, match=f"^{re.escape(said)}"):
            draw()


def test_a_currency_can_be_chosen() -> None:
    rows = [*YEARS, {**YEARS[0], "currency": "EUR", "baseline": d("7")}]

    picture = against_baseline(rows, currency="EUR", locale="de")

    assert f"Baseline: {money('7.00 EUR', 'de')}" in texts_of(picture)
