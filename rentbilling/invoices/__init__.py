"""Bills as invoices of EN 16931: its terms as data, and UBL 2.1 as text.

Law: nothing is computed anew; the figures of an invoice are those of its bill.
"""

from rentbilling.invoices.mapping import Invoice as Invoice, invoice_of as invoice_of
from rentbilling.invoices.parties import Party as Party
