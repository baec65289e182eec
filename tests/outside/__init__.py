"""The outside cases: figures from sources outside of this project, and their judges."""
