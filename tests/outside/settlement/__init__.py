"""The judge of worked examples of settlements and turnover rent (`settlement/` of the cases).

Each kind has a function that states the example in our records and returns the library's figures by
the names of the case. A figure is compared to the places that are printed; where single cents are
left over, the sum and the amounts count, whoever has them.
Law: nothing depends on the id or the country of a case.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from rentbilling import RentBillingError
from tests.outside.board import PASSED, Case, Head, Verdict, failed, not_expressible
from tests.outside.settlement import expenses, houses, known_bugs, single, turnover
from tests.outside.settlement.figures import Given, compared

FIELDS = frozenset({"kind", "input", "expected", "checks"})
"""The fields of the shape."""

ANSWERS: Final[Mapping[str, Callable[[Given], Mapping[str, Any]]]] = MappingProxyType(
    {
        "settlement": houses.settled,
        "allocation": houses.allocated,
        "rounding_allocation": houses.allocated,
        "heating_split": houses.heating_split,
        "time_weight": single.time_weight,
        "meter": single.meter,
        "hot_water": single.hot_water,
        "co2_split": single.co2_split,
        "deadline": single.deadline,
        "new_advance": single.new_advance,
        "advance_total": single.advance_total,
        "balance": single.balance,
        "base_year": expenses.base_year,
        "cap": expenses.cap,
        "gross_up": expenses.gross_up,
        "expense_chain": expenses.chain,
        "turnover_rent": turnover.answer,
        "known_bug": known_bugs.answer,
    }
)


def judge(case: Case, _head: Head) -> Verdict:
    answer = ANSWERS.get(case["kind"])
    if answer is None:
        return not_expressible(str(case["kind"]))
    given = Given(case)
    try:
        found = answer(given)
    except RentBillingError as error:
        wanted = {"refused", "error", "law"}.intersection(case["expected"])
        return PASSED if wanted else failed(f"refused: {error}")
    return compared(given, found)
