"""Is a bill right, by its own figures or compared with the expected one.

Law: a finding is proven by the figures that it names.
"""
