"""The judges of the cases of other billing systems (`peers/` of the outside cases).

Law: a case is judged under the convention of its own file. Which judge sees it follows from the
file's peer and the case's kind and fields, never from its id.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from tests.outside.board import Case, Head, Judge, Verdict, not_expressible
from tests.outside.peers import landlords, subscriptions


def judge(case: Case, head: Head) -> Verdict:
    """Return what becomes of a case.

    A kind that no judge knows asks for what the library does not have.
    """
    kind = str(case["kind"])
    own = subscriptions.is_subscription_peer(head)
    chosen = (subscriptions.JUDGES if own else landlords.JUDGES).get(kind)
    return chosen(case, head) if chosen else not_expressible(kind)


JUDGES: Final[Mapping[str, Judge]] = MappingProxyType(
    dict.fromkeys((*subscriptions.JUDGES, *landlords.JUDGES), judge)
)
"""The judge of each kind; it looks further at the peer of the file."""
