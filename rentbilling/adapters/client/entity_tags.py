"""The tags of objects as a client has received them, for changes of what is still so.

Law: a tag belongs to one answer, and is gone with it: two answers that are equal may be of two
moments.
"""

from weakref import ref

from rentbilling.errors import InvalidRecordError


class EntityTags:
    """The `ETag` of each answer that is still in use; threads may share it."""

    def __init__(self) -> None:
        self._tags: dict[int, tuple[ref[object], str]] = {}

    def remember(self, answer: object, tag: str | None) -> None:
        """Remember the tag of an answer, if it has one."""
        if tag is not None:
            name = id(answer)
            self._tags[name] = ref(answer, lambda _: self._tags.pop(name, None)), tag

    def of(self, known: object) -> str:
        """Return the tag of an answer, or a tag itself; empty for None.

        Raises:
            InvalidRecordError: `if_match`: it is no answer that came with a tag.
        """
        if known is None or isinstance(known, str):
            return known or ""
        answer, tag = self._tags.get(id(known), (None, ""))
        if answer is None or answer() is not known:
            said, expected = "came from no answer with an ETag", "what this client retrieved"
            raise InvalidRecordError.of("if_match", "unknown_tag", said, known, expected)
        return tag
