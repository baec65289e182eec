"""Tests of `rentbilling.adjustments`."""
