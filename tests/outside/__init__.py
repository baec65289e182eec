"""The outside cases: figures that nobody in this project wrote, and their judges."""
