"""Records and bills to and from the interface's JSON, and bills as CSV.

Law: what is written and read again is equal.
"""
