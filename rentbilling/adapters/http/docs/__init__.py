"""The operations described: as an OpenAPI document, and as a page to be read in a browser.

Law: both are computed from the table of operations, the records and their docstrings.
"""
