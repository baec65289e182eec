"""What connects the core to the world outside; the core imports none of it."""
