"""The outer ring: what connects the core to the world outside. The core imports none of it.

Law: an adapter uses the core by its public names and leans on no other adapter.
"""
