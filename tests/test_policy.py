"""A policy checks itself, compares, and has a fingerprint that nothing changes silently (A59)."""

import pickle
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final, cast

import pytest

from rentbilling.errors import InvalidPolicyError
from rentbilling.policy import DEFAULT, BillingPolicy, policy_of
from tests.support.refusals import faults
from tests.support.rows import rows

D = Decimal
NEW_YEAR, CHRISTMAS = date(2026, 1, 1), date(2026, 12, 25)
FULL: Final = BillingPolicy(
    rounding="half_even",
    currencies={"PTS": 0, "KRO": 1},
    period_end="excluded",
    business_day="modified_following",
    holidays=frozenset({CHRISTMAS, NEW_YEAR}),
    select="accounting_period",
    mid_period_change="next_period",
    part_period="thirty_day",
    discount_end="whole_period",
    discount_opening=True,
    vat_day="period_end",
    vat_rounding="per_line",
    cash_rounding={"DKK": D("0.50"), "PTS": D(5)},
    by_product={"key:parking": BillingPolicy(part_period="full", rounding="up")},
    max_lines=500,
)
"""A policy in which every field says something else than by default."""

FULL_DATA: Final = {
    "version": 1,
    "rounding": "half_even",
    "currencies": {"PTS": 0, "KRO": 1},
    "periodEnd": "excluded",
    "businessDay": "modified_following",
    "holidays": ["2026-01-01", "2026-12-25"],
    "select": "accounting_period",
    "midPeriodChange": "next_period",
    "partPeriod": "thirty_day",
    "discountEnd": "whole_period",
    "discountOpening": True,
    "vatDay": "period_end",
    "vatRounding": "per_line",
    "cashRounding": {"DKK": D("0.50"), "PTS": D(5)},
    "byProduct": {"key:parking": {"version": 1, "rounding": "up", "partPeriod": "full"}},
    "maxLines": 500,
}


class Weekdays:
    """A container of days that cannot list them."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __contains__(self, day: object) -> bool:
        return isinstance(day, date) and day.isoweekday() == self._number


class Filling(dict[date, str]):
    """A calendar that knows a year's holidays once one of its days was asked for."""

    def __contains__(self, asked: object) -> bool:
        if isinstance(asked, date):
            self[date(asked.year, 1, 1)] = "New year"
        return super().__contains__(asked)


def of(**fields: Any) -> Callable[[], BillingPolicy]:  # noqa: ANN401
    return lambda: BillingPolicy(**fields)


Refused = tuple[dict[str, Any], list[tuple[str, str]]]


def each(code: str, *fields: dict[str, Any]) -> list[Refused]:
    """Return rows of one field each that is refused with a code, at its own name."""
    return [(one, [(next(iter(one)), code)]) for one in fields]


def inside(name: str, code: str, *values: dict[str, Any]) -> list[Refused]:
    """Return rows of one entry each of a mapping that is refused with a code, at its own key."""
    return [({name: one}, [(f"{name}.{next(iter(one))}", code)]) for one in values]


WORDS = """rounding=bankers period_end=exclude business_day=next select=due mid_period_change=whole
part_period=30/360 discount_end=first_day vat_rounding=per_bill part_period=Full"""
LISTED = [NEW_YEAR, "25.12.2026", datetime(2026, 12, 25, tzinfo=UTC), None]

REFUSED: list[Refused] = [
    # A choice is one of its known words.
    *each(
        "unknown_word",
        *({name: word} for name, _, word in (pair.partition("=") for pair in WORDS.split())),
        {"rounding": None},
        {"select": ["due_date"]},
    ),
    # A field is of its type.
    *each(
        "wrong_value",
        *({"discount_opening": wrong} for wrong in ("yes", 1)),
        *({"max_lines": wrong} for wrong in (0, True, 1000.0)),
        *({"holidays": wrong} for wrong in ("2026-01-01", b"2026-01-01", bytearray(), 5)),
        *({"currencies": wrong} for wrong in ("PTS", {1: 2})),
        {"cash_rounding": D("0.50")},
        {"by_product": [BillingPolicy()]},
    ),
    # A private currency has a whole number of decimals, from 0 to 8 (A2).
    *inside(
        "currencies", "wrong_value", *({"PTS": at} for at in (-1, 9, 1.0, True, "2", None, 20))
    ),
    # Its code has capital letters and digits like those of ISO 4217, and at least one letter (A2).
    *inside("currencies", "wrong_value", *({code: 2} for code in ("pts", "P-S", "PTÆ", "12"))),
    # A cash step is a multiple of the minor unit above 0, exact, and of a known currency (A52).
    *inside(
        "cash_rounding",
        "wrong_value",
        *({"DKK": wrong} for wrong in (D(0), D("-0.50"), D("0.005"), 0.005, "0.005")),
        {"JPY": D("0.50")},
    ),
    *inside("cash_rounding", "not_finite", {"DKK": D("NaN")}),
    *inside("cash_rounding", "too_many_digits", {"DKK": D("1e999999")}),
    *inside("cash_rounding", "not_a_number", {"DKK": True}),
    *inside("cash_rounding", "not_exact", {"DKK": "0,50"}),
    *inside("cash_rounding", "unknown_currency", {"XYZ": D("0.50")}),
    # A step in a currency that is wrong itself is not checked.
    *(
        ({"currencies": wrong, "cash_rounding": {code: 1}}, [(path, "wrong_value")])
        for wrong, code, path in (
            ("PTS", "DKK", "currencies"),
            (None, "DKK", "currencies"),
            ({"PTS": 20}, "PTS", "currencies.PTS"),
            ({"PTS": 10**9}, "PTS", "currencies.PTS"),
        )
    ),
    # A listed holiday that is no day is named by its place; it would never match, and a moment
    # lies on different days in different places (A11, A58).
    *(
        (
            {"holidays": kind(LISTED)},
            [
                ("holidays[1]", "not_a_date"),
                ("holidays[2]", "date_time_for_date"),
                ("holidays[3]", "not_a_date"),
            ],
        )
        for kind in (list, tuple)
    ),
    # A set has no places, and it is not known which day `Christmas` is (A11).
    *each("not_a_date", {"holidays": {"Christmas": 25}}),
    # A bill or an answer has one value of these, so they are set on the bill's own policy (A54).
    *(
        (
            {"by_product": {"key:parking": BillingPolicy(**own)}},
            [(f"by_product.key:parking.{next(iter(own))}", "not_per_product")],
        )
        for own in cast(
            "tuple[dict[str, Any], ...]",
            (
                {"currencies": {"PTS": 2}},
                {"period_end": "excluded"},
                {"select": "accounting_period"},
                {"vat_rounding": "per_line"},
                {"cash_rounding": {"DKK": D("0.50")}},
                {"by_product": {"key:rent": BillingPolicy()}},
                {"max_lines": 5},
            ),
        )
    ),
    # A product has a policy; a dict of its fields is read with `from_data` (A54).
    *inside("by_product", "wrong_value", {"key:parking": {"part_period": "full"}}),
    # Every wrong field is named at once.
    (
        {
            "rounding": "bankers",
            "part_period": "thirty",
            "discount_opening": None,
            "max_lines": -1,
            "holidays": 5,
            "currencies": {"PTS": 20},
            "cash_rounding": {"DKK": D("0.001"), "XYZ": 1},
            "by_product": {
                "key:rent": "full",
                "key:parking": BillingPolicy(select="accounting_period", max_lines=1),
            },
        },
        [
            ("rounding", "unknown_word"),
            ("part_period", "unknown_word"),
            ("discount_opening", "wrong_value"),
            ("max_lines", "wrong_value"),
            ("holidays", "wrong_value"),
            ("currencies.PTS", "wrong_value"),
            ("cash_rounding.DKK", "wrong_value"),
            ("cash_rounding.XYZ", "unknown_currency"),
            ("by_product.key:rent", "wrong_value"),
            ("by_product.key:parking.select", "not_per_product"),
            ("by_product.key:parking.max_lines", "not_per_product"),
        ],
    ),
]


@rows(("fields", "expected"), REFUSED)
def test_a_policy_that_cannot_be_followed_is_refused_when_it_is_created(
    fields: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert expected == faults(of(**fields), InvalidPolicyError)


def test_days_of_a_set_that_are_none_are_named_by_their_texts() -> None:
    """In their order, because a set has no places."""
    assert [("holidays", "'Christmas'"), ("holidays", "'Easter'")] == faults(
        of(holidays={"Easter", "Christmas", "2026-01-01"}), InvalidPolicyError, "path met"
    )


@rows("kind", [list, tuple, set, frozenset])
def test_listed_holidays_are_dates_or_their_texts(kind: type[Any]) -> None:
    """Whatever lists them, and however often; the policy has a set of days (A11)."""
    given = kind(["2026-12-25", CHRISTMAS, "2026-01-01"])

    assert frozenset({CHRISTMAS, NEW_YEAR}) == BillingPolicy(holidays=given).holidays
    assert FULL.evolve(holidays=given).fingerprint == FULL.fingerprint


def test_another_container_of_days_is_asked_day_by_day() -> None:
    """The policy has the container itself, because it may know days that it cannot list (A11)."""
    wednesdays = Weekdays(3)

    assert wednesdays is BillingPolicy(holidays=wednesdays).holidays


@rows(("given", "step"), [(1, "1"), (0.5, "0.5"), ("0.50", "0.50")])
def test_a_cash_step_is_a_number_of_any_kind(given: object, step: str) -> None:
    """It becomes a decimal number like all others (A1, A52)."""
    policy = BillingPolicy(cash_rounding={"DKK": given})  # type: ignore[dict-item]

    assert {"DKK": f"Decimal('{step}')"} == {
        code: repr(each) for code, each in policy.cash_rounding.items()
    }


def test_a_private_currency_has_a_cash_step_too() -> None:
    """In its own minor units (A2, A52)."""
    policy = BillingPolicy(currencies={"PTS": 1}, cash_rounding={"PTS": D("0.5")})

    assert D("0.5") == policy.cash_rounding["PTS"]


EQUAL: list[tuple[BillingPolicy, BillingPolicy]] = [
    (FULL, FULL.evolve(cash_rounding={"PTS": D("5.0"), "DKK": D("0.5")})),
    (FULL, FULL.evolve(holidays={NEW_YEAR, CHRISTMAS})),
    (FULL, pickle.loads(pickle.dumps(FULL))),
    (FULL, FULL.evolve(rounding="down").evolve(rounding="half_even")),
    (FULL, BillingPolicy.from_data(FULL.to_data())),
    (BillingPolicy(), pickle.loads(pickle.dumps(BillingPolicy()))),
    (BillingPolicy(), BillingPolicy(holidays=cast("Any", []))),
    (BillingPolicy(), BillingPolicy(rounding="half_up", currencies={}, holidays=set())),
    # Null and absent read alike (A6).
    (
        BillingPolicy(),
        BillingPolicy.from_data({"rounding": None, "holidays": None, "maxLines": None}),
    ),
]


@rows(("policy", "same"), EQUAL)
def test_equal_fields_make_equal_policies(policy: BillingPolicy, same: BillingPolicy) -> None:
    """0.5 is 0.50, a set is a frozenset; they hash alike and share a fingerprint (A59)."""
    assert policy is not same
    assert (True, hash(policy), policy.fingerprint) == (
        same == policy,
        hash(same),
        same.fingerprint,
    )


@rows(
    "changes",
    [
        {"rounding": "up"},
        {"currencies": {}, "cash_rounding": {}},
        {"period_end": "included"},
        {"business_day": "none"},
        {"holidays": frozenset()},
        {"select": "due_date"},
        {"mid_period_change": "split"},
        {"part_period": "full"},
        {"discount_end": "last_day"},
        {"discount_opening": False},
        {"vat_rounding": "per_rate"},
        {"cash_rounding": {"DKK": D(1)}},
        {"by_product": {}},
        {"by_product": {"key:parking": BillingPolicy(part_period="full")}},
        {"max_lines": 501},
    ],
)
def test_every_field_makes_a_difference(changes: dict[str, Any]) -> None:
    """To equality and to the fingerprint (A59)."""
    other = FULL.evolve(**changes)

    assert (False, False) == (other == FULL, other.fingerprint == FULL.fingerprint)


def test_a_policy_is_not_its_data() -> None:
    assert BillingPolicy() != {"version": 1}


@rows("name", ["rounding", "max_lines", "holidays", "note"])
def test_a_policy_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(BillingPolicy(), name, "up")


@rows("name", ["currencies", "cash_rounding", "by_product"])
def test_its_mappings_cannot_be_changed(name: str) -> None:
    with pytest.raises(TypeError):
        getattr(FULL, name)["DKK"] = 1


def test_what_is_listed_is_the_policys_own() -> None:
    """A change of the caller's list changes neither the policy nor its fingerprint (A59)."""
    mine, private = {NEW_YEAR}, {"PTS": 2}
    policy = BillingPolicy(holidays=mine, currencies=private)
    before = policy.fingerprint

    mine.add(CHRISTMAS)
    private["PTS"] = 0

    assert {"PTS": 2} == policy.currencies
    same = BillingPolicy(holidays=[NEW_YEAR], currencies={"PTS": 2})
    assert (before, True) == (policy.evolve().fingerprint, policy == same)


def test_only_the_named_fields_of_a_policy_evolve() -> None:
    """It is checked again, and there are no other fields."""
    assert "down" == FULL.evolve(rounding="down").rounding
    with pytest.raises(InvalidPolicyError):
        FULL.evolve(max_lines=0)
    with pytest.raises(InvalidPolicyError, match="expected a known field, such as rounding"):
        FULL.evolve(round_up=True)


@rows(("product", "expected"), [("key:parking", "full"), ("key:rent", "thirty_day")])
def test_a_product_follows_its_own_policy_and_others_that_of_the_bill(
    product: str, expected: str
) -> None:
    """It is found by its key (A54)."""
    assert expected == FULL.for_product(product).part_period


@rows(
    ("policy", "fingerprint"),
    [(BillingPolicy(), "c3aa9744214caf6e"), (FULL, "849294497233a1d4")],
    ids=["default", "every field"],
)
def test_a_policy_has_the_same_fingerprint_in_every_release(
    policy: BillingPolicy, fingerprint: str
) -> None:
    """If this fails, every stored result seems to come from another policy (A59)."""
    assert fingerprint == policy.fingerprint


def test_holidays_that_cannot_be_listed_have_no_fingerprint() -> None:
    """A bill can be computed with them, but later it is not known with which (A11)."""
    policy = BillingPolicy(holidays=Weekdays(3))

    assert [("holidays", "not_listable")] == faults(lambda: policy.fingerprint, InvalidPolicyError)
    assert date(2026, 1, 7) in policy.holidays


def test_a_calendar_that_lists_its_days_has_a_fingerprint() -> None:
    """The same as a set of them: what is listed counts, once each (A59)."""
    names = {CHRISTMAS: "Christmas", NEW_YEAR: "New year"}

    assert FULL.fingerprint == FULL.evolve(holidays=names).fingerprint


def test_a_calendar_that_fills_itself_has_no_fingerprint() -> None:
    """It would be another one after each bill; as a set of its days it has one (A59)."""
    policy = BillingPolicy(holidays=cast("Any", Filling()))

    assert [("holidays", "not_listable")] == faults(policy.to_data, InvalidPolicyError)
    assert NEW_YEAR in policy.holidays
    assert BillingPolicy(holidays={NEW_YEAR}).fingerprint


@rows(("policy", "data"), [(BillingPolicy(), {"version": 1}), (FULL, FULL_DATA)])
def test_data_are_the_version_and_what_is_not_the_default(
    policy: BillingPolicy, data: dict[str, Any]
) -> None:
    """Every field under its name on the wire (A59)."""
    assert data == policy.to_data()


def nested(depth: int) -> dict[str, Any]:
    """Return the data of a policy whose product has a policy of products, so deep."""
    inner: dict[str, Any] = {"partPeriod": "full"}
    for _ in range(depth):
        inner = {"byProduct": {"key:a": inner}}
    return inner


REFUSED_DATA: list[tuple[str, Any, list[tuple[str, str]]]] = [
    ("None", None, [("", "not_an_object")]),
    ("a list", [], [("", "not_an_object")]),
    ("a text", "default", [("", "not_an_object")]),
    ("a number", 1, [("", "not_an_object")]),
    # The same words might mean something else in another version (A59).
    *(
        (f"version {data!r}", {"version": data}, [("version", "unknown_version")])
        for data in (0, 2, "1", True)
    ),
    *(
        (f"field {name!r}", {name: "per_line"}, [(str(name), "unknown_field")])
        for name in ("round", "vat_rounding", "VatRounding", 5)
    ),
    # A wrong field is named as on the wire.
    *(
        (str(data), data, expected)
        for data, expected in cast(
            "list[tuple[Any, list[tuple[str, str]]]]",
            [
                ({"vatRounding": "per_bill"}, [("vatRounding", "unknown_word")]),
                ({"maxLines": 0}, [("maxLines", "wrong_value")]),
                ({"holidays": "2026-01-01"}, [("holidays", "wrong_value")]),
                (
                    {"holidays": ["2026-13-01", "2026-01-01", 5]},
                    [("holidays[0]", "not_a_date"), ("holidays[2]", "not_a_date")],
                ),
                ({"currencies": ["PTS"]}, [("currencies", "wrong_value")]),
                ({"currencies": {"PTS": 20}}, [("currencies.PTS", "wrong_value")]),
                ({"cashRounding": 1}, [("cashRounding", "wrong_value")]),
                ({"cashRounding": {"DKK": "0.5"}}, [("cashRounding.DKK", "not_a_number")]),
                ({"cashRounding": {"DKK": D("0.001")}}, [("cashRounding.DKK", "wrong_value")]),
                ({"byProduct": ["full"]}, [("byProduct", "wrong_value")]),
                ({"byProduct": {"key:rent": 1}}, [("byProduct.key:rent", "not_an_object")]),
                (
                    {"byProduct": {"key:rent": {"version": 2, "partPeriod": "all"}}},
                    [
                        ("byProduct.key:rent.version", "unknown_version"),
                        ("byProduct.key:rent.partPeriod", "unknown_word"),
                    ],
                ),
                # Also where the product's key has dots (A54).
                (
                    {"byProduct": {"key.of.rent": {"maxLines": 5, "vatRounding": "per_line"}}},
                    [
                        ("byProduct.key.of.rent.vatRounding", "not_per_product"),
                        ("byProduct.key.of.rent.maxLines", "not_per_product"),
                    ],
                ),
            ],
        )
    ),
    # However deep a product's policy goes; what else is wrong with it is named too (A54).
    *(
        (
            f"{depth} deep",
            {"byProduct": {"key:rent": {**nested(depth), "rounding": "bankers"}}},
            [
                ("byProduct.key:rent.byProduct", "not_per_product"),
                ("byProduct.key:rent.rounding", "unknown_word"),
            ],
        )
        for depth in (1, 100_000)
    ),
    (
        "every wrong field at once",
        {
            "version": 3,
            "colour": "red",
            "holidays": ["Christmas"],
            "partPeriod": "all",
            "maxLines": -1,
        },
        [
            ("version", "unknown_version"),
            ("colour", "unknown_field"),
            ("holidays[0]", "not_a_date"),
            ("partPeriod", "unknown_word"),
            ("maxLines", "wrong_value"),
        ],
    ),
]


@rows(("data", "expected"), [row[1:] for row in REFUSED_DATA], ids=[row[0] for row in REFUSED_DATA])
def test_data_that_are_no_policy_are_refused(data: object, expected: list[tuple[str, str]]) -> None:
    assert expected == faults(lambda: BillingPolicy.from_data(data), InvalidPolicyError)


@rows(("given", "policy"), [(None, DEFAULT), (FULL, FULL)])
def test_a_call_has_the_policy_that_it_was_given_or_the_default_one(
    given: BillingPolicy | None, policy: BillingPolicy
) -> None:
    assert policy is policy_of(given)


@rows("given", [{}, "", 0, False, "thirty_day", {"rounding": "up"}, BillingPolicy])
def test_a_call_takes_a_policy_and_nothing_else(given: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match="a policy is a BillingPolicy or None, not ") as caught:
        policy_of(given)

    said, _, hint = str(caught.value).partition("; ")
    assert said.endswith(repr(given))
    assert ("BillingPolicy.from_data makes one of data" if isinstance(given, dict) else "") == hint


SHOWN: Final = [
    (BillingPolicy(), "BillingPolicy()", "the default policy"),
    (
        BillingPolicy(
            cash_rounding={"DKK": "0.50"},
            holidays=["2026-12-26", "2026-12-25"],
            by_product={"key:parking": BillingPolicy(part_period="full", rounding="up")},
            discount_opening=True,
        ),
        """BillingPolicy(holidays=['2026-12-25', '2026-12-26'], discount_opening=True, \
cash_rounding={'DKK': Decimal('0.50')}, \
by_product={'key:parking': BillingPolicy(rounding='up', part_period='full')})""",
        """holidays: 2026-12-25, 2026-12-26
discount_opening: True (default False)
cash_rounding: DKK: 0.50
by_product: key:parking: rounding: up (default half_up), part_period: full (default actual_days)""",
    ),
]


@rows(("policy", "call", "text"), SHOWN, ids=["default", "changed"])
def test_a_policy_is_shown_by_what_it_changes(policy: BillingPolicy, call: str, text: str) -> None:
    assert (call, text) == (repr(policy), str(policy))
    assert policy == eval(call)  # noqa: S307 - the call that it says


def test_many_holidays_are_counted_in_print() -> None:
    days = [f"2026-{month:02d}-01" for month in range(1, 13)]

    assert "holidays: 12 days, 2026-01-01 to 2026-12-01" == str(BillingPolicy(holidays=days))
