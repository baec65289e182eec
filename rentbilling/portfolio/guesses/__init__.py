"""What a person may begin with: a map for a table that nobody has described yet.

Law: a guess is a text for a person; nothing is billed by it before it is a file of theirs.
"""
