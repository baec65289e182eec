"""Tests of `rentbilling.values`."""
