"""The commands that need a database or a port: the service, its keys, its changes."""
