"""The output and logs of the commands of the service: keys, changes, records of the server."""
