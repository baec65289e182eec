"""Tests of an adapter are left out where the packages of its extra are absent."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("click") and find_spec("rich") else ["test_cli_*.py"]
