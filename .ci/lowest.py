"""Print the lowest version that pyproject.toml allows of everything that tests run, for pip.

What the static checks, the documentation site, mutation testing and clusters need runs in no test
here; left out too is schemathesis, which needs a newer rich than the package does.
"""

import re
import sys
import tomllib
from pathlib import Path

LEFT_OUT = re.compile(
    r"deptry|furo|import-linter|mypy|myst-parser|pandas-stubs|poethepoet|pyright|ruff|schemathesis"
    r"|sphinx|types-"
)
BOUND = re.compile(r"(?P<name>[\w.-]+)(?P<extras>\[[a-z, ]+\])? *>= *(?P<lowest>[0-9][^,; ]*)")


def main() -> int:
    """Print one line for each requirement, or say which one has no lower bound."""
    top = Path(__file__).resolve().parent.parent
    project = tomllib.loads((top / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {"": project["dependencies"], **project["optional-dependencies"]}
    unbound = []
    for extra, requirement in ((extra, line) for extra, lines in needed.items() for line in lines):
        bound = BOUND.match(requirement)
        if bound and extra not in {"engines", "mutation"} and not LEFT_OUT.match(requirement):
            print(f"{bound['name']}{bound['extras'] or ''}=={bound['lowest']}")
        elif not bound and not requirement.startswith(f"{project['name']}["):
            unbound.append(requirement)
    if unbound:
        print(f"no lower bound in pyproject.toml: {', '.join(unbound)}", file=sys.stderr)
    return 1 if unbound else 0


if __name__ == "__main__":
    sys.exit(main())
