"""Changes of an object that is still as the caller knows it: `ETag` and `If-Match` (RFC 9110).

Laws: the tag of an object changes with everything that its answer shows or that can be changed of
it; a condition that is not understood is refused, never ignored.
"""

import re
from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from rentbilling.adapters.http.answers import Headers
from rentbilling.adapters.http.refusals import RefusalError, invalid
from rentbilling.codec import answer_text, dumps
from rentbilling.errors import Problem, shown
from rentbilling.interface import ENDPOINTS, Endpoint
from rentbilling.service import OPERATIONS, Context, Store
from rentbilling.terms import Balance

IF_MATCH: Final = "if-match"
_NOT_UNDERSTOOD: Final = ("if-none-match", "if-unmodified-since")
_A_TAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
_ANY: Final = "*"

SINGLE: Final = MappingProxyType(
    {
        each.in_path: each
        for each in ENDPOINTS.values()
        if each.method == "GET" and each.path.endswith("}")
    }
)
"""The operation that retrieves one object, by the parameters of its path."""


def takes_match(endpoint: Endpoint) -> bool:
    """Return whether an operation changes an object that has a tag."""
    return endpoint.right == "write" and endpoint.in_path in SINGLE


def answers_tag(endpoint: Endpoint) -> bool:
    """Return whether the answer of an operation is an object as it is at the path."""
    single = SINGLE.get(endpoint.in_path)
    return single is not None and single.path == endpoint.path


def condition(endpoint: Endpoint, headers: Mapping[str, str]) -> str:
    """Return the condition of a change; empty if it has none.

    Raises:
        RefusalError: It is none that the operation has, or not well formed.
    """
    refused = _NOT_UNDERSTOOD if takes_match(endpoint) else (*_NOT_UNDERSTOOD, IF_MATCH)
    for name in refused:
        if name in headers:
            said = "is a condition that this operation does not have"
            expected = "If-Match" if takes_match(endpoint) else "none"
            raise invalid(Problem(name, "unexpected_header", said, shown(headers[name]), expected))
    given = headers.get(IF_MATCH)
    if given is None:
        return ""
    if given != _ANY and not all(_A_TAG.fullmatch(each.strip()) for each in given.split(",")):
        expected = "the ETag of an answer, with its quotes, several with commas, or *"
        raise invalid(Problem(IF_MATCH, "not_a_tag", "is no entity tag", shown(given), expected))
    return given


def check_unchanged(
    match: str, endpoint: Endpoint, ids: Mapping[str, str], store: Store, context: Context
) -> None:
    """Refuse a change of an object that is not as the caller knows it.

    Raises:
        RefusalError: It has another tag.
        NotFoundError: The owner has no such object.
    """
    single = SINGLE[endpoint.in_path]
    request = single.request.model_validate(dict(ids))
    found = OPERATIONS[single.operation](request, store, context)
    ((_, tag),) = tag_of(answer_text(found, policy=context.policy), ids, store)
    if match != _ANY and tag not in [each.strip() for each in match.split(",")]:
        said = "the object has changed since: retrieve it, and change what is there now"
        raise RefusalError("precondition-failed", "changed_since", said, headers=(("ETag", tag),))


def tag_of(text: str, ids: Mapping[str, str], store: Store) -> Headers:
    """Return the header with the tag of an object whose answer is a text."""
    found = sha256(text.encode("utf-8", "surrogatepass"))
    # The answer has the sums of the balances alone, and a change sets each of them.
    for each in store.belonging(Balance, [*ids.values()]).values():
        for stored in each:
            found.update(dumps(stored.record, full=True).encode("utf-8", "surrogatepass"))
    return (("ETag", f'"{found.hexdigest()[:32]}"'),)
