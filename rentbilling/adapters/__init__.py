"""Connections between the core and the world outside; the core imports none of them."""
