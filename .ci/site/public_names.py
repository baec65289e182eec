"""Which page of the reference describes which public name.

Law: each public name has one page. The names of `rentbilling` itself go to the page of the package
that defines them; of other packages, only what guide/compatibility.md calls public is described.
"""

import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Final, NamedTuple

import rentbilling
from rentbilling.records import records_in


class Page(NamedTuple):
    """A page of the reference, about the package of its name."""

    name: str
    """Its file, without the suffix."""
    title: str
    names: str = ""
    """Names of the package that are public beside those of `rentbilling`; `*` for all of them."""
    within: str = "rentbilling"

    @property
    def package(self) -> str:
        """Return the import path of the package."""
        return f"{self.within}.{self.name}"


_SERVICE: Final = (
    "OPERATIONS RIGHTS KINDS Store Stores Context Stored StoredKey KeyRing LeaseFigures "
    "lease_figures_on contract_period_state key_of key_text stored_key StoreError "
    "StoreUnavailableError called unknown_id problem ProblemAnswer ProblemKind PROBLEM_KINDS"
)
_ADAPTERS: Final = "rentbilling.adapters"
PAGES: Final = (
    Page("billing", "Bills", "recurring_item one_time_item Payer"),
    Page("terms", "Terms of a lease", "AdjustmentList NoticeRecord PartPeriodEnds"),
    Page(
        *("values", "Amounts, periods, VAT"),
        "share_out rounded divide_rounded minor_units "
        "payment_reference is_payment_reference PaymentReference",
    ),
    Page("policy", "Policy"),
    Page("adjustments", "Rent adjustments", "rolled_back"),
    Page("indices", "Index series"),
    Page("presets", "Clauses and legal caps by country", "*"),
    Page("schedule", "Due dates and accounting periods", "period_share"),
    Page("codec", "JSON"),
    Page(
        *("checks", "Checks and comparisons"),
        "BillTable CheckResult Comparison PortfolioComparison TableBills UnreadableBill"
        " compare_portfolio",
    ),
    Page(
        *("payers", "Payers, discounts and balances of a bill"),
        "split_bill discount_bill BillDiscount carry Carried",
    ),
    Page("explanations", "Explanations", "Explanation"),
    Page("invoices", "Invoices (EN 16931)", "*"),
    Page("settlement", "Service charges", "*"),
    Page("turnover", "Turnover rent", "*"),
    Page("whatif", "What if", "*"),
    Page(
        *("reports", "Reports"),
        "accruals cash_flow rent_roll RentRoll LeasedUnit straight_line vat_report",
    ),
    Page("portfolio", "Many leases", "*"),
    Page("simulation", "Many futures", "*"),
    Page("tables", "Tables", "Table Column table_of"),
    Page("errors", "Errors", "*"),
    Page("records", "Records", "Record RawRecord"),
    Page("interface", "Resources, requests, answers", "*"),
    Page("service", "Operations and stores", _SERVICE),
    Page("client", "Client", "*", _ADAPTERS),
    Page("http", "Service over HTTP", "*", _ADAPTERS),
    Page("stores", "Stores in databases", "*", _ADAPTERS),
    Page("file_runs", "Billing runs over files", "*", _ADAPTERS),
    Page("plots", "Pictures", "*", _ADAPTERS),
    Page("icalendar", "Calendars of due dates", "calendar_of", _ADAPTERS),
    Page("money_texts", "Amounts as text", "*", _ADAPTERS),
    Page("einvoices", "Electronic invoices", "read_einvoice", _ADAPTERS),
    Page("workbooks", "Workbooks", "read_xlsx write_xlsx", _ADAPTERS),
    Page("progress", "Progress bars", "progress_bar", _ADAPTERS),
    Page("testing", "In your tests", "*"),
    Page(
        *("pytest_plugin", "Fixtures of the pytest plugin"),
        *("golden_bills rental_service rental_client", "rentbilling.testing"),
    ),
)


class Described(NamedTuple):
    """A public name, and where users import it from."""

    package: str
    name: str

    @property
    def value(self) -> object:
        """What the name is."""
        return getattr(import_module(self.package), self.name)

    @property
    def path(self) -> str:
        """Return the import path."""
        return f"{self.package}.{self.name}"


def names_of(page: Page) -> tuple[Described, ...]:
    """Return the names that a page describes: functions first, then classes, then values."""
    at_root = [name for name in rentbilling.__all__ if _home(name) == page.package]
    others = [name for name in _others(page) if name not in at_root]
    found = [Described("rentbilling", name) for name in at_root]
    found += [Described(page.package, name) for name in others]
    return tuple(sorted(found, key=_rank))


def root_names() -> Iterator[tuple[Page, tuple[str, ...]]]:
    """Give the names of `rentbilling`, by the page that describes them."""
    for page in PAGES:
        names = tuple(each.name for each in names_of(page) if each.package == "rentbilling")
        if names:
            yield page, names


def records_of(page: Page) -> tuple[type, ...]:
    """Return the records that a page describes."""
    values = [each.value for each in names_of(page)]
    return tuple(
        each for each in values if isinstance(each, type) and each in records_in(each).values()
    )


@cache
def _home(name: str) -> str:
    """Return the package that defines a name of `rentbilling`."""
    module = getattr(rentbilling, name).__module__
    known = [page.package for page in PAGES if f"{module}.".startswith(f"{page.package}.")]
    return max(known, key=len)


def _others(page: Page) -> list[str]:
    package = import_module(page.package)
    if page.names != "*":
        return page.names.split()
    names = getattr(package, "__all__", None) or dir(package)
    return [name for name in names if not name.startswith("_") and _is_ours(package, name)]


def _is_ours(package: object, name: str) -> bool:
    """Return whether a name is defined here, not a module nor something imported for use."""
    value = getattr(package, name)
    home = getattr(value, "__module__", None)
    if inspect.ismodule(value) or name in _INTERNAL:
        return False
    return home is None or not isinstance(home, str) or home.startswith(_root_of(package))


_INTERNAL: Final = frozenset(
    # Of rentbilling.interface, errors and money_texts: for the library itself.
    {"MOST_OBJECTS", "USUAL_OBJECTS", "RECORDS", "check_bounds", "contract_problems", "BillSchemas"}
    | {"CURRENCIES", "check_word", "NOT_BILLS", "NOT_KNOWN", "error_of"}
    | {"no_bills", "other_currency", "shown"}
)


def _root_of(package: object) -> str:
    """Return where the names of a package come from: a module has only its own."""
    return str(getattr(package, "__name__", "")) if inspect.ismodule(package) else ""


def _rank(described: Described) -> tuple[int, str]:
    value = described.value
    kind = 0 if inspect.isroutine(value) else 1 if isinstance(value, type) else 2
    # Names of the root first; the rest by name.
    return kind, f"{described.package != 'rentbilling':d}{described.name}"
