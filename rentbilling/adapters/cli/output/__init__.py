"""What a command prints: tables and outlines for people, JSON and CSV for programs, pictures."""
