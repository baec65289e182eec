"""Tests of who pays how much of a bill."""
