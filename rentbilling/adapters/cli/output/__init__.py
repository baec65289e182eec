"""The output of a command: tables and outlines for people, JSON and CSV for programs, pictures."""
