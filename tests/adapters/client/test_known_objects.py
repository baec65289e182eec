"""A change of an object as it is known: the tag of an answer is sent with the change."""

import gc
import inspect
from typing import Final

import pytest

from rentbilling.adapters.client import RentalClient, StateConflictError
from rentbilling.adapters.client.calls import EntityTags
from rentbilling.adapters.http.preconditions import takes_match
from rentbilling.errors import InvalidRecordError
from rentbilling.interface import ENDPOINTS, ChangeLease, Lease
from tests.adapters.client.callers import Caller, always, in_turn, says

LEASE: Final = {"id": "lease-1", "operationalState": "Draft"}
CHANGE: Final = ChangeLease(lease_id="lease-1", primary_tenant_contact_name="A. Jensen")


@pytest.mark.parametrize("change", ["change", "archive"])
def test_a_change_has_the_tag_of_what_was_received(caller: Caller, change: str) -> None:
    def act(client: RentalClient) -> object:
        if change == "change":
            return client.change_lease(CHANGE, if_match='"b"')
        return client.archive_lease("lease-1", if_match='"b", "c"')

    caller.result_of(always(LEASE, etag='"b"'), act)

    assert ['"b"' if change == "change" else '"b", "c"'] == [
        each.headers["if-match"] for each in caller.sent
    ]


def test_the_tag_is_that_of_the_answer_and_no_other_call_has_it() -> None:
    tags, one, other = EntityTags(), Lease(id="lease-1"), Lease(id="lease-1")
    tags.remember(one, '"a"')
    tags.remember(other, None)

    assert one == other
    assert ('"a"', "", '"b"') == (tags.of(one), tags.of(None), tags.of('"b"'))
    with pytest.raises(InvalidRecordError, match="ETag"):
        tags.of(other)


def test_a_tag_is_forgotten_with_its_answer() -> None:
    tags = EntityTags()
    for number in range(100):
        tags.remember(Lease(id=f"lease-{number}"), '"a"')
    gc.collect()

    assert {} == tags._tags


def test_what_has_changed_since_is_a_conflict(caller: Caller) -> None:
    problem = {"code": "changed_since", "detail": "the object has changed since"}
    service = in_turn(says(problem, 412, etag='"c"'))

    error = caller.error_of(service, lambda client: client.change_lease(CHANGE, if_match='"b"'))

    assert isinstance(error, StateConflictError)
    assert (412, "changed_since") == (error.status, error.code)


@pytest.mark.parametrize("tag", ['"a"\r\nX-Other: 1', " ", '"å"', Lease(id="lease-1")])
def test_what_is_no_tag_is_refused_before_it_is_sent(caller: Caller, tag: str | Lease) -> None:
    error = caller.error_of(always(LEASE), lambda client: client.change_lease(CHANGE, if_match=tag))

    assert isinstance(error, InvalidRecordError)
    assert "if_match" == error.problems[0].path
    assert [] == caller.sent


def test_every_operation_that_takes_a_condition_has_the_argument() -> None:
    with_argument = {
        name
        for name in ENDPOINTS
        if "if_match" in inspect.signature(getattr(RentalClient, name)).parameters
    }

    assert {name for name, each in ENDPOINTS.items() if takes_match(each)} == with_argument
