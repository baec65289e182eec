"""Bills as invoices of EN 16931."""
