"""Tests of `rentbilling.schedule`."""
