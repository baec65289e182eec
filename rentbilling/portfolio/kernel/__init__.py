"""The bills of many leases computed on columns.

Law: every figure is the one that billing the lease alone gives.
"""
