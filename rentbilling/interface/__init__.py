"""The interface's resources, requests, answers and endpoints.

Law: names on the wire are exactly those of the interface.
"""
