"""Tests of `rentbilling.codec`."""
