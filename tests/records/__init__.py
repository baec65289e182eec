"""Tests of `rentbilling.records`."""
