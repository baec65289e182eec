"""Terms in any form that a caller has: records, data, or a JSON text.

Laws: data are read as `loads` reads them, in every form of A57; what is no lease is refused with
the call that makes one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from rentbilling.errors import (
    InvalidInputError,
    InvalidRecordError,
    Problem,
    Refusals,
    error_of,
    paths_under,
    shown,
)
from rentbilling.policy import DEFAULT, BillingPolicy
from rentbilling.records import PLAIN_DATA, PLAIN_DICT, JsonData, Record, read_json, refuse_too_many
from rentbilling.terms.lease_terms import LeaseTerms, OneTimeBillItem, RecurringBillItem
from rentbilling.terms.plans import RentAdjustmentPlan

AnyLease = LeaseTerms | Mapping[str, Any] | str | bytes
"""The terms of one lease: the record, its data or their JSON text."""
AnyPlans = AnyLease | RentAdjustmentPlan
"""What rents are adjusted by: the terms of a lease, or a plan alone."""
AnyTerms = (
    LeaseTerms
    | RecurringBillItem
    | OneTimeBillItem
    | Iterable[RecurringBillItem | OneTimeBillItem]
    | Mapping[str, Any]
    | str
    | bytes
)
"""The terms of one lease: the record, an item, several items; or JSON of these, data or a text."""

_A_PERIOD: Final = re.compile("[0-9]{4}(-[Qq][1-4]|(-[0-9]{2}){0,2})(/[0-9Qq-]+)?")
_CREATES: Final = "leaseId or recurringBillItem"
# Fields by which the forms of A57 are distinguished, in both spellings.
_CREATED: Final = ("recurringBillItem", "recurring_bill_item")
_LEASE_ID: Final = ("leaseId", "lease_id")
_PRODUCT_KEY: Final = ("productKey", "product_key")
_BILLING_CYCLE: Final = ("billingCycle", "billing_cycle")
_RULES: Final = ("rentAdjustmentRules", "rent_adjustment_rules")
_DUE_DATE: Final = ("dueDate", "due_date")
_OTHER_FORMS: Final = frozenset((*_CREATED, *_PRODUCT_KEY, *_BILLING_CYCLE))
"""Fields that no object with the terms of a lease has."""
MOST_ENTRIES: Final = 10_000
"""Entries of lists in a payload other than bills that a caller creates: a lease has no more."""


def reading_context(
    policy: BillingPolicy, *, from_service: bool = False, exact_texts: bool = False
) -> Mapping[str, object]:
    """Return what records know of a payload: texts of numbers, currencies, periods (A1, A2, A4).

    Data of Python may have the text of a number in place of it; JSON may not.

    Examples:
        >>> dict(reading_context(BillingPolicy()))
        {}
    """
    if not from_service and not policy.currencies and policy.period_end == DEFAULT.period_end:
        return PLAIN_DICT if exact_texts else PLAIN_DATA
    return {
        "currencies": policy.currencies,
        "period_end": policy.period_end,
        "from_service": from_service,
        "exact_texts": exact_texts,
    }


def terms_of(given: object, policy: BillingPolicy) -> LeaseTerms:
    """Return the terms of one lease that a caller hands over in any form.

    Raises:
        InvalidInputError: It is not the terms of a lease, or they are wrong.

    Examples:
        >>> terms_of({"leaseId": "lease-1", "recurringBillItems": []}, BillingPolicy()).lease_id
        'lease-1'
    """
    if isinstance(given, LeaseTerms):
        return given
    if isinstance(given, Mapping):
        return terms_of_data(given, reading_context(policy, exact_texts=True))
    if isinstance(given, (str, bytes)):
        return terms_of_data(_data_of(given), reading_context(policy))
    items = [given] if isinstance(given, (RecurringBillItem, OneTimeBillItem)) else given
    if not isinstance(items, Iterable) or isinstance(items, Record):
        raise _no_terms(given)
    listed = [*items]
    if listed and all(isinstance(each, Mapping) for each in listed):
        return terms_of_data(listed, reading_context(policy, exact_texts=True))
    recurring = tuple(each for each in listed if isinstance(each, RecurringBillItem))
    once = tuple(each for each in listed if isinstance(each, OneTimeBillItem))
    if len(recurring) + len(once) < len(listed):
        kinds = (RecurringBillItem, OneTimeBillItem)
        wrong = next(at for at, each in enumerate(listed) if not isinstance(each, kinds))
        raise _no_terms(listed[wrong], f"terms[{wrong}]")
    return LeaseTerms(recurring_bill_items=recurring, one_time_bill_items=once)


def adjustable_of(given: object, policy: BillingPolicy) -> object:
    """Return data or a JSON text as the lease or the plan that they describe; all else as it is.

    Raises:
        InvalidInputError: The data are wrong.

    Examples:
        >>> type(adjustable_of('{"leaseId": "lease-1"}', BillingPolicy())).__name__
        'LeaseTerms'
    """
    if not isinstance(given, (Mapping, str, bytes)):
        return given
    data = given if isinstance(given, Mapping) else _data_of(given)
    context = reading_context(policy, exact_texts=data is given)
    if _has(data, *_RULES):
        return RentAdjustmentPlan.model_validate(data, context=context)
    return terms_of_data(data, context)


def leases_of(given: object, policy: BillingPolicy, caller: str) -> Iterator[LeaseTerms]:
    """Give the leases that a caller hands over: one in any form, or several.

    Raises:
        InvalidInputError: The data of a lease are wrong.
        TypeError: It is no lease and no leases; the function that was called is named.

    Examples:
        >>> [each.lease_id for each in leases_of([{"leaseId": "a"}], BillingPolicy(), "what_if")]
        ['a']
    """
    if isinstance(given, _ONE):
        yield terms_of(given, policy)
        return
    if not isinstance(given, Iterable) or isinstance(given, Record):
        raise TypeError(f"{caller} takes the terms of leases, not {shown(given)}")
    # The leases of a table get opening periods by the policy (A14).
    priced_under = getattr(given, "priced_under", None)
    for at, each in enumerate(given if priced_under is None else priced_under(policy)):
        if not isinstance(each, (LeaseTerms, Mapping)):
            raise TypeError(f"{caller} takes the terms of leases, not {shown(each)}")
        with paths_under(f"[{at}]"):
            yield terms_of(each, policy)


_ONE: Final = (LeaseTerms, RecurringBillItem, OneTimeBillItem, Mapping, str, bytes)


def _data_of(given: str | bytes) -> JsonData:
    if isinstance(given, str) and _A_PERIOD.fullmatch(given):
        said, expected = "is a period", "the terms first, and then the period"
        raise InvalidRecordError.of("terms", "not_billable", said, given, expected)
    with paths_under("terms"):
        data = read_json(given)
    if len(given) > MOST_ENTRIES:
        refuse_too_many(data, MOST_ENTRIES)
    return data


def _no_terms(given: object, path: str = "terms") -> InvalidInputError:
    """Return the refusal of what is neither terms nor an item."""
    said, expected = "is neither a lease nor an item", "LeaseTerms, items, or the JSON of them"
    if path != "terms" and isinstance(given, LeaseTerms):
        said = "is a lease in a list of items"
        expected = "one lease; bill_portfolio(leases, period) bills several"
    return InvalidRecordError.of(path, "not_billable", said, given, expected)


def _has(data: JsonData, *spellings: str) -> bool:
    """Return whether an object has a field, in one of its spellings."""
    return isinstance(data, Mapping) and any(each in data for each in spellings)


def terms_of_data(data: JsonData, context: Mapping[str, Any]) -> LeaseTerms:
    """Return lease terms in any of the forms of A57.

    Raises:
        InvalidInputError: Something is wrong; `problems` has all of it.

    Examples:
        >>> terms_of_data({"leaseId": "lease-1"}, {}).lease_id
        'lease-1'
    """
    if type(data) is dict and data and _OTHER_FORMS.isdisjoint(data):
        return LeaseTerms.model_validate(data, context=context)
    if isinstance(data, list):
        return _of_items([(f"[{at}]", each) for at, each in enumerate(data)], context)
    if _has(data, *_CREATED):
        return _created(data, context)
    if data == {} or _has(data, *_PRODUCT_KEY, *_BILLING_CYCLE):
        return _of_items([("", data)], context)
    # No object.
    return LeaseTerms.model_validate(data, context=context)


def _created(data: Mapping[str, Any], context: Mapping[str, Any]) -> LeaseTerms:
    (created,) = (key for key in _CREATED if key in data)
    unknown = [key for key in data if key not in (created, *_LEASE_ID)]
    problems = [
        Problem(str(key), "unknown_field", "is not a field", shown(data[key]), _CREATES)
        for key in unknown
        if context.get("from_service") is not True
    ]
    kinds: list[type[InvalidInputError]] = [InvalidRecordError] * len(problems)
    terms = {"recurringBillItems": [data[created]]}
    terms |= {key: data[key] for key in _LEASE_ID if key in data}
    try:
        made = LeaseTerms.model_validate(terms, context=context)
    except InvalidInputError as error:
        place = "recurringBillItems[0]"
        problems += (
            problem._replace(path=problem.path.replace(place, created, 1))
            for problem in error.problems
        )
        raise error_of(problems, [*kinds, type(error)]) from None
    if problems:
        raise error_of(problems, kinds)
    return made


def _of_items(places: list[tuple[str, JsonData]], context: Mapping[str, Any]) -> LeaseTerms:
    """Return terms of single items, with every problem of all of them."""
    recurring: dict[str, RecurringBillItem] = {}
    once: dict[str, OneTimeBillItem] = {}
    refused = Refusals()
    for path, data in places:
        try:
            if _has(data, *_DUE_DATE) and not _has(data, *_BILLING_CYCLE):
                once[path] = OneTimeBillItem.model_validate(data, context=context)
            else:
                recurring[path] = RecurringBillItem.model_validate(data, context=context)
        except InvalidInputError as error:
            refused.add(error, path)
    refused.finish()
    try:
        return LeaseTerms(
            recurring_bill_items=tuple(recurring.values()), one_time_bill_items=tuple(once.values())
        )
    except InvalidInputError as error:
        lists = {"recurring_bill_items": tuple(recurring), "one_time_bill_items": tuple(once)}
        raise _placed(error, lists) from None


def _placed(error: InvalidInputError, lists: Mapping[str, tuple[str, ...]]) -> InvalidInputError:
    """Return an error whose paths are the places where the items were written."""
    places = {
        f"{name}[{at}]": place for name, all_of in lists.items() for at, place in enumerate(all_of)
    }
    problems: list[Problem] = []
    for problem in error.problems:
        item, dot, field = problem.path.partition(".")
        problems.append(problem._replace(path=f"{places.get(item, item)}{dot}{field}"))
    return type(error)(problems)
