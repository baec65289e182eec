"""A whole list, page by page: which page comes next, and which is the last.

Laws: every object comes once and in order; the first page that is shorter than requested is the
last one (A43); a service that repeats a page is refused, so that no loop is endless.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

from rentbilling import BillingPolicy, InvalidInputError
from rentbilling.adapters.client.calls import Call, call_of
from rentbilling.adapters.client.service_errors import UnreadableAnswerError
from rentbilling.interface import ENDPOINTS
from rentbilling.records import RawRecord


class Pages:
    """The pages of a list, in order.

    Examples:
        >>> from rentbilling.interface import LeasePage
        >>> from rentbilling.interface import Lease
        >>> pages = Pages("list_leases", 2)
        >>> pages.call().target
        '/leases?limit=2'
        >>> _ = pages.objects_of(LeasePage(leases=(Lease(id="a"), Lease(id="b"))))
        >>> pages.call().target
        '/leases?limit=2&startingAfter=b'
        >>> _ = pages.objects_of(LeasePage(leases=(Lease(id="c"),)))
        >>> pages.is_done
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
            InvalidInputError: The page size or a filter is not valid.
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
        return call_of(
            self._endpoint.operation, self._request, self._endpoint.answer, policy=self._policy
        )

    def objects_of(self, page: object) -> Sequence[Any]:
        """Return the objects of a page, and turn to the next page.

        Raises:
            UnreadableAnswerError: There is a next page, but no cursor that leads to it.
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
        raise UnreadableAnswerError(code, asked=self.call().request_line, status=200, detail=detail)


def _cursor(last: Any) -> str | None:  # noqa: ANN401 - of any kind
    """Return the id of an object; a product may have its key alone."""
    if isinstance(last, RawRecord):
        found = last.data.get("id")
        return found if isinstance(found, str) and found else None
    names = ("id", "product_id", "product_key") if hasattr(last, "product_id") else ("id",)
    return next((getattr(last, name) for name in names if getattr(last, name, None)), None)
