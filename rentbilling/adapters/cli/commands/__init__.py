"""The commands, a module for each, named like it; help needs nothing of the core."""
