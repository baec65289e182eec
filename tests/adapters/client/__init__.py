"""Tests of the client: against answers made up here, and against the service itself."""
