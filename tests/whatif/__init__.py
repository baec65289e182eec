"""Tests of `rentbilling.whatif`."""
