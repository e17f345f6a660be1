"""What an id may look like."""

from __future__ import annotations

import re

_ID = re.compile(r"[^\s\[\]@]+")


def require_id(text: str) -> str:
    """Return the id; refuse an empty one and one with blanks, brackets or @.

    Those four would break the tags that stand for entities in stored text.
    """
    if not _ID.fullmatch(text):
        raise ValueError(f"an id has no blanks, brackets or @ and is not empty; got {text!r}")
    return text
