"""Records and bills to and from the interface's JSON, and bills as CSV.

Law: what is written and read again is equal.
"""

from rentbilling.codec.any_bills import (
    AnyBills as AnyBills,
    Given as Given,
    given_bills as given_bills,
    paid_as as paid_as,
    read_all as read_all,
    refuse_other_form as refuse_other_form,
)
from rentbilling.codec.bill_csv import FULL_COLUMNS as FULL_COLUMNS, csv_of as csv_of
from rentbilling.codec.csv_texts import csv_text as csv_text
from rentbilling.codec.records import answer_text as answer_text, dumps as dumps, loads as loads
