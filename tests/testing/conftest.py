"""The plugin's fixtures, also where the installed project does not yet name its plugin."""

from importlib.util import find_spec

from rentbilling.testing.pytest_plugin import golden_bills, rental_client, rental_service

__all__ = ("golden_bills", "rental_client", "rental_service")

collect_ignore_glob = [] if find_spec("httpx") else ["test_service_in_memory.py"]
