"""Tests of `rentbilling.billing`."""
