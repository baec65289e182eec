"""Tests of `rentbilling.tables`."""
