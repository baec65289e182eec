"""A forecast of the lease of each worked example has its amounts, from the same day on."""

import json

from rentbilling import forecast
from tests.outside import index
from tests.outside.folders import FIGURES
from tests.outside.index import figures, steps
from tests.outside.index.leases import eve, question
from tests.outside.index.stated import Stated


def test_a_forecast_has_the_amounts_of_worked_examples() -> None:
    cases = json.loads((FIGURES / "index" / "cases.json").read_text(encoding="utf-8"))
    met = 0
    for case in (each for each in cases if index.judge(each, {}).outcome == "passed"):
        stated = Stated(case)
        asked = steps.asked_of(stated) if steps.is_stepped(stated) else question(stated)
        if not asked.terms.recurring_bill_items:
            continue
        start = eve(asked.first)
        years = asked.day.year - start.year + 1
        made = forecast(
            asked.terms, years=years, start=start, indices=asked.indices, policy=asked.policy
        )
        rents = [row["amount"] for row in made.rents().rows() if row["from_date"] <= asked.day]
        assert figures.answer(asked).after == rents[-1], case["id"]
        met += len(rents) > 1

    assert 90 <= met, met
