"""A whole list, page by page: which page is asked for next, and when there is none.

Laws: every object comes once and in order; a list ends with the first page that is shorter than
was asked for (A43); a service that gives the same page again is refused instead of asked for ever.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

from rentbilling import BillingPolicy, InvalidInputError
from rentbilling.adapters.client.calls import Call, call_of
from rentbilling.adapters.client.service_errors import UnreadableAnswerError
from rentbilling.interface.endpoints import ENDPOINTS


class Walk:
    """One way through a list.

    Examples:
        >>> from rentbilling.interface.answers import LeasePage
        >>> from rentbilling.interface.resources import Lease
        >>> walk = Walk("list_leases", 2)
        >>> walk.call().target
        '/leases?limit=2'
        >>> _ = walk.taken(LeasePage(leases=(Lease(id="a"), Lease(id="b"))))
        >>> walk.call().target
        '/leases?limit=2&startingAfter=b'
        >>> _ = walk.taken(LeasePage(leases=(Lease(id="c"),)))
        >>> walk.is_done
        True
    """

    def __init__(
        self,
        operation: str,
        page_size: int,
        *,
        policy: BillingPolicy | None = None,
        **filters: str | None,
    ) -> None:
        """Begin before the first object.

        Raises:
            InvalidInputError: The page size or a filter cannot be.
        """
        self._endpoint = ENDPOINTS[operation]
        self._policy = policy
        self._seen: set[str] = set()
        self.is_done = False
        try:
            self._request = self._endpoint.request(limit=page_size, **filters)
        except InvalidInputError as error:
            raise type(error)(
                each._replace(path="page_size") if each.path == "limit" else each
                for each in error.problems
            ) from None
        self._size = page_size

    def call(self) -> Call[Any]:
        """Return the call for the next page."""
        return call_of(
            self._endpoint.operation, self._request, self._endpoint.answer, policy=self._policy
        )

    def taken(self, page: object) -> Sequence[Any]:
        """Return the objects of a page, and go on behind them.

        Raises:
            UnreadableAnswerError: There is a page behind it, but no way to ask for that.
        """
        objects: Sequence[Any] = getattr(page, str(self._endpoint.page_of))
        if len(objects) < self._size:
            self.is_done = True
            return objects
        cursor = _cursor(objects[-1])
        if cursor is None:
            self._refuse("no_cursor", "and the last object of a full page has no id to go on from")
        if cursor in self._seen:
            self._refuse("repeated_page", f"and gives the page that ends with {cursor} once more")
        self._seen.add(cursor)
        self._request = self._request.evolve(starting_after=cursor)
        return objects

    def _refuse(self, code: str, detail: str) -> NoReturn:
        raise UnreadableAnswerError(code, asked=self.call().asked, status=200, detail=detail)


def _cursor(last: Any) -> str | None:  # noqa: ANN401 - of any kind
    """Return the id of an object; a product may have nothing but its key."""
    names = ("id", "product_id", "product_key") if hasattr(last, "product_id") else ("id",)
    found = (getattr(last, name) for name in names if getattr(last, name, None))
    return next(found, None)
