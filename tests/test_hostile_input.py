"""Payloads of an adversary or of a careless service: refused quickly, in full, at the right place.

The bills here have one line: 8,500 DKK without VAT for February 2026.
"""

import json
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from time import process_time
from types import MappingProxyType
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.checks import BillTable
from rentbilling.errors import CurrencyMismatchError, InvalidPolicyError
from rentbilling.portfolio import TableMapping, bill_portfolio
from rentbilling.settlement import LeaseCeiling, SettlementPolicy
from rentbilling.values import payment_reference
from tests.support.plans import by_index, by_steps, deposit, lease, plan, ruled, step
from tests.support.refusals import faults
from tests.support.rents import amount, day, fee, period, rent
from tests.support.rows import rows

EXCLUDED = rb.BillingPolicy(period_end="excluded")
SECONDS = 2.0
"""More than ten times what the slowest of these takes; what is quadratic takes twenty."""

DKK = {"currency": "DKK", "amount": 8500}
EUROS = {"currency": "EUR", "amount": 8500}
LINE: dict[str, Any] = {
    "productKey": "key:rent",
    "amount": DKK,
    "quantity": 1,
    "unitNetPrice": DKK,
    "netPrice": DKK,
    "vat": {"taxMode": "Exempt"},
    "accountingPeriod": "2026-02-01/2026-02-28",
}
TOTAL = {"vat": {"taxMode": "Exempt"}, "amount": {"currency": "DKK", "amount": 0}}
BILL: dict[str, Any] = {
    "dueDate": "2026-02-01",
    "pendingBillLineItems": [LINE],
    "subtotal": DKK,
    "total": DKK,
    "vatTotals": [TOTAL],
}


def bill_told(bill: dict[str, Any]) -> list[tuple[str, ...]]:
    return faults(lambda: rb.loads(json.dumps({"bills": [bill]}), rb.BillingResult))


def with_strangers(count: int, data: dict[str, Any]) -> dict[str, Any]:
    return {**data, **{f"field{at}": at for at in range(count)}}


def plain(value: Any) -> Any:  # noqa: ANN401
    return json.loads(rb.dumps(value))


HALF = {"currency": "DKK", "amount": 0.005}
"""Half an øre, which cannot be paid."""
IN_A_LINE = "bills[0].pendingBillLineItems[0]"
TWICE = [plain(rent(id="a")), plain(fee(id="b")), plain(rent(id="a")), plain(fee(id="b"))]
CREATED = {"recurringBillItem": {**plain(rent()), "amount": None}, "lease": "a"}
NOTICES = [{}, {"code": "a", "message": "A", "itemId": 5, "facts": {"days": 3}}]


def of_bill(line: Mapping[str, Any] = MappingProxyType({}), **fields: object) -> str:
    """Return the JSON of the bill with other fields, and other fields of its line."""
    return json.dumps({"bills": [{**BILL, "pendingBillLineItems": [{**LINE, **line}], **fields}]})


# fmt: off
REFUSED: list[tuple[str, type[Any], list[tuple[str, str]]]] = [
    # Policies of products of policies of products.
    *(('{"byProduct": {"a": ' * deep + "{}" + "}}" * deep, rb.BillingPolicy, [("", "not_json")])
      for deep in (60, 200, 350, 495)),
    # What is wrong with a bill alone is told without a place.
    (json.dumps({**BILL, "dueDate": "soon"}), rb.PendingBill, [("dueDate", "not_a_date")]),
    # A sum has whole minor units, and so have net prices, VAT totals and their bases; the path
    # leads to the number (A3).
    *((of_bill(**{name: HALF}), rb.BillingResult,
       [(f"bills[0].{name}.amount", "too_many_decimals")])
      for name in ("subtotal", "total", "cashRounding", "payable")),
    (of_bill({"netPrice": HALF}, vatTotals=[{**TOTAL, "amount": HALF, "base": HALF}]),
     rb.BillingResult,
     [(f"{IN_A_LINE}.netPrice.amount", "too_many_decimals"),
      ("bills[0].vatTotals[0].amount.amount", "too_many_decimals"),
      ("bills[0].vatTotals[0].base.amount", "too_many_decimals")]),
    # A line says what a line can say: words from their list, quantities of something, keys that
    # name something (A21).
    *((of_bill({field: value}), rb.BillingResult, [(f"{IN_A_LINE}.{field}", code)])
      for field, value, code in (
        ("kind", "bogus", "unknown_word"),
        ("kind", ["regular"], "unknown_word"),
        ("quantity", 0, "zero_quantity"),
        ("productKey", "", "empty_text"),
        *(("share", share, "not_a_share")
          for share in ("17/", "/31", "17/0", "1/2/3", "9" * 60)))),
    # A notice has a code and a message; a fingerprint is a text.
    (json.dumps({"bills": [], "notices": NOTICES}), rb.BillingResult,
     [("notices[0].code", "missing"), ("notices[0].message", "missing"),
      ("notices[1].facts.days", "not_a_text"), ("notices[1].itemId", "not_a_text")]),
    ('{"bills": [], "policyFingerprint": 5}', rb.BillingResult,
     [("policyFingerprint", "not_a_text")]),
    # Items of a list that share an id are named by their places, not by those of the terms that are
    # made of them (A57).
    (json.dumps(TWICE), rb.LeaseTerms, [("[2].id", "duplicate_id"), ("[3].id", "duplicate_id")]),
    # The body that creates an item tells what is wrong inside and beside it, with paths below the
    # item, which alone has paths of its own (A57).
    (json.dumps(CREATED), rb.LeaseTerms,
     [("lease", "unknown_field"), ("recurringBillItem.amount", "missing")]),
    (json.dumps(CREATED).replace("null", '{"currency": "DKK", "amount": 1}'), rb.LeaseTerms,
     [("lease", "unknown_field")]),
]
# fmt: on


@rows(("text", "into", "found"), REFUSED)
def test_what_is_wrong_is_refused_at_its_place(
    text: str, into: type[Any], found: list[tuple[str, str]]
) -> None:
    assert found == sorted(faults(lambda: rb.loads(text, into)))


class TestMany:
    """The time that a refusal takes grows with the number of problems, not with its square."""

    @pytest.mark.parametrize(
        "into", [rb.OneTimeBillItem, rb.DueDateRule, rb.LeaseTerms, rb.IndexClause]
    )
    def test_every_one_of_8_000_unknown_fields_is_told_at_once(self, into: type[Any]) -> None:
        good: dict[type[Any], Any] = {
            rb.OneTimeBillItem: fee(),
            rb.DueDateRule: rb.DueDateRule(),
            rb.LeaseTerms: rb.LeaseTerms(),
            rb.IndexClause: rb.IndexClause(),
        }
        text = json.dumps(with_strangers(8_000, {**plain(good[into]), "leaseId": "a"}))
        begun = process_time()
        found = faults(lambda: rb.loads(text, into))

        assert process_time() - begun < SECONDS
        assert 8_000 <= len(found)
        assert ("field7999", "unknown_field") == found[-1]

    def test_plans_of_items_that_do_not_exist_are_told_at_once(self) -> None:
        """3,000 of them in a lease of 3,000 items: none lists the ids of all items."""
        items = (rent(),) * 3_000
        plans = (plan(by_index(), adjustee_ref="garage"),) * 3_000
        begun = process_time()
        with pytest.raises(rb.InvalidInputError) as caught:
            rb.LeaseTerms(recurring_bill_items=items, rent_adjustment_plans=plans)

        assert process_time() - begun < SECONDS
        assert 3_000 == len(caught.value.problems)
        assert len(str(caught.value)) < 3_000 * 300

    def test_plans_of_balances_are_matched_at_once(self) -> None:
        """3,000 plans on 3,000 deposits."""
        balances = (deposit(),) * 3_000
        plans = tuple(
            plan(by_index(), adjusts_balance=True, adjustee_ref=f"balance-{at}")
            for at in range(1, 3_001)
        )
        begun = process_time()
        terms = lease(*plans, balances=balances)

        assert process_time() - begun < SECONDS
        assert 3_000 == len(terms.balances)

    def test_unknown_fields_of_an_amount_are_told_at_once(self) -> None:
        item = {**plain(fee()), "amount": with_strangers(8_000, DKK)}
        begun = process_time()
        found = faults(lambda: rb.loads(json.dumps(item), rb.OneTimeBillItem))

        assert process_time() - begun < SECONDS
        assert (8_000, ("amount.field0", "unknown_field")) == (len(found), found[0])

    def test_a_service_may_write_any_number_of_fields_that_we_do_not_know(self) -> None:
        """They are passed over in one go (A50)."""
        text = json.dumps(with_strangers(8_000, plain(fee())))
        begun = process_time()
        found = rb.loads(text, rb.OneTimeBillItem, from_service=True)

        assert process_time() - begun < SECONDS
        assert fee() == found

    def test_a_service_may_write_such_a_field_in_every_item(self) -> None:
        """500 items with a field more each read like 500 items (A50)."""
        items = [{**plain(fee()), "state": "active"} for _ in range(500)]
        begun = process_time()
        found = rb.loads(json.dumps({"oneTimeBillItems": items}), rb.LeaseTerms, from_service=True)

        assert process_time() - begun < SECONDS
        assert rb.LeaseTerms(one_time_bill_items=(fee(),) * 500) == found


class TestDeep:
    """Nesting beyond anything that is meant is refused, and never a failure of Python's own."""

    @rows("deep", [101, 330, 400, 495, 990, 991, 992, 993, 994, 10_000])
    @rows(
        "into",
        [
            rb.LeaseTerms,
            rb.BillingPolicy,
            rb.BillingResult,
            rb.DueDateRule,
            rb.RentAdjustmentPlan,
            rb.AdjustmentResult,
            rb.IndexSeries,
        ],
    )
    def test_a_list_in_a_list_in_a_list_is_refused(self, deep: int, into: type[Any]) -> None:
        text = "[" * deep + "]" * deep

        assert [("", "not_json")] == faults(lambda: rb.loads(text, into))

    def test_a_product_s_own_policy_has_no_products(self) -> None:
        """Shallow ones are refused for what they are (A54)."""
        text = '{"byProduct": {"a": ' * 40 + "{}" + "}}" * 40
        ((code,), *_) = faults(lambda: rb.loads(text, rb.BillingPolicy), InvalidPolicyError, "code")

        assert "not_per_product" == code

    @pytest.mark.parametrize("name", ["unit", "product_key", "amount"])
    def test_a_python_value_of_endless_depth_is_refused(self, name: str) -> None:
        """A list in a list, 100,000 times, cannot even be written down by Python itself."""
        deep: list[Any] = []
        for _ in range(100_000):
            deep = [deep]
        calls: dict[str, Any] = {
            "unit": lambda: rb.BillingCycle(time_unit=deep),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
            "product_key": lambda: fee(product_key=deep),
            "amount": lambda: rb.Amount(deep, "DKK"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        }

        assert [("[" * 59 + "…",)] == faults(calls[name], fields="met")


class TestTheEndOfTime:
    """31 December 9999 means never to many systems; no half-open text can name the day after."""

    FOREVER = fee(accounting_period=period("2026-01-01/9999-12-31"), due_date="2026-01-01")

    def test_such_a_period_is_not_written_a_day_short(self) -> None:
        """It would be read again as one to 30 December; a bill is refused as its item is (A4)."""
        bills = rb.pending_bills(self.FOREVER, "2026-01-01/2026-01-31", policy=EXCLUDED)
        calls: tuple[Any, ...] = (
            lambda: rb.dumps(self.FOREVER, policy=EXCLUDED),
            lambda: rb.dumps(bills),
            lambda: rb.dumps(bills, full=True),
        )

        for call in calls:
            with pytest.raises(rb.UnsupportedCaseError, match="9999-12-31"):
                call()

    def test_the_day_before_is_written_and_read(self) -> None:
        """To 30 December is to the 31st, excluded; with both ends there is a text for all (A4)."""
        long = fee(accounting_period=period("2026-01-01/9999-12-30"))
        text = rb.dumps(long, policy=EXCLUDED)

        assert "2026-01-01/9999-12-31" == json.loads(text)["accountingPeriod"]
        assert long == rb.loads(text, rb.OneTimeBillItem, policy=EXCLUDED)
        assert self.FOREVER == rb.loads(rb.dumps(self.FOREVER), rb.OneTimeBillItem)


@rows(
    ("path", "into"),
    [
        (("amount",), rb.OneTimeBillItem),
        (("vat",), rb.OneTimeBillItem),
        (("recurringBillItems", 0, "amount"), rb.LeaseTerms),
        (("recurringBillItems", 0, "vat"), rb.LeaseTerms),
        (("recurringBillItems", 0, "firstBillingPeriodBillItem", "amount"), rb.LeaseTerms),
        (("recurringBillItems", 0, "billingCycle"), rb.LeaseTerms),
        (("recurringBillItems", 0, "discount"), rb.LeaseTerms),
        (("recurringBillItems", 0, "amountRecords", 0), rb.LeaseTerms),
        (("recurringBillItems", 0, "amountRecords", 0, "value"), rb.LeaseTerms),
        (("rentAdjustmentPlans", 0), rb.LeaseTerms),
        (("rentAdjustmentPlans", 0, "rentAdjustmentRules", 0), rb.LeaseTerms),
        (("rentAdjustmentPlans", 0, "rentAdjustmentRules", 0, "indexClause"), rb.LeaseTerms),
        (("rentAdjustmentPlans", 0, "rentAdjustmentRules", 1, "increments", 0), rb.LeaseTerms),
        (
            ("rentAdjustmentPlans", 0, "rentAdjustmentRules", 1, "increments", 0, "amount"),
            rb.LeaseTerms,
        ),
        (("rentAdjustmentPlans", 0, "adjustments", 0), rb.LeaseTerms),
        (("rentAdjustmentPlans", 0, "adjustments", 0, "toPeriodAmount"), rb.LeaseTerms),
        (("rentAdjustmentPlans", 0, "adjustments", 0, "adjustmentRulesEffects", 0), rb.LeaseTerms),
        (("balances", 0), rb.LeaseTerms),
        (("balances", 0, "amount"), rb.LeaseTerms),
    ],
)
def test_a_service_may_write_more_fields_at_any_place(
    path: tuple[Any, ...], into: type[Any]
) -> None:
    """`{"currency": "DKK", "amount": 1, "formatted": "1 kr"}` is an amount (A50)."""
    given: Any = fee()
    if into is rb.LeaseTerms:
        record: Any = {"value": amount("9000"), "start": "2026-05-01"}
        less = rb.Discount(amount=amount("100"))
        effect = rb.AdjustmentEffect(
            rent_adjustment_rule_id="r", from_year_month=rb.YearMonth(2025, 10)
        )
        made = rb.RentAdjustment(
            adjusted_on=day("2027-01-01"),
            to_period_amount=amount("8600"),
            adjustment_rules_effects=(effect,),
        )
        rules = ruled(share="0.75"), by_steps(step(2028, "100.00"))
        given = rb.LeaseTerms(
            recurring_bill_items=(rent(amount_records=[record], discount=less),),
            rent_adjustment_plans=(plan(*rules, adjustments=(made,)),),
            balances=(deposit(),),
        )
    data = place = plain(given)
    for name in path:
        place = place[name]
    place |= {"formatted": "kr", "tax_Mode": 1, "Amount": None}
    text = json.dumps(data)

    assert given == rb.loads(text, into, from_service=True)
    assert (".formatted", "unknown_field") in {
        (path[path.rindex(".") :], code) for path, code in faults(lambda: rb.loads(text, into))
    }


def test_of_a_field_in_two_spellings_a_service_means_the_one_of_the_wire() -> None:
    """The other is one that we do not know (A50)."""
    data = {"dayOfPeriod": -1, "day_of_period": 5}

    assert rb.DueDateRule(day_of_period=-1) == rb.loads(
        json.dumps(data), rb.DueDateRule, from_service=True
    )


class TestBills:
    """What a bill states is read or refused, and refused where it stands."""

    def test_a_bill_is_read_alone(self) -> None:
        (bill,) = rb.loads(json.dumps({"bills": [BILL]}), rb.BillingResult)

        assert bill == rb.loads(json.dumps(BILL), rb.PendingBill)
        assert bill == rb.loads(rb.dumps(bill), rb.PendingBill)

    def test_every_amount_is_in_the_currency_of_the_total(self) -> None:
        """Each of the others is named, also those that are ours (A2, A52, A56)."""
        bill = {
            **BILL,
            "pendingBillLineItems": [LINE, {**LINE, "netPrice": EUROS, "amount": EUROS}],
            "subtotal": EUROS,
            "vatTotals": [{**TOTAL, "amount": EUROS, "base": EUROS}],
            "cashRounding": EUROS,
            "payable": EUROS,
        }
        paths = (
            "pendingBillLineItems[1].amount",
            "pendingBillLineItems[1].netPrice",
            "subtotal",
            "vatTotals[0].amount",
            "vatTotals[0].base",
            "cashRounding",
            "payable",
        )

        assert [
            (f"bills[1].{path}.currency", "currency_mismatch", "'EUR'", "DKK") for path in paths
        ] == faults(
            lambda: rb.loads(json.dumps({"bills": [BILL, bill]}), rb.BillingResult),
            CurrencyMismatchError,
            "path code met expected",
        )

    @rows("code", ["XYZ", ["DKK"], 5, None])
    def test_amounts_are_not_measured_by_a_total_in_no_currency(self, code: object) -> None:
        ((path, _),) = bill_told({**BILL, "total": {"currency": code, "amount": 8500}})

        assert "bills[0].total.currency" == path

    def test_a_good_notice_is_read(self) -> None:
        notice = {"code": "a", "message": "A", "facts": {"days": "3"}}
        text = json.dumps({"bills": [], "notices": [notice]})

        assert (rb.Notice("a", "A", None, (("days", "3"),)),) == rb.loads(
            text, rb.BillingResult
        ).notices


class TestFingerprints:
    """A result that was read has the fingerprint that was written, and no other (A59)."""

    def test_it_is_kept(self) -> None:
        text = rb.dumps(rb.pending_bills(rent(), "2026-02-01/2026-02-28"), full=True)
        again = rb.loads(text, rb.BillingResult)

        assert (None, rb.BillingPolicy().fingerprint) == (again.policy, again.policy_fingerprint)
        assert text == rb.dumps(again, full=True)

    def test_the_reader_s_own_policy_is_not_claimed(self) -> None:
        text = rb.dumps(rb.pending_bills(rent(), "2026-02-01/2026-02-28"))
        reader = rb.BillingPolicy(rounding="up")

        assert rb.loads(text, rb.BillingResult, policy=reader).policy_fingerprint is None


class TestWrongCalls:
    """A call that no input can make right says so in a sentence, as Python's TypeError."""

    @rows("given", [None, {"productKey": "key:rent"}, 5, ["{}"]])
    def test_json_is_a_text(self, given: Any) -> None:  # noqa: ANN401
        with pytest.raises(TypeError, match=r"str or bytes, not from .*model_validate"):
            rb.loads(given)

    @rows("into", [None, "LeaseTerms", int, rb.Amount, fee()])
    def test_what_is_read_is_a_record_a_policy_or_bills(self, into: Any) -> None:  # noqa: ANN401
        with pytest.raises(TypeError, match="such as LeaseTerms"):
            rb.loads("{}", into)

    @rows("policy", [{}, "", "default", 0, {"rounding": "up"}])
    def test_a_policy_is_a_policy(self, policy: Any) -> None:  # noqa: ANN401
        result = rb.pending_bills(rent(), "2026-02-01/2026-02-28")
        calls: tuple[Any, ...] = (
            lambda: rb.loads("{}", policy=policy),
            lambda: rb.loads('{"bills": []}', rb.BillingResult, policy=policy),
            lambda: rb.loads("{}", rb.BillingPolicy, policy=policy),
            lambda: rb.dumps(rent(), policy=policy),
            lambda: rb.dumps(result, policy=policy),
            lambda: rb.dumps(result[0], policy=policy),
            lambda: rb.dumps(rb.BillingPolicy(), policy=policy),
        )
        for call in calls:
            with pytest.raises(TypeError, match="BillingPolicy"):
                call()


def test_a_sum_too_long_to_be_written_becomes_no_price() -> None:
    """Twice 999,999,999,999,999 is 1,999,999,999,999,998, which has sixteen digits (A1)."""
    most = rb.Amount(999_999_999_999_999, "DKK")

    assert [("amount.amount", "too_many_digits")] == faults(
        lambda: fee().evolve(amount=most + most)
    )


def test_a_sum_of_fifteen_digits_may_have_zeros_behind_them() -> None:
    """1.00 and 99,999,999,999,999 make 100,000,000,000,000.00, which is written as it is (A1)."""
    long = rb.Amount(99_999_999_999_999, "DKK") + rb.Amount(Decimal("1.00"), "DKK")
    item = fee().evolve(amount=long)

    assert (long, item) == (item.amount, rb.loads(rb.dumps(item), rb.OneTimeBillItem))


LONG = 10**5000
"""Python refuses to write so many digits, with an error of its own."""
HUGE = Decimal("1E+999999")
ROW = {"id": "a", "rent": 8500, "start": "2026-01-01"}
ROWS_OF_A_BILL = {
    "due_date": "2026-02-01",
    "currency": "DKK",
    "tax_mode": "Exempt",
    "net_price": 1,
    "period_start": "2026-02-01",
    "period_end": "2026-02-28",
}


def rates(rate: object) -> dict[str, Any]:
    return {**BILL, "vatTotals": [{**TOTAL, "vat": {"taxMode": "Exclusive", "taxRate": rate}}]}


def of_table(**cells: object) -> None:
    mapping = TableMapping({"id": "id"}, {"amount": "rent", "moved_in": "start"}, CURRENCY)
    # By columns a problem of the lease; read one by one it is raised.
    bill_portfolio(mapping.leases([{**ROW, "id": "b"}, {**ROW, **cells}]), "2026-02").to_table()
    list(mapping.leases([{**ROW, **cells}]))


def of_settlement(**choices: object) -> object:
    return SettlementPolicy(**choices)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


CURRENCY = {"currency": "DKK"}
KNOWN = rb.pending_bills(rent(), "2026-02")
TOO_LONG: dict[str, tuple[Any, str, str]] = {
    "a rate that is compared": (
        lambda: rb.compare_bills(KNOWN, rates(LONG)),
        *("actual.vatTotals[0].vat.taxRate", "too_many_digits"),
    ),
    "a rate of an earlier bill": (
        lambda: rb.pending_bills(rent(), "2026-03", already_billed=rates(-LONG)),
        *("already_billed.vatTotals[0].vat.taxRate", "too_many_digits"),
    ),
    "a rate of an item": (
        lambda: rb.LeaseTerms.model_validate(
            {"oneTimeBillItems": [{**plain(fee()), "vat": {"taxMode": "Exempt", "taxRate": LONG}}]}
        ),
        *("oneTimeBillItems[0].vat.taxRate", "too_many_digits"),
    ),
    "a month": (lambda: rb.YearMonth.parse(LONG), "", "not_a_year_month"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    "a VAT": (lambda: rb.Vat.parse("1" * 5000), "vat", "not_a_vat"),
    "a reference": (lambda: payment_reference("fi", LONG), "digits", "bad_reference"),
    **{
        f"{name} of a table, {form}": (
            lambda name=name, value=value: of_table(**{name: value}),
            at,
            code,
        )
        for form, value in {"whole": LONG, "exponent": HUGE, "fraction": Fraction(LONG, 3)}.items()
        for name, at, code in (
            ("rent", "row 0, rent", "too_many_digits not_a_number"),
            ("start", "row 0, start", "not_a_date"),
            ("id", "row 0, id", "not_a_text"),
        )
    },
    "an amount of a vendor's table": (
        lambda: BillTable().bills([{**ROWS_OF_A_BILL, "net_price": LONG}]),
        *("rows[0].net_price", "too_many_digits"),
    ),
    **{
        f"{name} of a settlement": (
            lambda name=name: of_settlement(**{name: 10**6}),
            name,
            "out_of_range",
        )
        for name in ("percent_places", "unit_price_places", "due_days", "due_months", "due_rents")
    },
    "years of growth": (
        lambda: LeaseCeiling(amount=amount("5"), rate="5%", years=10**6),
        *("years", "out_of_range"),
    ),
}


@rows(("call", "path", "code"), TOO_LONG.values(), ids=TOO_LONG)
def test_a_number_of_thousands_of_digits_is_refused(call: Any, path: str, code: str) -> None:  # noqa: ANN401
    """Or one that would make them; with the value met shortened."""
    ((at, found, met),) = faults(call, fields="path code met")

    assert (path, True) == (at, found in code.split())
    assert len(met) <= 60


def test_such_a_rate_is_a_finding_of_a_check() -> None:
    (found,) = rb.check_bill(rates(LONG)).findings

    assert ("vatTotals[0].vat.taxRate", "too_many_digits") == (found.path, found.code)
