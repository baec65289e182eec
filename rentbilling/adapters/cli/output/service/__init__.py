"""What the commands of the service print and log: keys, changes, records of the server."""
