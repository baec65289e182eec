"""What is wrong with an index clause: out of range, contradicting itself, or saying nothing (A40).

Law: a refusal names the field, and the other one that it does not go together with.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from rentbilling.errors import Problem, shown
from rentbilling.indices.points import IndexPoint


def clause_problems(parts: Mapping[str, Any], defaults: Mapping[str, Any]) -> Iterator[Problem]:
    """Give everything that is wrong with a clause."""
    yield from _out_of_range(parts)
    yield from _contradictions(parts, defaults)
    yield from _idle(parts, defaults)


_WHOLE: Final = MappingProxyType(
    {
        "lag_months": (0, 120),
        "year_offset": (0, 10),
        "index_quarter": (1, 4),
        "from_lag_months": (1, 1200),
        "mean_of": (1, 120),
        "mean_decimals": (0, 10),
        "interval_years": (1, 100),
        "interval_months": (1, 1200),
        "percentage_decimals": (0, 10),
        "limit_months": (1, 120),
        "pro_rata_months": (1, 120),
    }
)
_NUMBERS: Final = MappingProxyType(
    {
        "threshold": (0, None),
        "share": (0, 10),
        "excess_over": (0, 10),
        "excess_share": (0, 1),
        "surcharge": (-1, 1),
        "indexed_share": (0, 1),
    }
)
_ABOVE_ZERO = ("start_index", "correction_factor", "amount_quantum")
_AMOUNTS_ABOVE_ZERO = ("indexed_amount",)


def camel(name: str) -> str:
    """Return a field's name on the wire."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _out_of_range(parts: Mapping[str, Any]) -> Iterator[Problem]:
    """Find numbers that mean nothing."""
    for name, (least, most) in _WHOLE.items():
        value = parts.get(name)
        if value is not None and not least <= value <= most:
            expected = f"a whole number from {least} to {most}"
            yield Problem(camel(name), "out_of_range", "is out of range", shown(value), expected)
    for name, (least, top) in _NUMBERS.items():
        value = parts.get(name)
        if value is not None and (value < least or (top is not None and value > top)):
            expected = f"{least} or more" if top is None else f"a number from {least} to {top}"
            if name != "share" and (name, parts.get("threshold_unit")) != ("threshold", "points"):
                expected += "; 0.05 is five percent"
            yield Problem(camel(name), "out_of_range", "is out of range", shown(value), expected)
    for name in _ABOVE_ZERO:
        value = parts.get(name)
        if value is not None and value <= 0:
            yield Problem(camel(name), "out_of_range", "is not above 0", shown(value), "above 0")
    for name in _AMOUNTS_ABOVE_ZERO:
        value = parts.get(name)
        if value is not None and value.amount <= 0:
            met = shown(value.amount)
            yield Problem(camel(name), "out_of_range", "is not above 0", met, "above 0")


_EXCLUDE_EACH_OTHER = (
    ("lag_months", "year_offset"),
    ("interval_years", "interval_months"),
    ("indexed_share", "indexed_amount"),
    ("index_quarter", "lag_months"),
)


_ONLY_WITH: Final = MappingProxyType(
    {
        "lag_months": ("month", "quarter"),
        "year_offset": ("month", "quarter", "year_mean"),
        "index_quarter": ("quarter",),
        "from_lag_months": ("month",),
    }
)
"""References with which a field means something."""


_WORDS_EXCLUDE: Final = (
    ("combine", "sum", ("indexed_share", "indexed_amount", "after_limit")),
    (
        "mean_of_what",
        "changes",
        ("start_point", "from_lag_months", "mean_decimals", "interval_years", "interval_months"),
    ),
)
"""Words, and the fields that do not hold beside them."""


def _met(value: object) -> str:
    """Return a value as it is quoted."""
    return str(value) if isinstance(value, IndexPoint) else shown(value)


def _contradictions(parts: Mapping[str, Any], defaults: Mapping[str, Any]) -> Iterator[Problem]:
    """Find pairs of fields of which only one can hold."""
    for one, other in _EXCLUDE_EACH_OTHER:
        if parts.get(one) is not None and parts.get(other) is not None:
            said, met = f"contradicts {camel(other)}", shown(parts[one])
            yield _contradiction(one, said, met, "one of the two")
    # Of a word that cannot be read, nobody knows what it contradicts.
    reference = parts.get("reference")
    for name, references in _ONLY_WITH.items():
        if parts.get(name) is not None and reference is not None and reference not in references:
            said, met = f"contradicts the reference {reference}", shown(parts[name])
            expected = "none, or the reference " + " or ".join(references)
            yield _contradiction(name, said, met, expected)
    if "basis" in parts:
        yield from _basis_problems(parts, defaults, parts["basis"])
    yield from _word_problems(parts, defaults)
    threshold, unit = parts.get("threshold"), parts.get("threshold_unit")
    if threshold is not None and unit == "percent" and threshold > 10:  # noqa: PLR2004
        expected = "a fraction: 0.05 is five percent; or the unit points"
        yield Problem("threshold", "out_of_range", "is out of range", shown(threshold), expected)


def _word_problems(parts: Mapping[str, Any], defaults: Mapping[str, Any]) -> Iterator[Problem]:
    """Find fields that do not hold beside a word, or beside other series."""
    for name, word, others in _WORDS_EXCLUDE:
        if parts.get(name) == word:
            for other in others:
                if other in parts and _says(parts, defaults, other):
                    said, met = f"contradicts {camel(name)} {word}", _met(parts[other])
                    yield _contradiction(other, said, met, "none")
    if parts.get("lower_of") and parts.get("start_index") is not None:
        said, met = "contradicts lowerOf, whose series have other indexes", parts["start_index"]
        yield _contradiction("start_index", said, shown(met), "none")


def _basis_problems(
    parts: Mapping[str, Any], defaults: Mapping[str, Any], basis: str
) -> Iterator[Problem]:
    """Find fields that mean nothing on the basis that is given."""
    if basis == "anchored":
        for name in ("surcharge", "excess_over", "pro_rata"):
            if _says(parts, defaults, name):
                said, expected = "contradicts the basis anchored", "the basis chained"
                yield _contradiction(name, said, shown(parts[name]), expected)
    if parts.get("combine") == "sum" and basis != "chained":
        said = f"contradicts the basis {basis}"
        yield _contradiction("combine", said, "'sum'", "the basis chained")
    if parts.get("after_limit") == "carry" and basis in ("last_indexed", "mixed"):
        said, expected = f"contradicts the basis {basis}", "the basis chained or anchored"
        yield _contradiction("after_limit", said, "'carry'", expected)
    if parts.get("from_lag_months") is not None and basis != "chained":
        met = shown(parts["from_lag_months"])
        expected = "none: this basis compares with another point"
        yield _contradiction("from_lag_months", f"contradicts the basis {basis}", met, expected)
    if parts.get("base_amount") is not None and basis in ("chained", "mixed"):
        met = shown(parts["base_amount"].amount)
        expected = "none, or the basis anchored"
        yield _contradiction("base_amount", f"contradicts the basis {basis}", met, expected)
    if parts.get("correction_factor") is not None and basis != "anchored":
        met, expected = shown(parts["correction_factor"]), "the basis anchored"
        yield _contradiction("correction_factor", f"contradicts the basis {basis}", met, expected)


def _contradiction(name: str, said: str, met: str, expected: str) -> Problem:
    """Return the problem of a field that cannot hold beside another."""
    return Problem(camel(name), "contradiction", said, met, expected)


_NEED = (
    ("threshold_unit", "threshold"),
    ("threshold_inclusive", "threshold"),
    ("excess_over", "excess_share"),
    ("excess_share", "excess_over"),
    ("start_index", "start_point"),
    ("start_index", "base"),
    ("percentage_rounding", "percentage_decimals"),
    ("percentage_rounded", "percentage_decimals"),
)


def _idle(parts: Mapping[str, Any], defaults: Mapping[str, Any]) -> Iterator[Problem]:
    """Find fields that say something only beside another one, which is missing."""
    for name, needed in _NEED:
        if _says(parts, defaults, name) and needed in parts and not _says(parts, defaults, needed):
            said, met = f"says nothing without {camel(needed)}", shown(parts[name])
            yield Problem(camel(name), "says_nothing", said, met, f"{camel(needed)} beside it")
    for name, other, word in (
        ("mean_of_what", "mean_of", 1),
        ("pro_rata_months", "pro_rata", "elapsed"),
        ("limit_months", "limit_per", "adjustment"),
        ("mean_decimals", "mean_of", 1),
    ):
        value = parts.get(other)
        idle = value != word if other == "pro_rata" else value == word
        if name == "mean_decimals" and parts.get("reference") == "year_mean":
            continue
        if _says(parts, defaults, name) and value is not None and idle:
            said, met = f"says nothing with {camel(other)} {value}", shown(parts[name])
            yield Problem(camel(name), "says_nothing", said, met, f"another {camel(other)}")
    if parts.get("share_of") == "money" and parts.get("basis", "anchored") != "anchored":
        met, expected = "'money'", "the basis anchored"
        said = f"says nothing with basis {parts['basis']}"
        yield Problem("shareOf", "says_nothing", said, met, expected)
    elif parts.get("share_of") == "money" and parts.get("share") == 1:
        said, expected = "says nothing with share 1", "another share"
        yield Problem("shareOf", "says_nothing", said, "'money'", expected)


def _says(parts: Mapping[str, Any], defaults: Mapping[str, Any], name: str) -> bool:
    """Return whether a field says more than its default."""
    return name in parts and parts[name] != defaults[name]
