"""Tests of `rentbilling.indices`."""
