"""What every input record shares: strict reading, problems with paths, JSON schemas.

Law: a record that exists is valid; what is wrong is reported whole, each problem with its path.
"""
