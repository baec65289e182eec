"""Tests of `rentbilling.adapters.plots`."""
