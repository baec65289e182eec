"""The laws of refusal: whatever is read is read right, or refused with problems that lead to it.

A good payload is changed in arbitrary places; the reader either accepts what came of it or raises
the library's own error, in which every problem has a published code and a place of the payload.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import rentbilling as rb
from rentbilling.errors import shown
from tests.architecture.sources import GUIDE, ROOT, text_of
from tests.refusals.tables import snaked
from tests.support.rows import rows

EXAMPLE = text_of(ROOT / "rentbilling" / "adapters" / "cli" / "example.json")
LEASE: dict[str, Any] = json.loads(EXAMPLE)
LISTED = {
    "amountRecords": [
        {"id": "a", "value": {"currency": "DKK", "amount": 9000}, "start": "2026-05-01"}
    ],
    "vatRecords": [{"value": {"taxMode": "Inclusive", "taxRate": 0.25}, "start": "2026-06-01"}],
    "descriptionRecords": [{"value": "Rent", "start": "2026-06-01"}],
    "quantityRecords": [{"value": 2.5, "start": "2026-07-01"}],
    "endedOn": "2027-05-31",
    "cancelledOn": "2027-06-01",
}
LEASE["recurringBillItems"][0] |= LISTED
POLICY: dict[str, Any] = {
    "version": 1,
    "rounding": "half_even",
    "currencies": {"PTS": 1},
    "businessDay": "following",
    "holidays": ["2026-12-25", "2026-12-26"],
    "discountOpening": True,
    "cashRounding": {"DKK": 0.50},
    "byProduct": {"key:parking": {"partPeriod": "full"}},
    "maxLines": 500,
}
BILLS: dict[str, Any] = json.loads(
    rb.dumps(rb.pending_bills(rb.loads(EXAMPLE), "2026-01-01/2026-02-28"), full=True)
)

# Values that are nearly right: of another field, of another type, one step too far.
NEAR: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 13, 31, 1.5, 0.25, 25, 1e300, 0.1 + 0.2, 10**15, -(10**40)),
    *("", "DKK", "dkk", "Exempt", "exclusive", "Month", "week", "start", "NaN", "8500.00", "1/3"),
    *("2026-01-31", "2026-02-29", "2024-02-29", "9999-12-31", "0001-01-01", "2026-01-31T12:00Z"),
    *("2026-01-01/2026-01-31", "2026-01-31/2026-01-01", "0001-01-01/9999-12-31"),
    *([], {}, [[]], [{}], {"currency": "DKK", "amount": 1}, {"taxMode": "Exclusive"}),
    *({"percentage": 0.1}, {"dayOfPeriod": 0}, {"timeUnit": "Day", "periodLength": 1, "start": 1}),
)
# A point or a bracket in a key would make its path ambiguous.
KEYS = st.sampled_from(
    ("id", "amount", "discount", "endedOn", "product_key", "quantity", "leaseId", "unit", "Æ b")
) | st.text(st.characters(codec="utf-8", exclude_characters=".["), min_size=1, max_size=8)
VALUES: SearchStrategy[Any] = st.sampled_from(NEAR).map(deepcopy) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)

# Problems whose value met is what stands at their place, or the key of it.
QUOTED = frozenset(
    {
        *("not_a_list", "not_a_number", "not_a_text", "not_a_whole_number", "not_an_object"),
        *("unknown_currency", "unknown_field", "unknown_tax_mode", "unknown_time_unit"),
    }
)
INTO = st.sampled_from((rb.LeaseTerms, rb.BillingPolicy, rb.BillingResult))
GOOD: list[tuple[Any, type[Any]]] = [
    (LEASE, rb.LeaseTerms),
    (LEASE["recurringBillItems"][0], rb.LeaseTerms),
    ({"leaseId": "lease-1", "recurringBillItem": LEASE["recurringBillItems"][2]}, rb.LeaseTerms),
    (POLICY, rb.BillingPolicy),
    (BILLS, rb.BillingResult),
]


def containers(data: Any) -> Iterator[Any]:  # noqa: ANN401 - JSON is any value
    """Yield every object and list of some data that holds anything, outermost first."""
    if isinstance(data, (dict, list)) and data:
        yield data
        for each in data.values() if isinstance(data, dict) else data:
            yield from containers(each)


@st.composite
def spoilt(draw: DrawFn, good: dict[str, Any]) -> Any:  # noqa: ANN401
    """Draw a payload with one to four of its places deleted, replaced or joined by a stranger."""
    data = snaked(good) if draw(st.booleans()) else deepcopy(good)
    for _ in range(draw(st.integers(1, 4))):
        there = draw(st.sampled_from(list(containers(data))))
        key = draw(st.sampled_from(list(there) if isinstance(there, dict) else range(len(there))))
        what = draw(st.sampled_from(("replace", "delete", "add")))
        if what == "replace":
            there[key] = draw(VALUES)
        elif what == "delete" and len(data) > 1:
            del there[key]
        elif isinstance(there, dict):
            there[draw(KEYS)] = draw(VALUES)
        else:
            there.append(draw(VALUES))
    return data


@st.composite
def garbled(draw: DrawFn, good: str) -> str:
    """Draw a text that was cut, doubled or written into at an arbitrary place."""
    start = draw(st.integers(0, len(good)))
    end = draw(st.integers(start, min(len(good), start + 40)))
    written = draw(st.text(max_size=6) | st.sampled_from(('"', "}", "[", "-", "e9", "\\u", "\x00")))
    return good[:start] + written + draw(st.sampled_from((good[end:], good[start:], "")))


def places(data: Any, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    """Yield every place of a payload with its path and what stands there."""
    yield path, data
    if isinstance(data, dict):
        for key, each in data.items():
            yield from places(each, f"{path}.{key}" if path else key)
    elif isinstance(data, list):
        for at, each in enumerate(data):
            yield from places(each, f"{path}[{at}]")


def published(section: str) -> frozenset[str]:
    """Return the codes that the page of limits lists in one of its sections."""
    _, _, rest = text_of(GUIDE / "limits.md").partition(f"\n## {section}\n")
    return frozenset(re.findall(r"^\| `(\w+)` \|", rest.partition("\n## ")[0], re.MULTILINE))


CODES = published("Problems")
OTHER_CODES = published("Other errors")


def refusal_of(
    text: str | bytes, into: type[Any], *, from_service: bool = False
) -> rb.RentBillingError | None:
    """Return the library's own error where a text is refused, None where it is read."""
    try:
        rb.loads(text, into, from_service=from_service)
    except rb.RentBillingError as error:
        return error
    return None


def judge(data: Any, into: type[Any], *, from_service: bool = False) -> None:  # noqa: ANN401
    """Read a payload; where it is refused, every problem must lead to a place of it."""
    text = json.dumps(data)
    error = refusal_of(text, into, from_service=from_service)
    if not isinstance(error, rb.InvalidInputError):
        assert error is None or error.code in OTHER_CODES
        return
    # Infinity is quoted as JSON texts spell it, not as Python does.
    there = dict(places(json.loads(text, parse_float=Decimal, parse_constant=Decimal)))
    for problem in error.problems:
        assert problem.code in CODES
        assert problem.message
        assert problem.expected
        if problem.path in there:
            quoted = {shown(there[problem.path]), shown(problem.path.rpartition(".")[2])}
            assert problem.code not in QUOTED or problem.met in quoted
        else:
            above, _, name = problem.path.rpartition(".")
            assert name
            assert isinstance(there.get(above), dict)
            assert name not in there[above]
            assert problem.met


@rows(("data", "into"), GOOD)
def test_the_payloads_are_right_before_they_are_changed(data: Any, into: type[Any]) -> None:  # noqa: ANN401
    assert isinstance(rb.loads(json.dumps(data), into), into)
    assert {"missing", "unsupported"} <= CODES | OTHER_CODES


@pytest.mark.parametrize(("data", "into"), GOOD)
@given(st.data(), st.booleans())
def test_every_problem_leads_to_its_place(
    data: Any,  # noqa: ANN401
    into: type[Any],
    drawn: st.DataObject,
    told: bool,
) -> None:
    """Fields that we do not know are passed over in what a service writes (A50, A57, A59)."""
    judge(drawn.draw(spoilt(data)), into, from_service=told)


@given(VALUES, INTO, st.booleans())
def test_any_json_value_is_read_or_refused(data: Any, into: type[Any], told: bool) -> None:  # noqa: ANN401
    judge(data, into, from_service=told)


@given(spoilt(LEASE))
def test_what_is_accepted_is_billed_and_written_again(data: Any) -> None:  # noqa: ANN401
    text = json.dumps(data)
    if refusal_of(text, rb.LeaseTerms):
        return
    terms = rb.loads(text)

    assert terms == rb.loads(rb.dumps(terms))
    with suppress(rb.UnsupportedCaseError):
        result = rb.pending_bills(terms, "2026-01-01/2027-12-31")
        assert result == rb.loads(rb.dumps(result), rb.BillingResult)


@given(
    st.text() | st.binary() | garbled(EXAMPLE) | garbled(EXAMPLE).map(str.encode),
    INTO,
    st.booleans(),
)
def test_any_text_is_read_or_refused(text: str | bytes, into: type[Any], told: bool) -> None:
    """Broken ones, and bytes that need not be UTF-8, too."""
    error = refusal_of(text, into, from_service=told)

    assert error is None or (str(error) and error.code in CODES | OTHER_CODES)


@given(st.binary(max_size=8), st.integers(0, len(EXAMPLE)), INTO)
def test_broken_bytes_are_read_or_refused(noise: bytes, at: int, into: type[Any]) -> None:
    good = EXAMPLE.encode()
    error = refusal_of(good[:at] + noise + good[at:], into)

    assert error is None or (str(error) and error.code in CODES | OTHER_CODES)
