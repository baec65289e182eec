"""Settings of Sphinx for the documentation site; build.py calls it.

Law: the pages need nothing from elsewhere when they are read: no font, no script, no search.
"""

import builtins
import inspect
import sys
from pathlib import Path

from docutils import nodes
from pydantic import BaseModel
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.directives.code import CodeBlock
from sphinx.environment import BuildEnvironment

sys.path.insert(0, str(Path(__file__).parent))

from public_names import PAGES, names_of

import rentbilling

project = "rentbilling"
version = release = rentbilling.__version__
copyright = ""  # noqa: A001 - the name that Sphinx reads
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "myst_parser"]
templates_path: list[str] = []
nitpicky = False  # names in docstrings are links where they are public; _link says which

html_theme = "furo"
html_title = "rentbilling"
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = True
html_show_copyright = False
html_theme_options = {"footer_icons": [], "navigation_with_keys": True}

myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
# Texts in shells and outlines are shown as they are, also where a lexer cannot read all of them.
suppress_warnings = ["ref.python", "misc.highlighting_failure"]

# A name in single backticks is a link where it is public, else code.
default_role = "py:obj"
add_module_names = True
toc_object_entries_show_parents = "hide"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
autodoc_inherit_docstrings = True
napoleon_use_rtype = False
napoleon_google_docstring = True
napoleon_numpy_docstring = False

_HOMES = {
    each.name: (f"reference/{page.name}", each.path) for page in PAGES for each in names_of(page)
}
_INTERNAL = ("ordinal", "minor units")


_OF_PYTHON = {*dir(builtins), "date", "datetime"}


class CodeCell(CodeBlock):
    """A cell of a notebook, shown as code."""

    def run(self) -> list[nodes.Node]:
        """Show the cell as Python, whatever kernel its directive names."""
        self.arguments = ["python"]
        return super().run()


def _compare_whole_names(_app: Sphinx, doctree: nodes.document) -> None:
    """Take no field of a record for what Python calls by its name, such as `type` or `date`."""
    for node in doctree.findall(pending_xref):
        if node.get("refdomain") == "py" and node.get("reftarget") in _OF_PYTHON:
            node.attributes.pop("refspecific", None)


def _link(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Node | None:
    """Return the link of a public name, however a docstring or annotation spells it."""
    target = str(node.get("reftarget", ""))
    name = target.removesuffix("()").rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in _HOMES:
        return None
    if "." in target and not target.startswith("rentbilling"):
        return None
    page, path = _HOMES[name]
    uri = app.builder.get_relative_uri(env.current_document.docname, page)
    return nodes.reference("", "", content, internal=True, refuri=f"{uri}#{path}")


def _signature(
    _app: Sphinx,
    what: str,
    _name: str,
    value: object,
    _options: object,
    signature: str | None,
    returned: str | None,
) -> tuple[str | None, str | None] | None:
    """Leave the constructor of a record out, because its fields follow one by one."""
    if what == "class" and isinstance(value, type) and _hides_constructor(value):
        return "", None
    return (signature, returned) if signature else None


def _hides_constructor(kind: type) -> bool:
    """Return whether users do not call a class, or see its fields anyway."""
    return issubclass(kind, BaseModel) or "Args:" not in (kind.__doc__ or "")


def _skip(
    _app: Sphinx,
    _what: str,
    name: str,
    value: object,
    skip: bool,  # noqa: FBT001
    _options: object,
) -> bool | None:
    """Leave out what is for the package itself: guide/compatibility.md says how to tell."""
    words = (inspect.getdoc(value) or "").partition("\n\n")[0]
    if getattr(value, "__module__", "") and not str(value.__module__).startswith("rentbilling"):
        return True
    if name.startswith("_") or any(word in words for word in _INTERNAL):
        return True
    return skip or None


def _words(
    _app: Sphinx, what: str, _name: str, _value: object, _options: object, lines: list[str]
) -> None:
    """Leave out what Python says of the fields of any named tuple."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()
    if what in {"attribute", "property", "data"}:
        # Otherwise napoleon takes words before a colon for a type.
        lines[:0] = ["..", ""]


def setup(app: Sphinx) -> None:
    """Connect what is said above with Sphinx."""
    app.add_directive("code-cell", CodeCell)
    app.add_generic_role("wire", nodes.literal)
    app.connect("doctree-read", _compare_whole_names)
    app.connect("missing-reference", _link)
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-skip-member", _skip)
    app.connect("autodoc-process-docstring", _words, priority=400)
