"""Builders: records, plans and bills with sensible defaults, for tests."""
