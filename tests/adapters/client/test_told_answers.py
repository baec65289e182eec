"""One odd object among good ones harms no list: who only lists reads it as it came."""

import json

import pytest

from rentbilling import Comparison, InvalidInputError, LeaseTerms, Vat, dumps, pending_bills
from rentbilling.testing import a_lease, a_rent
from tests.adapters.client.callers import Caller, always
from tests.support.received import ODD, told, with_index

FEBRUARY = "2026-02-01/2026-02-28"


@pytest.mark.parametrize("name", ODD)
def test_a_page_with_an_odd_plan_is_listed_whole(caller: Caller, name: str) -> None:
    """Three plans, the odd one between two others; only who bills by it is refused (A49)."""
    odd, found = ODD[name]
    service = always({"rentAdjustmentPlans": [{"id": "a"}, odd, {"id": "b", **with_index()}]})

    plans = caller.told(service, lambda client: client.rent_adjustment_plans())

    assert ["a", told(odd).id, "b"] == [each.id for each in plans]
    assert told(odd) == plans[1]
    with pytest.raises(InvalidInputError) as caught:
        LeaseTerms(rent_adjustment_plans=(plans[1],))
    assert [code for _, code in found] == [each.code for each in caught.value.problems]


def test_a_service_that_bills_an_unknown_tax_mode_is_told_as_a_difference(caller: Caller) -> None:
    """Not as an answer that cannot be read (A27)."""
    terms = a_lease(a_rent(amount="8500.00", vat=Vat("Exempt")))
    text = dumps(pending_bills(terms, FEBRUARY)).replace("Exempt", "MarginScheme")

    found = caller.told(
        always(json.loads(text)), lambda client: client.verify("lease-1", terms, FEBRUARY)
    )

    assert isinstance(found, Comparison)
    assert not found.is_equal
    assert "expected Exempt, actual MarginScheme" in str(found)
