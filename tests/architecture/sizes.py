"""Prints how many modules and lines each package has: `python -m tests.architecture.sizes`."""

from collections import Counter

from tests.architecture.sources import ALL_MODULES, PACKAGE, text_of


def main() -> None:
    modules, lines = Counter[str](), Counter[str]()
    for path in ALL_MODULES:
        first, *inner = path.relative_to(PACKAGE).parts
        # Of adapters each part that it has.
        name = ".".join([first, inner[0]] if first == "adapters" and inner[1:] else [first])
        for each in ("all", name if inner else "rentbilling"):
            modules[each] += 1
            lines[each] += text_of(path).count("\n")
    for name, count in sorted(modules.items()):
        print(f"{name:<24}{count:>6}{lines[name]:>9,}")


if __name__ == "__main__":
    main()
