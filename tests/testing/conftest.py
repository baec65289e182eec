"""The plugin's fixture, also where the installed project does not yet name its plugin."""

from rentbilling.testing.pytest_plugin import golden_bills

__all__ = ("golden_bills",)
