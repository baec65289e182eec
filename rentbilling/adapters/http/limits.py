"""How much a caller may ask for, and how long one may take.

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
    """Days of a period whose pending bills may be asked for at once; more are a 400."""
    most_problems: int = 1_000
    """Problems that one answer lists; `detail` tells how many there are."""
    most_at_once: int = 1_000
    """Requests that are answered or wait for it; one more is answered with 503."""
    threads: int = 40
    """Requests that are worked on at the same moment."""
    retry_after: int = 1
    """Seconds after which one who was answered with 503 may ask again."""

    def __post_init__(self) -> None:
        """Refuse a bound that lets nothing through.

        Raises:
            ValueError: A bound is not above 0.
        """
        for each in fields(self):
            value = getattr(self, each.name)
            if not value > 0:
                raise ValueError(f"{each.name} is {value}, and must be above 0")
