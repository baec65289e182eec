"""Which currencies are known, and how many minor units has each (A2)?"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from rentbilling.errors import InvalidPolicyError, Problem, UnknownWordError, shown

NO_CURRENCIES: Final[Mapping[str, int]] = MappingProxyType({})

# A2: ISO 4217, active codes first, then withdrawn ones that old leases still carry. A code is
# listed under its number of minor units; codes without one (gold, test codes) are no currencies.
_CODES: Final = MappingProxyType(
    {
        0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF "
        "BEF BYR ESP GRD ITL LUF MGF PTE TRL",
        2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN "
        "BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP "
        "GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT "
        "LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN "
        "NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE "
        "SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES "
        "WST XAD XCD XCG YER ZAR ZMW ZWG "
        "ANG ATS AZM BGL BGN CSK CUC CYP DEM EEK FIM FRF GHC HRK IEP LTL LVL MRO MTL MZM NLG ROL "
        "SDD SIT SKK SLL SRG STD TMM USS VEB VEF ZMK ZWD ZWL",
        3: "BHD IQD JOD KWD LYD OMR TND",
        4: "CLF UYW",
    }
)
CURRENCIES: Final[Mapping[str, int]] = MappingProxyType(
    {code: places for places, codes in _CODES.items() for code in codes.split()}
)
"""Minor units of each known currency: 2 for DKK, 0 for JPY, 3 for KWD (A2)."""

_MOST_PLACES: Final = 8


def are_minor_units(places: object) -> bool:
    return type(places) is int and 0 <= places <= _MOST_PLACES


def private_problems(code: str, places: object) -> Iterator[Problem]:
    """Give the problems of a private currency and its minor units (A2)."""
    path, said = f"currencies.{code}", "is not usable"
    if not (code.isascii() and code.isalnum() and code.isupper()):
        yield Problem(path, "wrong_value", said, shown(code), "capital letters and digits")
    if not are_minor_units(places):
        expected = f"a whole number from 0 to {_MOST_PLACES}"
        yield Problem(path, "wrong_value", said, shown(places), expected)


def minor_units(currency: str, currencies: Mapping[str, int] = NO_CURRENCIES) -> int:
    """Return the number of decimals of a currency: of a private code, else of ISO 4217 (A2).

    Raises:
        UnknownWordError: The code is in neither list, or no text.
        InvalidPolicyError: The minor units of a private code are no number from 0 to 8.

    Examples:
        >>> minor_units("DKK"), minor_units("JPY"), minor_units("PTS", {"PTS": 1})
        (2, 0, 1)
    """
    known = isinstance(currency, str)
    try:
        places = currencies.get(currency) if known else None
    except AttributeError:
        raise TypeError(
            f"private currencies are a mapping by code, not {shown(currencies)}"
        ) from None
    if places is not None:
        if not are_minor_units(places):
            raise InvalidPolicyError(private_problems(currency, places))
        return places
    if not known or currency not in CURRENCIES:
        meant = currency.upper() if known else ""
        expected = "a code such as DKK or EUR, or one of policy.currencies"
        if meant in CURRENCIES:
            expected = f"{meant}, in capital letters"
        said = "is not an ISO 4217 currency code"
        raise UnknownWordError.of("currency", "unknown_currency", said, currency, expected)
    return CURRENCIES[currency]
