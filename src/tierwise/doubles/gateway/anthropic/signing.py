"""Signatures of thinking blocks: a block that was changed on its way back is told."""

from __future__ import annotations

import base64
import binascii
import hashlib

_OURS = b"tierwise"
_SHORTEST = 8


def sign(thinking: str) -> str:
    """Return the signature of a thinking block; the same text has the same one."""
    return base64.b64encode(_OURS + hashlib.sha256(thinking.encode()).digest()).decode()


def is_signed(thinking: str, signature: str) -> bool:
    """Tell whether a signature may stand beside a text.

    One of ours has to fit, but for a text that was left out. One of the vendor's can't be
    checked, and any that is base64 passes for one.
    """
    try:
        data = base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return False
    if not data.startswith(_OURS):
        return len(data) >= _SHORTEST
    return not thinking or signature == sign(thinking)
