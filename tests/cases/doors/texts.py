"""Doors of texts: JSON, pickles and copies, print and rows, the schema."""

import copy
import pickle
from collections.abc import Iterator, Mapping
from functools import cache

import rentbilling as rb
from rentbilling.billing.wire import BillSchemas
from rentbilling.values import Definitions, plain_data
from tests.cases.doors.asked import Asked, same
from tests.cases.outcome import Data, Json, outcome_of, written


def by_json(asked: Asked) -> None:
    """Terms and policy as JSON and back; and what came, written and read again."""
    terms: rb.LeaseTerms = rb.loads(rb.dumps(asked.terms, full=True))
    policy = rb.loads(rb.dumps(asked.policy), rb.BillingPolicy)
    if asked.function != "rent_adjustments":
        text = rb.dumps(asked.result, full=True)
        same(asked.own, outcome_of(written(rb.loads(text, rb.BillingResult))))
    same(asked.own, asked.again(terms, policy=policy))


def by_pickle(asked: Asked) -> None:
    given = asked.terms, asked.policy, asked.indices
    terms, policy, indices = pickle.loads(pickle.dumps(given))
    for other in (pickle.loads(pickle.dumps(asked.result)), copy.deepcopy(asked.result)):
        same(asked.own, outcome_of(written(other)))
    same(asked.own, asked.again(terms, policy=policy, indices=indices))


_LONGEST_NAME = 20
"""Letters of a name that fit in a column of a printed bill at least."""


def by_print(asked: Asked) -> None:
    """Every name and figure of a bill is in its printed form and in its rows."""
    printed = "".join(str(asked.bills).split()).replace(",", "")
    for bill in asked.bills:
        figures = [bill.subtotal, bill.total, *(each.amount for each in bill.vat_totals)]
        for figure in (*figures, *(line.net_price for line in bill.lines)):
            assert f"{figure.amount:f}" in printed, (figure, printed)
        for line, row in zip(bill.lines, bill.rows(), strict=True):
            name = (line.description or line.product_key).replace(",", "").replace(" ", "")
            assert name in printed or len(name) > _LONGEST_NAME, name
            assert row["net_price"] == line.net_price.amount
            assert row["description"] == line.description


@cache
def schema_of_bills() -> tuple[Data, Mapping[str, Data]]:
    """Return the schema of bills in full, and those of its parts by their names."""
    parts = Definitions()
    return dict(BillSchemas(parts, full=True).result()), parts.found


def by_schema(asked: Asked) -> None:
    """Every name that is written is in the schema of its form; adjustments have their own.

    A line by itself has the names that it has on its bill.
    """
    for each in asked.question.written if asked.function != "rent_adjustments" else ():
        apart = {name for name, known in names_in(each, *schema_of_bills()) if not known}
        assert apart <= {("", "adjustments")}
    for bill, own in zip(asked.bills, written(asked.bills)["bills"], strict=True):
        for line, on_bill in zip(bill.lines, own["pendingBillLineItems"], strict=True):
            assert plain_data(line).keys() == on_bill.keys()


def names_in(
    data: Json, schema: Json, parts: Mapping[str, Data], part: str = ""
) -> Iterator[tuple[tuple[str, str], bool]]:
    """Give each name in a result, with the part that it is in, and whether its schema has it."""
    while "$ref" in schema:
        part = schema["$ref"].rpartition("/")[2]
        schema = parts[part]
    if isinstance(data, list):
        for each in data:
            yield from names_in(each, schema.get("items", {}), parts, part)
    elif isinstance(data, dict) and "properties" in schema:
        for name, value in data.items():
            known = schema["properties"]
            yield (part, name), name in known
            yield from names_in(value, known.get(name, {}), parts, part)
