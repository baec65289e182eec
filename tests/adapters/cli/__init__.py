"""Tests of `rentbilling.adapters.cli`."""
