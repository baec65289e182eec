"""Tests of the service over HTTP are left out where the packages of its extra are absent."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("starlette") and find_spec("uvicorn") else ["test_*.py"]
