"""Tests of the stores: one suite for all of them, and what is special about a database."""
