"""Rows of any result: as text, as HTML, as data frames.

Law: a table shows the figures of a result and computes none.
"""
