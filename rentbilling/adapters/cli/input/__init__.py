"""The input of a command: options and arguments, files of leases, bills and index values."""
