"""The law books: each class states a rule, each of its tests one consequence of it."""
