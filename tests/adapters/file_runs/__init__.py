"""Tests of `rentbilling.adapters.file_runs`."""
