"""Tables of calls: an expression, and what it gives or how it is refused."""
