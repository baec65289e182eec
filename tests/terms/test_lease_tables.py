"""What `print` and a notebook show of a lease: items, what is agreed beyond them, and plans."""

from rentbilling import LeaseTerms, loads

ITEM = """
    "productKey": "key:rent", "amount": {"currency": "DKK", "amount": 8500},
    "vat": {"taxMode": "Exclusive", "taxRate": 0.25}, "dueDateRule": {"dayOfPeriod": 1},
    "billingCycle": {"timeUnit": "Month", "periodLength": 3, "start": 1}, "startedOn": "2026-01-01",
    "firstBillingPeriodBillItem": {"amount": {"currency": "DKK", "amount": 0},
    "dueDate": "2026-01-01", "accountingPeriod": "2026-01-01/2026-03-31"}
"""
LEASE = f"""{{
    "leaseId": "lease-1", "contractStart": "2026-01-01", "contractEnd": "2030-12-31",
    "recurringBillItems": [
        {{"id": "rent", {ITEM}, "discounts": [{{"percentage": 0.5, "startDate": "2026-02-01"}},
            {{"percentage": 0.1, "of": "list", "endDate": "2026-03-31"}}]}},
        {{{ITEM}, "description": "Parking", "quantity": 2,
          "discount": {{"amount": {{"currency": "DKK", "amount": 50}}, "description": "first year",
                        "endDate": "2026-12-31"}},
          "amountRecords": [{{"start": "2027-01-01",
            "value": {{"currency": "DKK", "amount": 9000}}}}],
          "vatRecords": [{{"value": {{"taxMode": "Exempt"}}, "start": "2026-06-01"}}],
          "descriptionRecords": [{{"value": "Garage", "start": "2028-01-01"}}],
          "quantityRecords": [{{"value": 1, "start": "2029-01-01"}}],
          "cancelledOn": "2029-06-01", "endedOn": "2029-12-31"}}
    ],
    "oneTimeBillItems": [{{"productKey": "key:key", "amount": {{"currency": "DKK", "amount": 250}},
        "vat": {{"taxMode": "ReverseCharge"}}, "dueDate": "2026-02-01",
        "accountingPeriod": "2026-02-01/2026-02-28"}}],
    "rentAdjustmentPlans": [
        {{"id": "npi", "adjusteeRef": "rent", "adjustments": [{{"adjustedOn": "2026-01-01"}}],
          "rentAdjustmentRules": [{{"adjustmentType": "Index", "adjustmentMonth": 1,
            "indexMonth": 10, "minimumPercentage": 0, "maximumPercentage": 0.04,
            "firstYear": "2027", "lastYear": "2029"}}]}},
        {{"adjusteeRef": "recurring-2", "rentAdjustmentRules": [{{"adjustmentType": "Increment",
            "adjustmentMonth": 7, "increments": [
                {{"year": "2027", "percentage": 0.03, "recurrence": "Recurring"}},
                {{"year": "2028", "level": {{"currency": "DKK", "amount": 9500}}}}]}}]}},
        {{"adjustsBalance": true, "adjustsRecurringBillItem": false,
          "balanceChargeType": "deposit"}}
    ],
    "balances": [{{"balanceChargeType": "deposit",
        "amount": {{"currency": "DKK", "amount": 25500}}}}]
}}"""

TEXT = """\
Lease lease-1 from 1 Jan 2026 until 31 Dec 2030
Item                 Price  VAT      Billed                       Due
────────────────────────────────────────────────────────────────────────────
key:rent      8,500.00 DKK  25 %     every 3 months from January  day 1
  rent; opening 1 Jan – 31 Mar 2026: 0.00 DKK, due 1 Jan 2026
  discount 50 % from 1 Feb 2026
  discount 10 % of the list price until 31 Mar 2026
Parking   2 × 8,500.00 DKK  25 %     every 3 months from January  day 1
  recurring-2, key:rent; opening 1 Jan – 31 Mar 2026: 0.00 DKK, due 1 Jan 2026
  discount 50.00 DKK until 31 Dec 2026 (first year)
  from 1 Jun 2026: VAT exempt
  from 1 Jan 2027: 9,000.00 DKK
  from 1 Jan 2028: Garage
  from 1 Jan 2029: quantity 1
  nothing due from 1 Jun 2029
  until 31 Dec 2029
key:key         250.00 DKK  reverse  once                         1 Feb 2026
  one-time-1; for 1–28 Feb 2026
npi: adjusts rent: Index each January, value of October, at least 0 %, at most 4
%, from 2027, until 2029; 1 adjustment listed
plan-2: adjusts recurring-2: Increment each July, 3 % in 2027 and later, to
9,500.00 DKK in 2028
plan-3: adjusts balance: no rule
balance-1, deposit: 25,500.00 DKK"""


def lease() -> LeaseTerms:
    found = loads(LEASE)
    assert isinstance(found, LeaseTerms)
    return found


def test_a_lease_prints_all_that_is_agreed() -> None:
    assert TEXT == str(lease())


def test_a_notebook_shows_a_lease_as_a_table() -> None:
    page = lease()._repr_html_()

    assert "<caption>Lease lease-1 from 1 Jan 2026 until 31 Dec 2030</caption>" in page
    assert [1] * 3 == [page.count(text) for text in ("Parking", "1 Jan 2028", "npi: adjusts rent")]


def test_a_lease_of_nothing_says_so() -> None:
    assert "Lease\nNo items" == str(LeaseTerms())
    assert "<caption>Lease</caption>" in LeaseTerms()._repr_html_()
