"""What a command is handed: options and arguments, files of leases, bills and index values."""
