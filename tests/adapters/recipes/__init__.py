"""Tests of the recipes of the guide."""
