"""Hostile text for machines: on one line, or in XML, with nothing in it that is obeyed."""

from __future__ import annotations

import re

from tierwise.report.html.text import show_text

_NO_XML = re.compile("[\ufffe\uffff]")


def one_line(text: str, longest: int = 500) -> str:
    """Return the text on one line, what cannot be seen written out; its beginning, when long."""
    line = " ".join(xml_text(text).split())
    return line if len(line) <= longest else f"{line[:longest]} ..."


def xml_text(text: str) -> str:
    r"""Return the text without what no XML may hold: it is written as its escape (`\x1b`)."""
    return _NO_XML.sub(lambda found: ascii(found[0])[1:-1], show_text(text))
