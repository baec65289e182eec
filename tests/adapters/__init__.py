"""The outer ring: each adapter from outside, as its users meet it."""
