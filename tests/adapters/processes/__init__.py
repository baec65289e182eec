"""The service as it is run: a server process, client processes, signals and sockets."""
