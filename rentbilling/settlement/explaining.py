"""Why a share is what it is: pool, steps, part, key, days, rounding.

Law: each working is made of what the settlement computed, and leads to the line that it explains.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Final, Literal

from rentbilling.errors import check_word, shown
from rentbilling.explanations import Explanation, Input, Working, operations as op
from rentbilling.settlement.keys import UnitWeight
from rentbilling.settlement.occupancies import Stay
from rentbilling.settlement.sharing import (
    PartShares,
    SettledPool,
    is_rounded_together,
    step_of,
    unit_weight,
    weights_inside,
)
from rentbilling.settlement.statements import Statement
from rentbilling.values import Rounding, minor_units

Language = Literal["en", "da", "de", "nl"]
_LANGUAGES: Final = ("da", "de", "nl")
_OF_AN_ID: Final = ("share of {}", "amount of {}")
_WORDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "share of {}": ("andel af {}", "Anteil an {}", "aandeel in {}"),
        "share by {}": ("andel efter {}", "Anteil nach {}", "aandeel naar {}"),
        "exact share": ("nøjagtig andel", "genauer Anteil", "exact aandeel"),
        "rounded share": ("afrundet andel", "gerundeter Anteil", "afgerond aandeel"),
        "rounded down": ("rundet ned", "abgerundet", "naar beneden afgerond"),
        "rounded price": ("afrundet pris", "gerundeter Preis", "afgeronde prijs"),
        "price of a unit": ("pris for en enhed", "Preis je Einheit", "prijs per eenheid"),
        "value of {}": ("værdi for {}", "Wert für {}", "waarde voor {}"),
        "part by {}": ("del efter {}", "Teil nach {}", "deel naar {}"),
        "exact part": ("nøjagtig del", "genauer Teil", "exact deel"),
        "rest": ("rest", "Rest", "rest"),
        "amount of {}": ("beløb for {}", "Betrag von {}", "bedrag van {}"),
        "amount of the part": ("delens beløb", "Betrag des Teils", "bedrag van het deel"),
        "amount of the period": (
            "beløb for perioden",
            "Betrag des Zeitraums",
            "bedrag van de periode",
        ),
        "share after limits and factors": (
            "andel efter grænser og faktorer",
            "Anteil nach Grenzen und Faktoren",
            "aandeel na grenzen en factoren",
        ),
        "share with input VAT": ("andel med moms", "Anteil mit Vorsteuer", "aandeel met btw"),
        "after {}": ("efter {}", "nach {}", "na {}"),
        "the largest remainders have what is left over": (
            "de største rester får det, der er tilovers",
            "die größten Reste bekommen, was übrig bleibt",
            "de grootste resten krijgen wat overblijft",
        ),
        "area": ("areal", "Fläche", "oppervlakte"),
        "units": ("enheder", "Einheiten", "eenheden"),
        "persons": ("personer", "Personen", "personen"),
        "consumption": ("forbrug", "Verbrauch", "verbruik"),
        "days": ("dage", "Tagen", "dagen"),
        "months": ("måneder", "Monaten", "maanden"),
        "degree_days": ("graddage", "Gradtagen", "graaddagen"),
        "readings": ("aflæsninger", "Ablesungen", "meterstanden"),
        "by_law": ("lovens andel", "gesetzlichem Anteil", "wettelijk deel"),
        "not_recoverable": ("udlejerens del", "Anteil des Vermieters", "deel van de verhuurder"),
        "factor": ("faktor", "Faktor", "factor"),
        "gross_up": ("opregning", "Hochrechnung", "ophoging"),
        "excluded": ("undtagelser", "Ausnahmen", "uitzonderingen"),
        "added": ("tillæg", "Zuschlägen", "toevoegingen"),
        "taken": ("fradrag", "Abzügen", "aftrek"),
        "ceiling": ("loft", "Höchstbetrag", "maximum"),
        "base": ("basisbeløb", "Grundbetrag", "basisbedrag"),
        "zero_floor": ("bund ved 0", "Untergrenze 0", "ondergrens 0"),
        "fee": ("gebyr", "Gebühr", "vergoeding"),
    }
)
"""Words of explanations in Danish, German and Dutch; names of the caller stay as they are."""


def _said(language: Language, words: str, name: str = "") -> str:
    """Return words of an explanation, perhaps with a name, in a language (A95)."""
    at = _LANGUAGES.index(language) if language in _LANGUAGES else -1
    if words not in _OF_AN_ID and name in _WORDS:
        name = name.replace("_", " ") if at < 0 else _WORDS[name][at]
    return (words if at < 0 else _WORDS[words][at]).format(name)


def explain_statement(
    statement: Statement, pool_id: str | None = None, *, language: Language = "en"
) -> Explanation:
    """Return the workings of a statement's lines, or of those of one pool.

    Raises:
        UnknownWordError: There are no words of the language.
        TypeError: `statement` is none.

    Examples:
        >>> from rentbilling import Amount
        >>> from rentbilling.settlement import (
        ...     CostPool, Occupancy, PoolPart, Settlement, SettlementUnit, settle)
        >>> result = settle(Settlement(
        ...     period="2025",
        ...     currency="EUR",
        ...     pools=[CostPool(id="tax", amount=Amount(100, "EUR"), parts=[PoolPart(key="area")])],
        ...     units=[SettlementUnit(id="a", values={"area": 60}),
        ...            SettlementUnit(id="b", values={"area": 30})],
        ...     occupancies=[Occupancy(id="t", unit="a")],
        ... ))
        >>> print(explain_statement(result[0]))
        share of tax: 66.67 EUR = 66.66 + 0.01; the largest remainders have what is left over [A79]
          rounded down: 66.66 EUR = 66.6666… rounded down to 0.01 [A79]
            exact share: 200/3 (66.6666…) = 100.00 × (2/3) [A77]
              amount of tax: 100.00 EUR [A74]
              share by area: 2/3 (0.6666…) = 60 / 90 [A77]
    """
    if not isinstance(statement, Statement):
        takes = "explain_statement takes a statement, such as result.of('Olsen')"
        raise TypeError(f"{takes}, not {shown(statement)}")
    known = ("en", *_LANGUAGES)
    said = "has no words of explanations"
    check_word("language", language, known, said, expected=", ".join(known))
    lines = (
        _Line(statement, settled, stay, language).working
        for stay in statement.stays
        for settled in statement.pools
        if pool_id in (None, settled.pool.id)
        and any(stay.at in each.shares for each in settled.parts)
    )
    return Explanation(lines)


class _Line:
    """The working of what one stay bears of a pool."""

    def __init__(
        self, statement: Statement, settled: SettledPool, stay: Stay, language: Language
    ) -> None:
        self._said = partial(_said, language)
        self._policy = statement.house.policy
        currency = statement.house.settlement.currency
        self._coin = op.Coin(currency, minor_units(currency))
        self._step = step_of(self._policy, self._coin.places)
        self._settled, self._stay = settled, stay
        self._period = statement.house.settlement.period
        self._share = self._said("share of {}", settled.pool.id)

    def _main(self, units: Fraction | int) -> Fraction:
        return Fraction(units, 10**self._coin.places)

    @property
    def working(self) -> Working:
        """The whole working."""
        settled, at, coin = self._settled, self._stay.at, self._coin
        inner = [(each.part.key, self._part(each)) for each in settled.parts if at in each.shares]
        found = inner[0][1]
        if len(inner) > 1:
            found = coin.whole(op.total(self._share, "A79", *inner))
        if at in settled.before:
            cuts = [(why, coin.of_units(cut)) for why, cut in settled.cuts[at].items()]
            label = self._said("share after limits and factors")
            found = coin.whole(op.difference(label, "A89", ("share", found), *cuts))
        vat = settled.vat.get(at)
        if vat:
            inputs = ("share", found), ("input VAT", coin.of_units(vat))
            found = coin.whole(op.total(self._said("share with input VAT"), "A81", *inputs))
        return found

    def _part(self, each: PartShares) -> Working:
        found = unit_weight(each.weights, self._stay)
        assert found is not None  # noqa: S101 - a stay with a share is in a unit of the part
        unit, at = found
        amount = self._part_amount(each)
        if not is_rounded_together(self._policy):
            return self._single(each, amount, unit, at)
        key = self._quotient(
            self._said("share by {}", each.part.key), unit.value, each.weights.denominator
        )
        own = each.shares[self._stay.at]
        of_unit = self._product(amount, key)
        if len(unit.stays) == 1 and not unit.left:
            return self._left_over(self._share, of_unit, own)
        label = self._said("share of {}", unit.unit)
        whole = self._left_over(label, of_unit, each.of_unit[unit.unit])
        return self._left_over(self._share, self._product(whole, self._time(each, unit, at)), own)

    def _time(self, each: PartShares, unit: UnitWeight, at: int) -> Working:
        """Return what a stay has of the days of its unit, or of what else divides it."""
        weights, label = weights_inside(unit), self._said("share by {}", each.part.time_weight)
        return self._quotient(label, weights[at], sum(weights), "A76")

    def _single(self, each: PartShares, amount: Working, unit: UnitWeight, at: int) -> Working:
        """Return a share that is rounded by itself."""
        policy, label = self._policy, self._said("value of {}", each.part.key)
        value = op.product(label, "A77", value=unit.value, share=self._time(each, unit, at))
        if policy.percent_places is not None:
            key = self._quotient(
                self._said("share by {}", each.part.key), value, each.weights.denominator
            )
            fine = Fraction(1, 10 ** (policy.percent_places + 2))
            exact = self._product(amount, self._rounded(self._said("rounded share"), key, fine))
        else:
            price = self._quotient(self._said("price of a unit"), amount, each.weights.denominator)
            if policy.unit_price_places is not None:
                fine = Fraction(1, 10**policy.unit_price_places)
                price = self._rounded(self._said("rounded price"), price, fine)
            exact = self._product(price, value)
        mode: Rounding = "down" if policy.rounding == "down" else "half_up"
        return self._rounded(self._share, exact, self._main(self._step), mode)

    # --- The amount that is shared ----------------------------------------------------------------

    def _part_amount(self, each: PartShares) -> Working:
        shared, part = self._shared(), each.part
        if len(self._settled.parts) == 1:
            exact = shared
        elif part.amount is not None:
            exact = op.stated(self._said("amount of the part"), part.amount, "A74")
        elif part.fraction is not None:
            exact = self._product(shared, part.fraction, self._said("exact part"))
        else:
            others = [
                (other.part.key, self._coin.amount(self._main(other.exact)))
                for other in self._settled.parts
                if other is not each
            ]
            rest = op.difference(self._said("rest"), "A74", ("shared", shared), *others)
            exact = self._coin.whole(rest)
        return self._left_over(self._said("part by {}", part.key), exact, each.amount, step=1)

    def _shared(self) -> Working:
        """Return the working of what is shared, step by step (A80)."""
        pool, expenses = self._settled.pool, self._settled.expenses
        found = op.stated(self._said("amount of {}", pool.id), pool.amount, "A74")
        if pool.incurred is not None:
            inside = pool.incurred.intersection(self._period)
            label = self._said("share by {}", "days")
            days = self._quotient(label, inside.days if inside else 0, pool.incurred.days)
            exact = self._product(found, days)
            found = self._rounded(self._said("amount of the period"), exact, self._main(1))
        for name, before, after in expenses.steps:
            left = self._coin.amount(self._main(before - after))
            label = self._said("after {}", name)
            found = self._coin.whole(op.difference(label, "A80", amount=found, landlord=left))
        return found

    # --- Steps ------------------------------------------------------------------------------------

    def _left_over(self, label: str, exact: Working, units: int, *, step: int = 0) -> Working:
        """Return an exact amount rounded down, and the units left over that it has (A79)."""
        wanted = self._main(units)
        if op.number_of(exact) == wanted:
            return exact
        size = self._main(step or self._step)
        down = self._rounded(self._said("rounded down"), exact, size, "down")
        more = self._coin.amount(wanted - op.number_of(down))
        note = self._said("the largest remainders have what is left over")
        return self._coin.whole(
            op.total(label, "A79", rounded_down=down, left_over=more, note=note)
        )

    def _rounded(
        self, label: str, exact: Working, step: Fraction, mode: Rounding = "half_up"
    ) -> Working:
        return self._coin.whole(op.rounded(label, "A79", step, mode, exact=exact))

    def _product(self, one: Working, other: Input, label: str = "") -> Working:
        label = label or self._said("exact share")
        return self._coin.whole(op.product(label, "A77", amount=one, share=other))

    def _quotient(self, label: str, one: Input, other: Input, rule: str = "A77") -> Working:
        return op.quotient(label, rule, value=one, of=other)
