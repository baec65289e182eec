"""A register of the sentences of the interface outside its tables.

A sentence is named by its section and number. Its digest shows when it changes, and its meaning is
given in other words. Gaps of the interface ("not shown") are filled by assumptions.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

_TAGS: Final = " -> "


class Sentence(NamedTuple):
    """A sentence and its meaning."""

    section: str
    number: int
    digest: str
    meaning: str
    """Its meaning in other words."""
    assumptions: tuple[str, ...]
    """The assumptions that fill a gap; empty for other sentences."""

    @property
    def key(self) -> str:
        return f"{self.section} {self.number}"


# A digest, the meaning, and for a gap an arrow and the assumptions.
_MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Rental Management Service Interface": """
            6b061ebcd3 the page describes all of the interface
            1269d788a7 there is no other page
        """,
        "What the service does": """
            7591ce0856 JSON over HTTP, also on a socket, for lettings and their bills
            e34d3e6ac1 introduces the list of a caller's possibilities
            301b0cb89a a tenancy is created together with a draft lease
            906d38377e a recurring bill item is created on a lease
            27adf96a2d five kinds of objects are listed
            7196c9bf0c a lease is retrieved by its id
            1d80d70b3c the bills that will fall due in a period are listed
            00912569f9 there is a base address
            26646b4119 a body is JSON and its header says so
            459ef6fc1e every operation needs the header with the key
        """,
        "Resources and their fields": """
            f68c94f85c dates are written in ISO 8601
            af605631bd so are date-times
            2e3fb4c59a ids are texts
            5879f2e85c fields that may not apply can be absent
        """,
        "Rent adjustment": """
            44a00589db an adjustment has the effects of rules; their fields follow
        """,
        "Pending bill": """
            b533a48912 the seven fields of a line, with their types
        """,
        "Gaps in the resource definitions": """
            d9a76e73ff scales and code words of money, VAT, cycles, units -> A1 A2 A5 A7 A27 A49
            163c8fa8c1 which other fields may be absent or null -> A6 A72
            ead8307559 contents of groups; code words of rooms and areas -> A49
            65957a9715 start of a cycle; years and months; meaning of an adjustee -> A8 A31 A39
        """,
        "States and transitions": """
            ecbabc7178 a lease has two states
            71dcdbcc78 and the time of archiving
            339eeab955 the names of the states -> A48
            7a29a63ca1 the transitions between states -> A48
        """,
        "Endpoints": """
            f411842c6d paths are below the base address
            1f8545ce9f no operation without the header
            2622a58345 some lists come in pages
        """,
        "POST /recurring-bill-items": """
            78b4c8b561 there is a JSON body
            557901c5c2 a discount has an amount or a percentage
            4543ce0932 the answer: the item's id and its first due date
        """,
        "POST /tenancies": """
            78b4c8b561 there is a JSON body
            e5f5aec4e4 the answer: ids of the tenancy and of its draft lease
        """,
        "GET /rent-adjustment-plans": """
            c8c2e1d983 nothing is sent in a body
            84655ce9ff comes in pages
            102ba2277f the answer: an array of plans under one name
        """,
        "GET /tenancies": """
            c8c2e1d983 nothing is sent in a body
            84655ce9ff comes in pages
            d50f5a742f the answer: an array of tenancies under one name
        """,
        "GET /leases": """
            c8c2e1d983 nothing is sent in a body
            84655ce9ff comes in pages
            a474b3642b the answer: an array of leases under one name
        """,
        "GET /leases/{leaseId}": """
            eec9129f61 the path names the lease
            c8c2e1d983 nothing is sent in a body
            ecc05c4a38 the answer is the lease itself, without a wrapper
        """,
        "GET /products": """
            c8c2e1d983 nothing is sent in a body
            84655ce9ff comes in pages
            3527a0a558 the answer: an array of products under one name
        """,
        "GET /payouts": """
            c8c2e1d983 nothing is sent in a body
            84655ce9ff comes in pages
            53e2f4f7ed the answer: an array of payouts under one name
        """,
        "GET /pending-bills": """
            29092ff606 two texts are required: the lease and the period
            26a7c60b7e the answer: an array of bills under one name
            86a866aa1f pages are not mentioned
        """,
        "Gaps in the endpoint definitions": """
            37db1c1649 status and headers of a success -> A47
            9b300ea785 how pages are requested and identified -> A43
            df82f1c693 filters and order of lists -> A43
            a1d33015aa how the two inputs of pending bills are named and sent -> A44
        """,
        "Authentication": """
            11f685c3ae an API key is the value of the header, in every call
            41edec7dac a call without it is invalid
            cd00bf6c9f schemes, creation of keys, and their rights -> A45
        """,
        "Events": """
            35adba76db does the service send anything by itself? nothing during an operation
        """,
        "Errors": """
            d2789684d8 status, body and code of every kind of refusal -> A46
        """,
        "Limits": """
            4d71a2a632 rates (none), page sizes, lengths of texts, bounds of numbers -> A1 A43 A60
        """,
        "Versioning": """
            e366402535 no path names a version
            a62c34b11b how versions are announced and ended -> A50 A59
        """,
    }
)

PAGE_DIGEST: Final = "532cd63924"
"""The digest of the whole page with its tables; after a change, review fields and sentences."""


def _sentences() -> Iterator[Sentence]:
    for section, meanings in _MEANINGS.items():
        for number, line in enumerate(meanings.strip().splitlines(), 1):
            digest, _, rest = line.strip().partition(" ")
            meaning, _, tags = rest.partition(_TAGS)
            yield Sentence(section, number, digest, meaning, tuple(tags.split()))


SENTENCES: Final = tuple(_sentences())
"""All sentences."""
