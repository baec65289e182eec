"""The same run under changed inputs: scenarios, forecasts, cash flows.

Law: a scenario changes inputs, never how they are billed.
"""
