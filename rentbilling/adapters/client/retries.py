"""Whether a call is made again, and after how long a wait.

Laws: the functions are pure: time and chance are arguments; a change is made again only where
no connection was opened for it, or where the service stores the answer to its key.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any, Final

from rentbilling.adapters.client.calls import Call
from rentbilling.adapters.client.responses import NoResponse, Response
from rentbilling.errors import InvalidRecordError

_TEMPORARY: Final = frozenset({429, *range(500, 600)}) - {501, 505}
"""Statuses of failures that may pass; what is not implemented stays so."""
_CONFLICT: Final = 409
KEPT: Final = "idempotency-key-expiry"
"""The header of a service that stores the answers to idempotency keys."""
_NEVER_SENT: Final = "not_connected"
_TEMPORARY_FAILURES: Final = frozenset({_NEVER_SENT, "connection_broken"})
_OF_A_KEY: Final = _TEMPORARY_FAILURES | {"timed_out"}
"""After a timeout the service may work on the call still. A second read would double its load; a
change with the same key waits for the first one, or is asked to come later."""
_LONGEST: Final = 1e9
"""Seconds that a `Retry-After` is taken for, at most: some thirty years."""
_MOST_DOUBLINGS: Final = 60
"""More than any wait can be doubled by, and few enough for a power of two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How often a call is made again, and after which waits.

    The wait before retry n is a random time between 0 and `first_wait` × 2ⁿ⁻¹, so that many callers
    do not return at once. After `Retry-After`, no call is made earlier than the service asks.

    Examples:
        >>> Retries(most=0).wait_after(1, chance=0.5) is None
        True
        >>> [Retries().wait_after(made, chance=1.0) for made in (1, 2, 3, 4)]
        [0.5, 1.0, 2.0, None]
    """

    most: int = 3
    """Retries after the first attempt."""
    first_wait: float = 0.5
    """Seconds before the first retry, at most."""
    longest_wait: float = 20.0
    """Seconds before any retry, at most, unless the service asks for more."""
    longest_asked: float = 60.0
    """Seconds of a `Retry-After`, at most; a longer one ends the call."""
    deadline: float = 120.0
    """Seconds for a call with all its attempts and waits."""

    def __post_init__(self) -> None:
        """Refuse a field that is not a number of seconds."""
        for name in ("most", "first_wait", "longest_wait", "longest_asked", "deadline"):
            check_seconds(name, getattr(self, name), zero=name != "deadline")

    def wait_after(
        self, made: int, *, chance: float, asked: float | None = None, spent: float = 0.0
    ) -> float | None:
        """Return the seconds to wait before the next attempt; None if the call is not made again.

        `asked` are the seconds that the service asked for, `spent` those since the first attempt.
        """
        if made > self.most or (asked or 0.0) > self.longest_asked:
            return None
        doubled = self.first_wait * 2.0 ** min(made - 1, _MOST_DOUBLINGS)
        wait = max(asked or 0.0, chance * min(self.longest_wait, doubled))
        return wait if spent + wait < self.deadline else None


def may_repeat(call: Call[Any], outcome: Response | NoResponse) -> bool:
    """Return whether a call may be made again after this outcome."""
    never_sent = isinstance(outcome, NoResponse) and outcome.code == _NEVER_SENT
    return never_sent or (call.is_safe and may_pass(outcome))


def may_pass(outcome: Response | NoResponse, *, has_key: bool = False) -> bool:
    """Return whether the failure of a call may be over soon, so that it is made again."""
    if isinstance(outcome, NoResponse):
        return outcome.code in (_OF_A_KEY if has_key else _TEMPORARY_FAILURES)
    # A 409 that says when to try again: the first attempt is still running.
    is_running = outcome.status == _CONFLICT and "retry-after" in outcome.headers
    return is_running or outcome.status in _TEMPORARY


def requested_wait(outcome: Response | NoResponse, moment: datetime) -> float | None:
    """Return the seconds of a `Retry-After`.

    A date there is compared with the service's own clock, where it sends that (`Date`).

    Examples:
        >>> busy = Response(503, {"retry-after": "7"}, b"")
        >>> requested_wait(busy, datetime(2026, 1, 1, tzinfo=UTC))
        7.0
    """
    if isinstance(outcome, NoResponse):
        return None
    text = outcome.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        # Not beyond what a float can say, whatever the number of its digits.
        return min(float(text), _LONGEST)
    until = _http_date(text)
    if until is None:
        return None
    return max(
        0.0, (until - (_http_date(outcome.headers.get("date", "")) or moment)).total_seconds()
    )


def _http_date(text: str) -> datetime | None:
    """Return the date of a header; such dates are in UTC."""
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def check_seconds(name: str, value: object, *, zero: bool) -> None:
    """Refuse a value that is not a number of seconds.

    Raises:
        InvalidRecordError: It is not a number, or out of range.
    """
    sound = isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
    if not sound or value < 0 or (value == 0 and not zero):  # type: ignore[operator]
        expected = "a number, 0 or more" if zero else "a number above 0"
        raise InvalidRecordError.of(name, "out_of_range", "is out of range", value, expected)
