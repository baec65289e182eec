"""Print the lowest version that pyproject.toml allows of every requirement, as pip constraints."""

import re
import sys
import tomllib
from pathlib import Path

BOUND = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(\[[a-z, ]+\])? *>= *(?P<lowest>[0-9][^,; ]*)")


def main() -> int:
    """Print one line for each requirement, or say which one has no lower bound."""
    top = Path(__file__).resolve().parent.parent
    project = tomllib.loads((top / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    requirements = [*project["dependencies"], *(line for extra in extras for line in extra)]
    unbound = []
    for requirement in requirements:
        bound = BOUND.match(requirement)
        if bound:
            print(f"{bound['name']}=={bound['lowest']}")
        elif not requirement.startswith(f"{project['name']}["):
            unbound.append(requirement)
    if unbound:
        print(f"no lower bound in pyproject.toml: {', '.join(unbound)}", file=sys.stderr)
    return 1 if unbound else 0


if __name__ == "__main__":
    sys.exit(main())
