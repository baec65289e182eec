"""Tests of index paths and of ten thousand futures."""
