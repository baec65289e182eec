"""Tests of the service over HTTP are left out where the packages of its extra are absent."""

from importlib.util import find_spec

PARTS = ("httptools", "starlette", "uvicorn")

collect_ignore_glob = [] if all(map(find_spec, PARTS)) else ["test_*.py"]
