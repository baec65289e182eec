"""For tests of billing: builders, strategies, laws, comparisons of bills, and a service in memory.

Everything is loaded when it is first used: importing this package loads neither pytest nor
Hypothesis nor the records. Strategies need the extra `testing`, `a_service` the extra `client`.

Law: nothing here decides a figure; what is built, drawn or compared comes from the core.

Examples:
    >>> from rentbilling import pending_bills
    >>> from rentbilling.testing import a_bill, a_line, a_rent, assert_bills_equal
    >>> bills = pending_bills(a_rent(amount="8500.00"), "2026-02-01/2026-02-28")
    >>> expected = a_bill(a_line(amount="8500.00", period="2026-02-01/2026-02-28"))
    >>> assert_bills_equal(expected, bills)
"""

from rentbilling.lazy import exports

__getattr__, __dir__, __all__ = exports(__spec__)
