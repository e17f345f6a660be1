"""A badge for a README: how many levels of the map are covered, as a small SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tierwise.report.machine.text import one_line, xml_text
from tierwise.report.machine.wording import say_coverage
from tierwise.report.map import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.report.map import LevelRow

_LABEL = "tierwise"
_LONGEST = 60
# White text on each has a contrast of at least 4.5 to 1.
_GREEN, _AMBER, _GREY, _DARK = "#2e7d32", "#8a5a00", "#5f6368", "#3c4043"
_NARROW, _WIDE = frozenset("fijlrt.,:;|!'()[] 1"), frozenset("mwMW@%")
_BADGE = """\
<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{title}"
 width="{width}" height="20">
<title>{title}</title>
<clipPath id="edge"><rect width="{width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#edge)">
<rect width="{left}" height="20" fill="{dark}"/>
<rect x="{left}" width="{right}" height="20" fill="{colour}"/>
</g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="{label_at}" y="14" textLength="{label_width}">{label}</text>
<text x="{text_at}" y="14" textLength="{text_width}">{text}</text>
</g>
</svg>
"""


def write_badge(levels: Sequence[LevelRow]) -> str:
    """Return the badge of a map: green when no level that has tiers is in doubt."""
    return draw_badge(_LABEL, say_coverage(levels), colour_of(levels))


def colour_of(levels: Sequence[LevelRow]) -> str:
    """Return amber where a level is covered in part, else green where one is, else grey."""
    statuses = {row.status for row in levels}
    if Status.PARTIAL in statuses:
        return _AMBER
    return _GREEN if Status.COVERED in statuses else _GREY


def draw_badge(label: str, text: str, colour: str) -> str:
    """Return an SVG that shows two texts side by side, and says them to a screen reader."""
    label, text = (xml_text(one_line(each, _LONGEST)) for each in (label, text))
    label_width, text_width = width_of(label), width_of(text)
    left, right = label_width + 12, text_width + 12
    return _BADGE.format(
        width=left + right,
        title=escape(f"{label}: {text}"),
        left=left,
        right=right,
        dark=_DARK,
        colour=colour,
        label=escape(label),
        text=escape(text),
        label_at=left / 2,
        text_at=left + right / 2,
        label_width=label_width,
        text_width=text_width,
    )


def width_of(text: str) -> int:
    """Return about how wide a text is in pixels; the badge holds its text to exactly that."""
    widths = (4.4 if char in _NARROW else 10.5 if char in _WIDE else 6.9 for char in text)
    return round(sum(widths))
