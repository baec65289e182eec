"""Tests of `rentbilling.service`."""
