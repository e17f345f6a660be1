"""What a known gap says of itself: the ticket that its reason names."""

from __future__ import annotations

import re

_TICKET = re.compile(
    r"""
    https?://[^\s,;)\]>]+              # an address of a tracker
  | \b[A-Z][A-Z0-9]+-\d+\b             # FORGE-569
  | (?<!\w)\#\d+\b                     # #12
  | \b(?i:gh|issues?)[ /#-]+\d+\b      # GH-12, issue 12
    """,
    re.VERBOSE,
)
_NO_TICKET = re.compile(r"(?:UTF|ISO|SHA|RFC|PEP|CVE)-\d+")


def find_ticket(reason: str) -> str:
    """Return what in a reason names a ticket, or "" when nothing does."""
    for found in _TICKET.finditer(reason):
        if not _NO_TICKET.fullmatch(found[0]):
            return found[0].rstrip(".")
    return ""
