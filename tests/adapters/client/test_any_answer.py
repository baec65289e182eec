"""Whatever a service says, the client answers with a record or with a `ServiceError`."""

import pickle
from datetime import UTC, datetime
from urllib.parse import unquote

from hypothesis import given, strategies as st

from rentbilling.adapters.client import Retries, ServiceError
from rentbilling.adapters.client.calls import call_of
from rentbilling.adapters.client.responses import Response, read_outcome
from rentbilling.adapters.client.retries import may_repeat, requested_wait
from rentbilling.interface import ENDPOINTS, Lease, LeaseRequest
from rentbilling.records.text_limits import A_WORD

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
CALL = call_of("retrieve_lease", LeaseRequest(lease_id="lease-1"), Lease)
NAMES = ("retry-after", "date", "location", "x-request-id", "content-type")
WORDS = (
    "detail",
    "title",
    "code",
    "problems",
    "requestId",
    "status",
    "id",
    "path",
    "met",
    "leases",
)
# Letters that a header can hold, and pieces of dates, out of which many almost right ones come.
TEXTS = st.one_of(
    st.text(st.characters(min_codepoint=32, max_codepoint=255)),
    st.lists(
        st.sampled_from(
            ["Sat,", "31", "Jan", "2026", "99999", "12:00:00", "1:2", "GMT", "+9999", "-0000", ":"]
        )
    ).map(" ".join),
    st.integers().map(str),
)
DATA = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text()),
    lambda each: st.one_of(st.lists(each), st.dictionaries(st.sampled_from(WORDS), each)),
    max_leaves=12,
)
BODIES = st.one_of(
    st.binary(), DATA.map(lambda data: repr(data).replace("'", '"').encode(errors="replace"))
)


@given(
    status=st.integers(100, 599),
    headers=st.dictionaries(st.sampled_from(NAMES), TEXTS),
    body=BODIES,
)
def test_any_answer_is_a_record_or_a_service_error(
    status: int, headers: dict[str, str], body: bytes
) -> None:
    found = came_of(Response(status, headers, body))

    if isinstance(found, ServiceError):
        assert status == found.status
        assert all(line.isprintable() for line in str(found).split("\n"))
        assert found == pickle.loads(pickle.dumps(found))
    else:
        assert 200 <= status < 300


def came_of(response: Response) -> Lease | ServiceError:
    """Return the lease, or the error that it is refused with; any other error is raised."""
    try:
        return read_outcome(CALL, response, str)
    except ServiceError as error:
        return error


@given(status=st.integers(100, 599), headers=st.dictionaries(st.sampled_from(NAMES), TEXTS))
def test_any_answer_is_followed_by_a_wait_within_its_limits_or_by_none(
    status: int, headers: dict[str, str]
) -> None:
    """0 to 60 seconds, and never after a trouble that stays.

    That is 501, 505 and 4xx, but for 429 and a 409 that says when to come back.
    """
    response = Response(status, headers, b"")
    asked = requested_wait(response, NOON)
    wait = Retries().wait_after(1, chance=1.0, asked=asked)

    assert asked is None or asked >= 0
    assert wait is None or 0 <= wait <= 60
    passes = status == 429 or (status >= 500 and status not in {501, 505})
    passes |= status == 409 and "retry-after" in headers
    assert passes is may_repeat(CALL, response)


@given(made=st.integers(1, 50), chance=st.floats(0, 1), spent=st.floats(0, 200))
def test_no_call_takes_longer_than_its_deadline(made: int, chance: float, spent: float) -> None:
    """What was spent and what is waited are together below it, and no wait is above 20 seconds."""
    rules = Retries(most=49)
    wait = rules.wait_after(made, chance=chance, spent=spent)

    assert wait is None or (spent + wait < rules.deadline and 0 <= wait <= rules.longest_wait)


@given(lease_id=st.text(min_size=1, max_size=50).filter(lambda text: not [*A_WORD.faults(text)]))
def test_any_id_leads_to_its_own_place(lease_id: str) -> None:
    call = call_of("retrieve_lease", LeaseRequest(lease_id=lease_id), Lease)
    first, resource, segment = call.path.split("/")

    assert ("", "leases", lease_id) == (first, resource, unquote(segment))
    assert segment.isascii()
    assert segment not in {".", ".."}
    assert ENDPOINTS["retrieve_lease"].path.count("/") == call.target.count("/")
