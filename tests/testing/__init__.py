"""Tests of what is shipped for the tests of others."""
