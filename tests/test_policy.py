"""A policy checks itself, compares, and has a fingerprint that nothing changes silently (A59)."""

import pickle
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final, cast

import pytest

from rentbilling.errors import InvalidPolicyError
from rentbilling.policy import DEFAULT, BillingPolicy, policy_of

FULL: Final = BillingPolicy(
    rounding="half_even",
    currencies={"PTS": 0, "KRO": 1},
    period_end="excluded",
    business_day="modified_following",
    holidays=frozenset({date(2026, 12, 25), date(2026, 1, 1)}),
    select="accounting_period",
    mid_period_change="next_period",
    part_period="thirty_day",
    discount_end="whole_period",
    discount_opening=True,
    vat_rounding="per_line",
    cash_rounding={"DKK": Decimal("0.50"), "PTS": Decimal(5)},
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
    "vatRounding": "per_line",
    "cashRounding": {"DKK": Decimal("0.50"), "PTS": Decimal(5)},
    "byProduct": {"key:parking": {"version": 1, "rounding": "up", "partPeriod": "full"}},
    "maxLines": 500,
}


class Weekdays:
    """A container of days that cannot list them."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __contains__(self, day: object) -> bool:
        return isinstance(day, date) and day.isoweekday() == self._number


def refusal(**fields: object) -> list[tuple[str, str]]:
    with pytest.raises(InvalidPolicyError) as caught:
        BillingPolicy(**cast("dict[str, Any]", fields))
    return [(problem.path, problem.code) for problem in caught.value.problems]


def data_refusal(data: object) -> list[tuple[str, str]]:
    """Return which fields of a policy's data are refused, and with which codes."""
    with pytest.raises(InvalidPolicyError) as caught:
        BillingPolicy.from_data(data)
    return [(problem.path, problem.code) for problem in caught.value.problems]


class Filling(dict[date, str]):
    """A calendar that knows a year's holidays once one of its days was asked for."""

    def __contains__(self, asked: object) -> bool:
        if isinstance(asked, date):
            self[date(asked.year, 1, 1)] = "New year"
        return super().__contains__(asked)


class TestChecks:
    """A policy that cannot be followed is refused when it is made."""

    @pytest.mark.parametrize(
        ("name", "word"),
        [
            ("rounding", "bankers"),
            ("period_end", "exclude"),
            ("business_day", "next"),
            ("select", "due"),
            ("mid_period_change", "whole"),
            ("part_period", "30/360"),
            ("discount_end", "first_day"),
            ("vat_rounding", "per_bill"),
            ("part_period", "Full"),
            ("rounding", None),
            ("select", ["due_date"]),
        ],
    )
    def test_a_choice_is_one_of_its_known_words(self, name: str, word: object) -> None:
        assert [(name, "unknown_word")] == refusal(**{name: word})

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("discount_opening", "yes"),
            ("discount_opening", 1),
            ("max_lines", 0),
            ("max_lines", True),
            ("max_lines", 1000.0),
            ("holidays", "2026-01-01"),
            ("holidays", b"2026-01-01"),
            ("holidays", bytearray()),
            ("holidays", 5),
            ("currencies", "PTS"),
            ("currencies", {1: 2}),
            ("cash_rounding", Decimal("0.50")),
            ("by_product", [BillingPolicy()]),
        ],
    )
    def test_a_field_has_its_shape(self, name: str, value: object) -> None:
        assert [(name, "wrong_value")] == refusal(**{name: value})

    @pytest.mark.parametrize("kind", [list, tuple, set, frozenset])
    def test_listed_holidays_are_dates_or_their_texts(self, kind: type[Any]) -> None:
        """Whatever lists them, and however often; they are kept as a set of days (A11)."""
        christmas = date(2026, 12, 25)
        given = kind(["2026-12-25", christmas, "2026-01-01"])

        policy = BillingPolicy(holidays=given)

        assert frozenset({christmas, date(2026, 1, 1)}) == policy.holidays
        assert FULL.evolve(holidays=given).fingerprint == FULL.fingerprint

    @pytest.mark.parametrize("kind", [list, tuple])
    def test_a_listed_holiday_that_is_no_day_is_named_by_its_place(self, kind: type[Any]) -> None:
        """It would never match; a moment lies on different days in different places (A11, A58)."""
        given = kind([date(2026, 1, 1), "25.12.2026", datetime(2026, 12, 25, tzinfo=UTC), None])

        assert [
            ("holidays[1]", "not_a_date"),
            ("holidays[2]", "date_time_for_date"),
            ("holidays[3]", "not_a_date"),
        ] == refusal(holidays=given)

    def test_a_set_has_no_places(self) -> None:
        with pytest.raises(InvalidPolicyError) as caught:
            BillingPolicy(holidays=cast("Any", {"Easter", "Christmas", "2026-01-01"}))

        assert [("holidays", "'Christmas'"), ("holidays", "'Easter'")] == [
            (problem.path, problem.met) for problem in caught.value.problems
        ]

    def test_another_container_of_days_is_asked_day_by_day(self) -> None:
        """It is kept as it is, because it may know days that it cannot list (A11)."""
        wednesdays = Weekdays(3)

        assert wednesdays is BillingPolicy(holidays=wednesdays).holidays

    @pytest.mark.parametrize("places", [-1, 9, 1.0, True, "2", None], ids=repr)
    def test_a_private_currency_has_0_to_8_decimals(self, places: object) -> None:
        """A whole number of them (A2)."""
        assert [("currencies.PTS", "wrong_value")] == refusal(currencies={"PTS": places})

    @pytest.mark.parametrize(
        ("code", "step", "expected"),
        [
            ("DKK", Decimal(0), "wrong_value"),
            ("DKK", Decimal("-0.50"), "wrong_value"),
            ("DKK", Decimal("0.005"), "wrong_value"),
            ("JPY", Decimal("0.50"), "wrong_value"),
            ("DKK", 0.5, "wrong_value"),
            ("DKK", "0.50", "wrong_value"),
            ("DKK", Decimal("NaN"), "not_finite"),
            ("DKK", Decimal("1e999999"), "too_many_digits"),
            ("DKK", True, "not_a_number"),
            ("XYZ", Decimal("0.50"), "unknown_currency"),
        ],
    )
    def test_a_cash_step_is_a_multiple_of_the_minor_unit(
        self, code: str, step: object, expected: str
    ) -> None:
        """Above 0, exact, and of a known currency (A52)."""
        assert [(f"cash_rounding.{code}", expected)] == refusal(cash_rounding={code: step})

    @pytest.mark.parametrize("currencies", ["PTS", None, {"PTS": 20}, {"PTS": 10**9}], ids=repr)
    def test_a_cash_step_in_a_currency_that_is_wrong_itself_is_not_judged(
        self, currencies: object
    ) -> None:
        (code, *_) = currencies if isinstance(currencies, dict) else ["DKK"]
        path = f"currencies.{code}" if isinstance(currencies, dict) else "currencies"

        assert [(path, "wrong_value")] == refusal(currencies=currencies, cash_rounding={code: 1})

    def test_a_whole_cash_step_may_be_an_int(self) -> None:
        """It is kept as a decimal number like all others (A52)."""
        policy = BillingPolicy(cash_rounding={"DKK": 1})  # type: ignore[dict-item]

        assert "{'DKK': Decimal('1')}" == repr(dict(policy.cash_rounding))

    def test_a_private_currency_has_a_cash_step_too(self) -> None:
        """In its own minor units (A2, A52)."""
        policy = BillingPolicy(currencies={"PTS": 1}, cash_rounding={"PTS": Decimal("0.5")})

        assert Decimal("0.5") == policy.cash_rounding["PTS"]

    @pytest.mark.parametrize(
        "own",
        [
            {"currencies": {"PTS": 2}},
            {"period_end": "excluded"},
            {"select": "accounting_period"},
            {"vat_rounding": "per_line"},
            {"cash_rounding": {"DKK": Decimal("0.50")}},
            {"by_product": {"key:rent": BillingPolicy()}},
            {"max_lines": 5},
        ],
        ids=lambda own: next(iter(own)),
    )
    def test_a_product_rules_its_lines_and_not_the_bill(self, own: dict[str, Any]) -> None:
        """What a bill or an answer has one of is set on the bill's own policy (A54)."""
        (name,) = own

        assert [(f"by_product.key:parking.{name}", "not_per_product")] == refusal(
            by_product={"key:parking": BillingPolicy(**own)}
        )

    def test_a_product_has_a_policy_and_no_word(self) -> None:
        """A dict of its fields is read with `from_data` (A54)."""
        assert [("by_product.key:parking", "wrong_value")] == refusal(
            by_product={"key:parking": {"part_period": "full"}}
        )

    def test_every_wrong_field_is_named_at_once(self) -> None:
        assert [
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
        ] == refusal(
            rounding="bankers",
            part_period="thirty",
            discount_opening=None,
            max_lines=-1,
            holidays=5,
            currencies={"PTS": 20},
            cash_rounding={"DKK": Decimal("0.001"), "XYZ": 1},
            by_product={
                "key:rent": "full",
                "key:parking": BillingPolicy(select="accounting_period", max_lines=1),
            },
        )


class TestPoliciesAreValues:
    """Frozen, equal by their fields, hashable, picklable."""

    def test_equal_fields_make_equal_policies(self) -> None:
        """0.5 is 0.50, a set is a frozenset; they hash alike and share a fingerprint (A59)."""
        same = FULL.evolve(
            cash_rounding={"PTS": Decimal("5.0"), "DKK": Decimal("0.5")},
            holidays={date(2026, 1, 1), date(2026, 12, 25)},
        )

        assert (True, hash(FULL), FULL.fingerprint) == (same == FULL, hash(same), same.fingerprint)

    @pytest.mark.parametrize(
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
            {"cash_rounding": {"DKK": Decimal(1)}},
            {"by_product": {}},
            {"by_product": {"key:parking": BillingPolicy(part_period="full")}},
            {"max_lines": 501},
        ],
        ids=str,
    )
    def test_every_field_makes_a_difference(self, changes: dict[str, Any]) -> None:
        """To equality and to the fingerprint (A59)."""
        other = FULL.evolve(**changes)

        assert (False, False) == (other == FULL, other.fingerprint == FULL.fingerprint)

    def test_a_policy_is_no_text(self) -> None:
        assert BillingPolicy() != {"version": 1}

    @pytest.mark.parametrize("name", ["rounding", "max_lines", "holidays", "note"])
    def test_a_policy_cannot_be_changed(self, name: str) -> None:
        with pytest.raises(AttributeError):
            setattr(BillingPolicy(), name, "up")

    @pytest.mark.parametrize("name", ["currencies", "cash_rounding", "by_product"])
    def test_its_mappings_cannot_be_changed(self, name: str) -> None:
        with pytest.raises(TypeError):
            getattr(FULL, name)["DKK"] = 1

    def test_a_mapping_is_the_policys_own(self) -> None:
        private = {"PTS": 2}
        policy = BillingPolicy(currencies=private)

        private["PTS"] = 0

        assert {"PTS": 2} == policy.currencies

    def test_listed_holidays_are_the_policys_own(self) -> None:
        """Adding to the caller's set changes neither the policy nor its fingerprint (A59)."""
        mine = {date(2026, 1, 1)}
        policy = BillingPolicy(holidays=mine)
        before = policy.fingerprint

        mine.add(date(2026, 12, 25))

        same = BillingPolicy(holidays=[date(2026, 1, 1)])
        assert (before, True) == (policy.evolve().fingerprint, policy == same)

    def test_no_holidays_are_the_default_ones(self) -> None:
        assert BillingPolicy() == BillingPolicy(holidays=cast("Any", []))

    @pytest.mark.parametrize("policy", [BillingPolicy(), FULL], ids=["default", "full"])
    def test_a_policy_pickles(self, policy: BillingPolicy) -> None:
        again = pickle.loads(pickle.dumps(policy))

        assert (policy, policy.fingerprint) == (again, again.fingerprint)


class TestEvolve:
    """The same policy with some fields changed, checked again."""

    def test_only_the_named_fields_change(self) -> None:
        other = FULL.evolve(rounding="down")

        assert ("down", FULL) == (other.rounding, other.evolve(rounding="half_even"))

    def test_what_is_wrong_is_refused(self) -> None:
        with pytest.raises(InvalidPolicyError):
            FULL.evolve(max_lines=0)

    def test_a_field_that_does_not_exist_is_a_type_error(self) -> None:
        with pytest.raises(TypeError):
            FULL.evolve(round_up=True)


class TestProducts:
    """A product follows its own policy, all others that of the bill (A54)."""

    @pytest.mark.parametrize(
        ("product", "expected"), [("key:parking", "full"), ("key:rent", "thirty_day")]
    )
    def test_a_product_finds_its_policy(self, product: str, expected: str) -> None:
        """By its key (A54)."""
        assert expected == FULL.for_product(product).part_period


class TestFingerprints:
    """A fingerprint names a policy for good: the same in every release (A59)."""

    def test_the_default_keeps_its_fingerprint(self) -> None:
        """If this fails, every stored result seems to come from another policy (A59)."""
        assert "c3aa9744214caf6e" == BillingPolicy().fingerprint

    def test_a_changed_policy_keeps_its_fingerprint(self) -> None:
        """Every field is in it (A59)."""
        assert "eb8f0bc944965709" == FULL.fingerprint

    def test_a_field_that_says_the_default_changes_nothing(self) -> None:
        said = BillingPolicy(rounding="half_up", currencies={}, holidays=set())

        assert BillingPolicy().fingerprint == said.fingerprint

    def test_holidays_that_cannot_be_listed_have_no_fingerprint(self) -> None:
        """A bill can be computed with them, but nobody could tell later with which (A11)."""
        policy = BillingPolicy(holidays=Weekdays(3))

        with pytest.raises(InvalidPolicyError) as caught:
            _ = policy.fingerprint

        (problem,) = caught.value.problems
        assert ("holidays", "not_listable") == (problem.path, problem.code)
        assert date(2026, 1, 7) in policy.holidays

    def test_a_calendar_that_lists_its_days_has_a_fingerprint(self) -> None:
        """The same as a set of them: what is listed counts, once each (A59)."""
        names = {date(2026, 12, 25): "Christmas", date(2026, 1, 1): "New year"}

        assert FULL.fingerprint == FULL.evolve(holidays=names).fingerprint

    def test_a_calendar_that_lists_other_things_is_refused(self) -> None:
        """Which days they are, nobody can tell (A11)."""
        with pytest.raises(InvalidPolicyError) as caught:
            BillingPolicy(holidays=cast("Any", {"Christmas": 25}))

        (problem,) = caught.value.problems
        assert ("holidays", "not_a_date") == (problem.path, problem.code)

    def test_a_calendar_that_fills_itself_has_no_fingerprint(self) -> None:
        """It would be another one after each bill; as a set of its days it has one (A59)."""
        policy = BillingPolicy(holidays=cast("Any", Filling()))

        with pytest.raises(InvalidPolicyError) as caught:
            policy.to_data()

        assert "not_listable" == caught.value.code
        assert date(2026, 1, 1) in policy.holidays
        assert BillingPolicy(holidays={date(2026, 1, 1)}).fingerprint


class TestData:
    """A policy as plain data: its version and what is not the default (A59)."""

    def test_the_default_is_its_version_alone(self) -> None:
        assert {"version": 1} == BillingPolicy().to_data()

    def test_every_field_is_written_under_its_name_on_the_wire(self) -> None:
        assert FULL_DATA == FULL.to_data()

    def test_what_is_written_reads_back(self) -> None:
        assert FULL == BillingPolicy.from_data(FULL.to_data())

    def test_what_is_absent_or_null_has_its_default(self) -> None:
        """Null and absent read alike (A6)."""
        policy = BillingPolicy.from_data({"rounding": None, "holidays": None, "maxLines": None})

        assert BillingPolicy() == policy

    @pytest.mark.parametrize("data", [None, [], "default", 1], ids=repr)
    def test_what_is_no_object_is_refused(self, data: object) -> None:
        assert [("", "not_an_object")] == data_refusal(data)

    @pytest.mark.parametrize("version", [0, 2, "1", True], ids=repr)
    def test_another_version_is_refused(self, version: object) -> None:
        """The same words might mean something else in it (A59)."""
        assert [("version", "unknown_version")] == data_refusal({"version": version})

    @pytest.mark.parametrize("name", ["round", "vat_rounding", "VatRounding", 5], ids=repr)
    def test_an_unknown_field_is_refused(self, name: object) -> None:
        assert [(str(name), "unknown_field")] == data_refusal({name: "per_line"})

    @pytest.mark.parametrize(
        ("data", "expected"),
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
            ({"cashRounding": {"DKK": Decimal("0.001")}}, [("cashRounding.DKK", "wrong_value")]),
            ({"byProduct": ["full"]}, [("byProduct", "wrong_value")]),
            ({"byProduct": {"key:rent": 1}}, [("byProduct.key:rent", "not_an_object")]),
            (
                {"byProduct": {"key:rent": {"version": 2, "partPeriod": "all"}}},
                [
                    ("byProduct.key:rent.version", "unknown_version"),
                    ("byProduct.key:rent.partPeriod", "unknown_word"),
                ],
            ),
        ],
        ids=str,
    )
    def test_a_wrong_field_is_named_as_on_the_wire(
        self, data: dict[str, Any], expected: list[tuple[str, str]]
    ) -> None:
        assert expected == data_refusal(data)

    @pytest.mark.parametrize("depth", [1, 100_000])
    def test_a_policy_inside_a_product_s_is_refused_unread(self, depth: int) -> None:
        """However deep it goes; what else is wrong with the product's is named too (A54)."""
        inner: dict[str, Any] = {"partPeriod": "full"}
        for _ in range(depth):
            inner = {"byProduct": {"key:a": inner}}

        assert [
            ("byProduct.key:rent.byProduct", "not_per_product"),
            ("byProduct.key:rent.rounding", "unknown_word"),
        ] == data_refusal({"byProduct": {"key:rent": {**inner, "rounding": "bankers"}}})

    def test_a_choice_of_the_whole_bill_is_named_as_on_the_wire(self) -> None:
        """Also where the product's key has dots (A54)."""
        data = {"byProduct": {"key.of.rent": {"maxLines": 5, "vatRounding": "per_line"}}}

        assert [
            ("byProduct.key.of.rent.vatRounding", "not_per_product"),
            ("byProduct.key.of.rent.maxLines", "not_per_product"),
        ] == data_refusal(data)

    def test_every_wrong_field_is_named_at_once(self) -> None:
        assert {
            ("version", "unknown_version"),
            ("colour", "unknown_field"),
            ("holidays[0]", "not_a_date"),
            ("partPeriod", "unknown_word"),
            ("maxLines", "wrong_value"),
        } == set(
            data_refusal(
                {
                    "version": 3,
                    "colour": "red",
                    "holidays": ["Christmas"],
                    "partPeriod": "all",
                    "maxLines": -1,
                }
            )
        )


@pytest.mark.parametrize("code", ["pts", "P-S", "PTÆ", "12"])
def test_a_private_code_has_capital_letters_and_digits_only(code: str) -> None:
    """Like those of ISO 4217, and at least one letter (A2)."""
    assert [(f"currencies.{code}", "wrong_value")] == refusal(currencies={code: 2})


class TestPolicyOfACall:
    """A call has the policy that it was given, or the default one."""

    def test_no_policy_is_the_default_one(self) -> None:
        assert DEFAULT is policy_of(None)

    def test_a_policy_is_taken_as_it_is(self) -> None:
        assert FULL is policy_of(FULL)

    @pytest.mark.parametrize(
        "given", [{}, "", 0, False, "thirty_day", {"rounding": "up"}, BillingPolicy], ids=repr
    )
    def test_nothing_else_is_taken_for_a_policy(self, given: object) -> None:
        with pytest.raises(TypeError, match="a policy is a BillingPolicy or None, not ") as caught:
            policy_of(cast("Any", given))

        assert str(caught.value).endswith(repr(given))
