"""Tests of `rentbilling.presets`."""
