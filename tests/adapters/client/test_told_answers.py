"""One odd object among good ones harms no list: who only lists reads it as it came."""

import json

import pytest

from rentbilling import InvalidInputError, LeaseTerms, RentAdjustmentPlan, Vat, dumps, pending_bills
from rentbilling.checks import Comparison
from rentbilling.testing import a_lease, a_rent
from tests.adapters.client.callers import Caller, always, in_turn, says
from tests.support.received import ODD, raw, with_index

FEBRUARY = "2026-02-01/2026-02-28"


@pytest.mark.parametrize("name", ODD)
def test_a_page_with_an_odd_plan_is_listed_whole(caller: Caller, name: str) -> None:
    """Three plans, the odd one between two others as its data; no terms are made of it (A49)."""
    odd, found = ODD[name]
    service = always({"rentAdjustmentPlans": [{"id": "a"}, odd, {"id": "b", **with_index()}]})

    plans = caller.result_of(service, lambda client: client.rent_adjustment_plans())

    assert ["a", "b"] == [each.id for each in plans if isinstance(each, RentAdjustmentPlan)]
    assert raw(odd) == plans[1]
    with pytest.raises(InvalidInputError) as caught:
        LeaseTerms(rent_adjustment_plans=(plans[1],))
    assert [code for _, code in found] == [each.code for each in caught.value.problems]


def test_a_service_that_bills_an_unknown_tax_mode_is_told_as_a_difference(caller: Caller) -> None:
    """Not as an answer that cannot be read (A27)."""
    terms = a_lease(a_rent(amount="8500.00", vat=Vat("Exempt")))
    text = dumps(pending_bills(terms, FEBRUARY)).replace("Exempt", "MarginScheme")

    found = caller.result_of(
        always(json.loads(text)), lambda client: client.verify("lease-1", terms, FEBRUARY)
    )

    assert isinstance(found, Comparison)
    assert not found.is_equal
    assert "expected Exempt, actual MarginScheme" in str(found)


@pytest.mark.parametrize("last", ["", 7], ids=str)
def test_a_list_goes_on_behind_an_odd_plan(caller: Caller, last: object) -> None:
    """Its id is in its data; without one there is no way to ask for the next page (A43)."""
    odd = ODD["no index month"][0]
    pages = [{"rentAdjustmentPlans": [{**odd, "id": each}]} for each in ("a", last)]

    error = caller.error_of(
        in_turn(*map(says, pages)), lambda client: client.rent_adjustment_plans(page_size=1)
    )

    assert ("no_cursor", 2) == (getattr(error, "code", ""), len(caller.sent))
