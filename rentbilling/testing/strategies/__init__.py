"""Hypothesis strategies for everything that is billed: records, policies, series, portfolios.

Laws: every example is accepted by the library, none is thrown away; examples shrink towards a plain
monthly rent; ends of months, leap days, ties, opening gaps, part periods, credits and currencies
without or with three decimals come up often.

Examples:
    >>> from hypothesis import given, settings
    >>> from rentbilling import pending_bills
    >>> from rentbilling.testing import strategies
    >>> @settings(max_examples=20)
    ... @given(strategies.lease_terms(), strategies.asked_periods())
    ... def test_bills_are_in_order(terms, period):
    ...     days = [bill.due_date for bill in pending_bills(terms, period)]
    ...     assert days == sorted(days)
    >>> test_bills_are_in_order()
"""

from rentbilling.testing.strategies.records import (
    BillingRun as BillingRun,
    amount_records as amount_records,
    amounts as amounts,
    asked_periods as asked_periods,
    balances as balances,
    billing_cycles as billing_cycles,
    billing_policies as billing_policies,
    billing_runs as billing_runs,
    currencies as currencies,
    description_records as description_records,
    discounts as discounts,
    due_date_rules as due_date_rules,
    increments as increments,
    index_clauses as index_clauses,
    index_series as index_series,
    lease_terms as lease_terms,
    one_time_bill_items as one_time_bill_items,
    opening_periods as opening_periods,
    periods as periods,
    portfolios as portfolios,
    quantity_records as quantity_records,
    recurring_bill_items as recurring_bill_items,
    rent_adjustment_plans as rent_adjustment_plans,
    rent_adjustment_rules as rent_adjustment_rules,
    rent_adjustments as rent_adjustments,
    vat_records as vat_records,
    vats as vats,
)
