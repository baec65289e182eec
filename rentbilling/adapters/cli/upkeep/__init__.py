"""Commands that look after a database: its copies, its release, and what it has of an owner."""
