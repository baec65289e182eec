"""Tests: examples and edges by module, laws, hand-worked cases, outside cases, architecture."""
