"""Run mutation testing of the modules that make figures, and say how many mutants were killed.

Without arguments, every mutant that has no verdict yet is judged; modules that are named are judged
anew. Needs the extra `mutation`.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

# A failed test, an error within pytest, or no end within the time; any other end judged nothing.
KILLED = (1, 3, 24, -24, 36, 152)
WORDS = {0: "survived", None: "not judged", 33: "has no test"}


def main(modules: list[str]) -> int:
    """Judge the mutants; print a line for each module, the mutants that are left, and the time."""
    begun = time.monotonic()
    names = [f"rentbilling.{module}.*" for module in modules]
    command = ["mutmut", "run", "--max-children", "1", *names]
    # Before the package itself, which an editable installation puts on the path.
    paths = {**os.environ, "PYTHONPATH": str(Path("mutants").absolute())}
    ended = subprocess.run(command, check=False, env=paths)  # noqa: S603 - the modules of the caller
    left: list[str] = []
    print(f"{'module':<30}{'mutants':>8}{'killed':>8}{'share':>9}")
    made = Path("mutants/rentbilling")
    for path in sorted(made.rglob("*.py.meta")):
        # Such as adjustments.rule, of adjustments/rule.py.meta.
        module = ".".join(path.relative_to(made).parts).removesuffix(".py.meta")
        codes = json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
        if not codes or (modules and module not in modules):
            continue
        killed = sum(code in KILLED for code in codes.values())
        print(f"{module:<30}{len(codes):>8}{killed:>8}{killed / len(codes):>9.1%}")
        left += [
            f"{WORDS.get(code, f'ended with {code}')}: {name}"
            for name, code in codes.items()
            if code not in KILLED
        ]
    print(*left, f"{len(left)} left, after {time.monotonic() - begun:.0f} seconds", sep="\n")
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
