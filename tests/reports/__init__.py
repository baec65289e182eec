"""Reports: cash flows, accruals, VAT by rate, even income."""
