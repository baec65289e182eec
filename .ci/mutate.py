"""Change modules in one place at a time with mutmut, and say which changes no test finds.

    python .ci/mutate.py [package or module ...]

It works in build/mutation, a copy; there `mutmut show NAME` shows a change of the last name.
"""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
COPY = TOP / "build" / "mutation"


def mutate(name: str, project: str, tests: dict[str, list[str]]) -> int:
    """Run mutmut on a package or module, and print what survived; return the exit code."""
    path = f"rentbilling/{name.replace('.', '/')}"
    if not any([(TOP / path).is_dir(), (TOP / f"{path}.py").is_file()]):
        print(f"{path} is no package or module", file=sys.stderr)
        return 2
    shutil.rmtree(COPY, ignore_errors=True)
    for each in ("rentbilling", "tests"):
        shutil.copytree(TOP / each, COPY / each, ignore=shutil.ignore_patterns("__pycache__"))
    package = name.partition(".")[0]
    head = "[tool.mutmut]\n"
    more = f"only_mutate = {json.dumps([f'{path}.py', f'{path}/*'])}\n"
    chosen = json.dumps(tests.get(package, [f"tests/{package}"]))
    more += f"pytest_add_cli_args_test_selection = {chosen}\n"
    (COPY / "pyproject.toml").write_text(project.replace(head, head + more), encoding="utf-8")
    code = 0
    for command in ("run", "results"):
        print(f"{name}: mutmut {command}", flush=True)
        done = subprocess.run([sys.executable, "-m", "mutmut", command], cwd=COPY, check=False)  # noqa: S603
        code = code or done.returncode
    return code


def main(names: list[str]) -> int:
    """Run mutmut on each name, or on each package that pyproject.toml lists."""
    project = (TOP / "pyproject.toml").read_text(encoding="utf-8")
    tests = tomllib.loads(project)["tool"]["rentbilling"]["mutation"]
    return max(mutate(name, project, tests) for name in names or tests)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
