"""Names that a package loads when they are first used, as its stub `__init__.pyi` lists them.

Law: each public name is written once, in the stub, which type checkers and editors read as well.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec
from typing import Final

_NO_SIGNS: Final = str.maketrans("(),", "   ")

Exports = tuple[Callable[[str], object], Callable[[], list[str]], tuple[str, ...]]


def exports(
    spec: ModuleSpec, *, what: str = "it", extra: str = "", packages: tuple[str, ...] = ()
) -> Exports:
    """Return `__getattr__`, `__dir__` and `__all__` of a package, by the imports in its stub.

    If a package of an extra is missing, the error names the extra: `what` needs it. For a name that
    another package of the project has, the error of the project's own package names it.
    """
    home = _homes(spec)

    def load(name: str) -> object:
        if name not in home:
            if "." not in spec.name and (other := _elsewhere(spec, name)):
                raise ImportError(f"{name} is in {other}: from {other} import {name}", name=name)
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


def _elsewhere(spec: ModuleSpec, name: str) -> str | None:
    """Return where below a package a name is offered: by a face, or by a module of adapters."""
    import re  # noqa: PLC0415 - for mistakes alone
    from importlib.util import find_spec  # noqa: PLC0415 - as above

    # The importer asks for modules in this way, too, before it looks for them.
    if name.startswith("_") or find_spec(f"{spec.name}.{name}"):
        return None
    offered = re.compile(
        rf"^(from {spec.name}[\w.]* import (.*\b)?|    |def |class ){name}( as {name}\b|,?$|\()",
        re.MULTILINE,
    )
    found = [module for module, text in _faces(spec) if offered.search(text)]
    return min(found, key=lambda module: (module.count("."), module), default=None)


def _faces(spec: ModuleSpec) -> Iterator[tuple[str, str]]:
    """Give the names and texts of all faces below a package, and of the modules of adapters."""
    from pkgutil import iter_modules  # noqa: PLC0415 - as above

    folders = [(spec.name, folder) for folder in spec.submodule_search_locations or ()]
    for package, folder in folders:
        for each in iter_modules([folder]):
            module, path = f"{package}.{each.name}", f"{folder}/{each.name}"
            if each.ispkg:
                folders.append((module, path))
                path += "/__init__"
            elif package != f"{spec.name}.adapters":
                continue
            for ending in (".py", ".pyi"):
                with suppress(OSError):
                    yield module, spec.loader.get_data(path + ending).decode()  # type: ignore[union-attr]


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
