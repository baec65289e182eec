"""Tests of `rentbilling.interface`."""
