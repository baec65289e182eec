"""Arrow columns: types, schemas, and plain arrays read from them.

Law: a column that is not of a known type is refused, never guessed.
"""
