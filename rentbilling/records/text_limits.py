"""How long what a caller sends may be, and which characters it may hold: every number in one place.

Laws: every bound is a whole number with its reason; what is within all of them can be
listed, a hundred objects to a page, in less than the 64 MiB that a client reads (A43).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from rentbilling.errors import Problem, shown

MOST_OF_A_WORD: Final = 250
"""Characters of an id, a key or another word: of any script, an index of a database takes so
many."""
MOST_OF_A_TEXT: Final = 1_000
"""Characters of a name, a street or another text on one line: no form has a longer line."""
MOST_OF_A_LONG_TEXT: Final = 4_000
"""Characters of a description: a page full."""
MOST_IN_A_LIST: Final = 1_000
"""Entries of one list or dictionary: a rent that changes every month for eighty years."""
MOST_IN_ALL_LISTS: Final = 4_000
"""Entries of all lists and dictionaries of one request together: four lists that are full."""
MOST_OF_ALL_TEXTS: Final = 64_000
"""Bytes of all texts of one request together, as JSON writes them in UTF-8: a thousand ids of 36
characters and some descriptions. A hundred objects made of several such requests fit a page."""

CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""A control character: no line on a bill shows it, some databases and readers refuse it."""
CONTROL_IN_LINES: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""The same in a text of several lines, in which line breaks and tabs are none."""


@dataclass(frozen=True, slots=True)
class TextBound:
    r"""What is asked of a text that a caller sends.

    Examples:
        >>> [fault.code for fault in TextBound(5, says_something=True).faults("\t     ")]
        ['too_long', 'control_character', 'blank']
    """

    most: int
    """How many characters it has at most."""
    says_something: bool = False
    """Whether blanks alone are refused."""
    lines: bool = False
    """Whether it may have several lines, and tabs."""
    never_empty: bool = False
    """Whether nothing is refused here; where a field's type refuses it, this need not."""

    def needed(self) -> "TextBound":
        """Return the bound of the same text where one is required."""
        known = self.says_something
        return self if known else replace(self, says_something=True, never_empty=True)

    def faults(self, text: str) -> Iterator[Problem]:
        if len(text) > self.most:
            said = f"has {len(text)} characters"
            yield Problem("", "too_long", said, shown(text), f"at most {self.most}")
        found = (CONTROL_IN_LINES if self.lines else CONTROL).search(text)
        if found:
            said = f"holds a control character at its place {found.start() + 1}"
            allowed = " but line breaks (\\n) and tabs" if self.lines else ""
            expected = f"a text without control characters{allowed}"
            yield Problem("", "control_character", said, shown(found.group()), expected)
        if self.never_empty and not text:
            yield Problem("", "empty_text", "is empty", shown(text), "a text")
        if self.says_something and text and not text.strip():
            yield Problem("", "blank", "is blank", shown(text), "a text that says something")

    def pattern(self) -> str:
        r"""Return the regular expression of what has no such fault, its length apart.

        It is made of what all dialects know: those of ECMAScript, of Python, of RE2 and of Java.

        Examples:
            >>> print(TextBound(250).pattern())
            ^[^\x00-\x1F\x7F-\x9F]*$
        """
        none = r"\x00-\x08\x0B-\x1F\x7F-\x9F" if self.lines else r"\x00-\x1F\x7F-\x9F"
        some = f"[^\\s{none}][^{none}]*" if self.says_something else ""
        return f"^[^{none}]*{some}$"


A_WORD: Final = TextBound(MOST_OF_A_WORD, says_something=True)
"""An id, a key, a word that others may list."""
A_KEY: Final = replace(A_WORD, never_empty=True)
"""A key of a dictionary, or a word whose reader takes an empty one."""
A_NAME: Final = TextBound(MOST_OF_A_TEXT, says_something=True)
"""A name or another text that says something."""
A_TEXT: Final = TextBound(MOST_OF_A_TEXT)
"""A text on one line, which may be empty."""
A_LONG_TEXT: Final = TextBound(MOST_OF_A_LONG_TEXT, lines=True)
"""A description, which may have lines."""
