"""How the fields and rows of the interface's tables are broken."""

from collections.abc import Iterator
from functools import partial

from tests.conformance.answers import PLACES, expected
from tests.conformance.breaking import (
    Breakage,
    Call,
    answered,
    assumed,
    broken,
    demanded,
    dropped,
    not_offering,
    nulled,
    reading,
    retyped,
    taken,
)
from tests.conformance.fields import ROWS, Field
from tests.conformance.samples import at
from tests.conformance.test_requests import ITEMS, TENANCIES, sent


def breakages_of(field: Field) -> Iterator[Breakage]:
    if field.section in (ITEMS, TENANCIES):
        (value,) = at(sent(field), field.name)
        yield Breakage("not taken", lambda: taken(dropped(field)), "request")
        yield Breakage("taken whatever it is", lambda: taken(assumed(field, value)), "request")
        if field.need == "optional":
            yield Breakage("asked for", lambda: taken(demanded(field)), "request")
    elif field.section in PLACES or field.section.endswith(" answer"):
        yield Breakage("not sent", lambda: answered(dropped(field)))
        yield Breakage("sent as another type", lambda: answered(retyped(field)))
        if field.section in PLACES:
            yield from _of_resource(field)
    else:
        yield Breakage("not heeded", lambda: broken(_same_lease), "request")


def _of_resource(field: Field) -> Iterator[Breakage]:
    address, path = PLACES[field.section]
    known = at(expected(address, whole=True), f"{path}.{field.name}")
    value = next(filter(None, known), known[0])
    applicable = field.need == "applicable" and field.key != "Product: productId"
    yield Breakage("sent as null", lambda: answered(nulled(field)), must=applicable)
    for name, change in (("not {}", dropped(field)), ("{} whatever it is", assumed(field, value))):
        yield Breakage(name.format("taken"), partial(taken, change), "request", must=False)
        yield Breakage(name.format("read"), partial(reading, change), "reader", must=False)


def _same_lease(call: Call) -> Call:
    if call.path.startswith("/leases/"):
        return call._replace(path="/leases/id-2")
    return call


def breakages_of_row(row: str) -> Iterator[Breakage]:
    """Give the one way in which an operation or a transition is broken: there is none."""
    operation = row.removeprefix("(no lease) ")
    assert row in ROWS
    yield Breakage("not there", lambda: not_offering(operation))
