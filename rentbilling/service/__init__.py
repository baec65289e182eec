"""The operations without a transport: a request and a store give an answer.

Law: an operation sees the data of one owner, and changes all of what it changes or nothing.
"""
