"""Tests of `rentbilling.terms`."""
