"""Turn any value into one harmless line of a prompt."""

from __future__ import annotations


def one_line(text: str) -> str:
    """Return the text on one line, with every control or separating character escaped.

    A value that holds a line break could otherwise forge a second attribute in a prompt.
    """
    return "".join(map(_escape, text))


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")
