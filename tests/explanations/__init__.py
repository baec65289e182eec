"""Tests of `rentbilling.explanations`."""
