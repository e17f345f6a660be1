"""Answers as vendors really write them, for the tests of what they mean."""

from __future__ import annotations

import json

from tierwise.live import Observed


def refused(
    status: int, message: str = "", *, code: str = "", sent_key: bool | None = True
) -> Observed:
    """Return an error with the envelope that most vendors use."""
    error = {"message": message, "type": code} if code else {"message": message}
    return Observed.read(status, json.dumps({"error": error}), sent_key=sent_key)


def answered(text: str = '{"choices": [{"message": {"content": "hi"}}]}') -> Observed:
    """Return a success."""
    return Observed.read(200, text, sent_key=True)
