"""Tests of `rentbilling.adapters.runs`."""
