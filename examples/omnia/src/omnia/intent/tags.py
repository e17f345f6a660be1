"""The tags that stand for people in stored text: `entity@id[surface]`."""

from __future__ import annotations

import re
from typing import Final

TAG: Final = re.compile(r"entity@(?P<id>[^\s\[\]@]+)\[(?P<surface>[^\[\]]*)\]")
_BRACKETS: Final = str.maketrans("[]", "()")


def make_tag(entity_id: str, surface: str) -> str:
    """Return a tag; brackets in the surface become round, so that tags never nest."""
    return f"entity@{entity_id}[{plain(surface)}]"


def plain(text: str) -> str:
    """Return text that cannot be part of a tag."""
    return text.translate(_BRACKETS)


def strip_tags(text: str) -> str:
    """Return the text with each tag replaced by its surface, forged and nested ones too."""
    while TAG.search(text):
        text = TAG.sub(lambda match: match["surface"], text)
    return text
