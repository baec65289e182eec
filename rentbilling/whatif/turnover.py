"""The scenario of a turnover rent. Law: base rent and VAT are those of the changed terms."""

from collections.abc import Sequence

from rentbilling.turnover import SalesReport, TurnoverTerms, lease_turnover
from rentbilling.values import AnyPeriod, period_of
from rentbilling.whatif.scenario import RENT, BillingInputs, Scenario, refuse_unless


def with_turnover_rent(
    terms: TurnoverTerms,
    reports: Sequence[SalesReport],
    years: Sequence[AnyPeriod],
    *,
    of: str = RENT,
    due_days: int = 30,
    name: str = "with turnover rent",
) -> Scenario:
    """Return the scenario of the items that sales bring, after all other changes (A101, A103).

    Args:
        terms: How turnover rent is measured.
        reports: Sales of all the years; those to come are from `expected_sales`.
        years: The lease years.
        of: The product of the base rent.
        due_days: As of `TurnoverYear.items`.
        name: Its name.

    Raises:
        RentBillingError: The terms are no `TurnoverTerms`; or when it runs.

    Examples:
        >>> from rentbilling import Amount
        >>> from rentbilling.testing import a_lease, a_rent
        >>> from rentbilling.turnover import TurnoverClause, TurnoverTier
        >>> clause = TurnoverClause(tiers=[TurnoverTier(rate="10%")], relation="higher_of")
        >>> terms = TurnoverTerms(clauses=[clause], interval_months=12)
        >>> sold = SalesReport(period=period_of("2026"), sales=Amount(1_000_000, "DKK"))
        >>> inputs = BillingInputs.of(a_lease(a_rent(amount=8000)))
        >>> [item] = with_turnover_rent(terms, [sold], ["2026"])(inputs).terms.one_time_bill_items
        >>> print(item.amount)
        4000.00 DKK
    """
    refuse_unless(TurnoverTerms, terms, "terms", "TurnoverTerms")
    days = [period_of(each) for each in years]

    def change(inputs: BillingInputs) -> BillingInputs:
        items = [*inputs.terms.one_time_bill_items]
        for year in days:
            counted = terms.reported_days(year)
            own = [each for each in reports if counted.overlaps(each.period)]
            made = lease_turnover(
                *(inputs.terms, terms, own, year),
                of=of,
                indices=inputs.indices,
                policy=inputs.policy,
            )
            items += made.items(due_days=due_days)
        return inputs.evolve(terms=inputs.terms.evolve(one_time_bill_items=items))

    return Scenario(name, change, turn="turnover")
