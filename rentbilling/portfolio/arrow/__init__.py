"""Arrow columns: types, schemas, plain arrays read from them, and what days and numbers become.

Law: a column that is not of a known type is refused, never guessed.
"""
