"""The service run as a process: connections, turns of owners, the application of ASGI, workers."""
