"""The bounds of requests to the service.

Law: every bound of the service over HTTP is a field here, with its default.
"""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The bounds of a service.

    Examples:
        >>> Limits(most_bytes=50_000).most_bytes
        50000
        >>> Limits(threads=0)
        Traceback (most recent call last):
        ValueError: threads is 0, and must be above 0
    """

    most_bytes: int = 1_000_000
    """Bytes of a body; more are answered with 413."""
    most_query_bytes: int = 8_000
    """Bytes of path and query together; more are answered with 414."""
    body_seconds: float = 20.0
    """Seconds in which a body must have arrived; afterwards the answer is 408."""
    most_days: int = 3_660
    """Days of the period of one request for pending bills; more are answered with 400."""
    most_problems: int = 1_000
    """Problems that one answer lists; `detail` has their number."""
    most_at_once: int = 1_000
    """Requests in work or waiting; one more is answered with 503."""
    threads: int = 40
    """Requests in work at the same moment."""
    retry_after: int = 1
    """Seconds after which a caller may try again after a 503."""

    def __post_init__(self) -> None:
        """Refuse a bound that no request can satisfy.

        Raises:
            ValueError: A bound is not above 0.
        """
        for each in fields(self):
            value = getattr(self, each.name)
            if not value > 0:
                raise ValueError(f"{each.name} is {value}, and must be above 0")
