"""Tests of `rentbilling.checks`."""
