"""The rules of the house, checked: what the core may name, import, cite and do while computing."""
