"""Bills as CSV and as lines of JSON, written by columns: the bytes of the writers of one bill."""

from decimal import Decimal
from itertools import product

import pyarrow as pa
from hypothesis import given, strategies as st

from rentbilling import Amount, BillingPolicy, Discount, LeaseTerms, Vat
from rentbilling.billing import BillingResult
from rentbilling.billing.wire import BillWriter
from rentbilling.codec import csv_of
from rentbilling.policy import DEFAULT
from rentbilling.portfolio import BillRecordBatches
from rentbilling.portfolio.runs.bill_results import bill_of_row
from rentbilling.portfolio.runs.bill_texts import csv_lines_of, json_lines_of
from rentbilling.records import quoted
from rentbilling.testing import a_lease, a_rent
from rentbilling.testing.strategies import lease_terms

YEAR = "2026-01-01/2026-12-31"
HEAD = csv_of(BillingResult(()), full=True)


def one_by_one(bills: pa.RecordBatch, policy: BillingPolicy) -> tuple[str, str]:
    """Return the texts of bills, each by its own writer."""
    writer = BillWriter(full=True, period_end=policy.period_end)
    rows, lines = "", ""
    for row in bills.to_pylist():
        bill, lease_id = bill_of_row(row, policy), row["lease_id"]
        rows += csv_of(BillingResult((bill,), lease_id=lease_id), full=True)[len(HEAD) :]
        named = "null" if lease_id is None else quoted(lease_id)
        lines += f'{{"row": {row["row"]}, "leaseId": {named}, {writer.bill(bill)[1:]}\n'
    return rows, lines


def differing(
    terms: list[LeaseTerms], policy: BillingPolicy, currency: str | None = None
) -> list[str]:
    """Return the texts that columns write otherwise, also where all bills have a currency."""
    bills = BillRecordBatches(YEAR, policy=policy, on_problem="table")(terms)
    if currency is not None:
        codes = pa.array([currency] * bills.num_rows, pa.string())
        bills = bills.set_column(bills.schema.get_field_index("currency"), "currency", codes)
    by_columns = csv_lines_of(bills, policy), json_lines_of(bills, policy)
    pairs = zip(by_columns, one_by_one(bills, policy), strict=True)
    return [made for made, right in pairs if made != right]


POLICIES = (
    DEFAULT,
    BillingPolicy(period_end="excluded", cash_rounding={"DKK": "0.50"}),
    BillingPolicy(vat_rounding="per_line", rounding="half_even"),
)


@given(terms=st.lists(lease_terms(), max_size=3), policy=st.sampled_from(POLICIES))
def test_any_bills_have_the_bytes_of_their_writers(
    terms: list[LeaseTerms], policy: BillingPolicy
) -> None:
    ids = ["=1+1", None, 'a;"-2"']
    named = [each.evolve(lease_id=own) for each, own in zip(terms, ids, strict=False)]

    assert [] == differing(named, policy)


def test_texts_amounts_and_discounts_of_every_kind() -> None:
    """Formulas, quotation marks, line breaks; credits, thirds of cents, discounts with a text."""
    texts = ("", "=1+1", "x;=1", 'say "y"', "a,b", "two\r\nlines", "Øl", " -1", "2 - 1", "plain 1")
    amounts = ("8500", "-120.5", "0", "0.01", "99999999.99", "1000.005", "99999999999")
    vats = (Vat("Exempt"), Vat("Inclusive", Decimal("0.25")), Vat("Exclusive", Decimal("0.125")))
    off = (
        None,
        Discount(percentage=Decimal("0.125"), description="x;=1"),
        Discount(amount=Amount(Decimal("0.01"), "DKK")),
    )
    terms = []
    for at, (text, amount, vat) in enumerate(product(texts, amounts, vats)):
        discount = off[at % 3] if Decimal(amount) > 1 else None
        quantity = (None, Decimal("12.50"), Decimal(3))[at % 3]
        rent = a_rent(
            amount=Decimal(amount), vat=vat, description=text or None, discount=discount
        ).evolve(quantity=quantity, id=text or None)
        terms.append(a_lease(rent, lease_id=f"{text}{at}"))
    for policy in POLICIES:
        assert [] == differing(terms, policy)
    assert [] == differing(terms[::9], BillingPolicy(currencies={"FINE": 8}), "FINE")


def test_no_bills_are_no_text() -> None:
    nothing = BillRecordBatches(YEAR)([])

    assert ("", "") == (csv_lines_of(nothing, DEFAULT), json_lines_of(nothing, DEFAULT))
