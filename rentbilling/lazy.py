"""Names that a package loads when they are first used, as its stub `__init__.pyi` lists them.

Law: each public name is written once, in the stub, which type checkers and editors read as well.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec
from typing import Final

_NO_SIGNS: Final = str.maketrans("(),", "   ")

Exports = tuple[Callable[[str], object], Callable[[], list[str]], tuple[str, ...]]


def exports(
    spec: ModuleSpec, *, what: str = "it", extra: str = "", packages: tuple[str, ...] = ()
) -> Exports:
    """Return `__getattr__`, `__dir__` and `__all__` of a package, by the imports in its stub.

    If a package of an extra is missing, the error names the extra: `what` needs it.
    """
    home = _homes(spec)

    def load(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {spec.name!r} has no attribute {name!r}")
        try:
            return getattr(import_module(home[name]), name)
        except ImportError as missing:
            package = (missing.name or "").partition(".")[0]
            # Another missing module is reported as it is.
            if package not in packages:
                raise
            raise ImportError(
                f"{what} {package}: pip install 'rentbilling[{extra}]'", name=package
            ) from missing

    names = tuple(sorted(home))
    return load, lambda: list(names), names


def _homes(spec: ModuleSpec) -> dict[str, str]:
    home: dict[str, str] = {}
    module = ""
    source: bytes = spec.loader.get_data(f"{spec.origin}i")  # type: ignore[union-attr]
    for line in source.decode().splitlines():
        words = line.translate(_NO_SIGNS).split()
        if words[:1] == ["from"]:
            module, words = words[1], words[3:]
        elif not line.startswith("    "):
            continue
        # Of `Name as Name` every third word.
        home.update(dict.fromkeys(words[2::3], module))
    return home
