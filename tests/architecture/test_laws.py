"""The core keeps its laws, and breaking one is noticed."""

import ast

from tests.architecture import laws
from tests.architecture.sources import CORE_MODULES, named, tree_of
from tests.support.rows import rows


def test_the_core_follows_its_laws() -> None:
    broken = {
        f"{named(path)}: {law.__name__}": found
        for path in CORE_MODULES
        for law in laws.LAWS
        if (found := list(law(tree_of(path))))
    }

    assert {} == broken


@rows(
    ("law", "source"),
    [
        (laws.forbidden_names, "x = float('1')"),
        (laws.forbidden_names, "x = isinstance(y, float)"),
        (laws.forbidden_names, "import decimal\nx = decimal.getcontext()"),
        (laws.forbidden_names, "from decimal import localcontext"),
        (laws.forbidden_names, "def f(path): return open(path)"),
        (laws.forbidden_names, "half = 0.5"),
        (laws.forbidden_names, "x = eval('1')"),
        (laws.clocks, "from datetime import date\nx = date.today()"),
        (laws.clocks, "import time"),
        (laws.clocks, "from time import monotonic"),
        (laws.module_state, "X = []"),
        (laws.module_state, "X: dict[str, int] = {}"),
        (laws.module_state, "__all__ = ['a']"),
        (laws.module_state, "X = ('a', [1])"),
        (laws.module_state, "if True:\n    X = set()"),
        (laws.module_state, "try:\n    pass\nexcept ValueError:\n    X = defaultdict(int)"),
        (laws.module_state, "X = MappingProxyType({'a': [1]})"),
        (laws.module_state, "X = tuple({} for _ in 'ab')"),
        (laws.module_state, "X = 1\nX += 1"),
        (laws.module_state, "def f():\n    global X\n    X = 1"),
        (laws.foreign_private_names, "from rentbilling.values.money import _exact"),
        (laws.foreign_private_names, "import rentbilling._money"),
        (laws.foreign_private_names, "from rentbilling import money\nmoney._exact()"),
        (laws.imports_of_the_root, "import rentbilling"),
        (laws.imports_of_the_root, "from rentbilling import Amount"),
        (laws.imports_of_the_root, "from .money import Amount"),
        (laws.untold_refusals, 'def f(x):\n    """Say.\n\n    More.\n    """\n    raise OSError'),
    ],
)
def test_a_broken_law_is_noticed(law: laws.Law, source: str) -> None:
    broken = list(law(ast.parse(source)))

    assert 1 == len(broken)


@rows(
    ("law", "source"),
    [
        (laws.forbidden_names, "import re\nX = re.compile('a')"),
        (laws.module_state, "__all__ = ('a',)"),
        (laws.module_state, "X = MappingProxyType({'a': (1,)})"),
        (laws.module_state, "X = frozenset({'a'})\nY = tuple([1])"),
        (laws.module_state, "def f():\n    return []"),
        (
            laws.foreign_private_names,
            "class A:\n    __slots__ = ('_a',)\n    def f(s): return s._a",
        ),
        (laws.foreign_private_names, "def f(record): return record._replace(a=1)"),
        (laws.imports_of_the_root, "from rentbilling.values.money import Amount"),
        (laws.untold_refusals, 'def f(x):\n    """Say."""\n    raise OSError'),
    ],
)
def test_what_a_law_allows_is_left_alone(law: laws.Law, source: str) -> None:
    broken = list(law(ast.parse(source)))

    assert [] == broken
