"""Tests of `rentbilling.simulation`."""
