from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest
from machine_facts import CORPUS, levels

from tierwise.report.machine.badge import colour_of, draw_badge, width_of, write_badge

SVG = "{http://www.w3.org/2000/svg}"


def read(text: str) -> Element:
    return fromstring(text)  # noqa: S314  made a line before


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` as WCAG 2 defines it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_the_badge_says_the_map_s_status() -> None:
    """To the eye, and to a screen reader."""
    image = read(write_badge(levels(covered=7, partial=0)))
    assert image.attrib["role"] == "img"
    assert image.attrib["aria-label"] == "tierwise: 7 of 12 levels covered"
    assert image.findtext(f"{SVG}title") == "tierwise: 7 of 12 levels covered"
    assert [one.text for one in image.iter(f"{SVG}text")] == ["tierwise", "7 of 12 levels covered"]


@pytest.mark.parametrize(
    ("covered", "partial", "colour"),
    [(7, 0, "#2e7d32"), (7, 1, "#8a5a00"), (0, 1, "#8a5a00"), (0, 0, "#5f6368")],
)
def test_the_colour_is_green_only_without_a_doubt(covered: int, partial: int, colour: str) -> None:
    """A level in part is amber, nothing at all is grey; there is no shade between."""
    assert colour_of(levels(covered, partial)) == colour
    assert colour in write_badge(levels(covered, partial))


@pytest.mark.parametrize("colour", ["#2e7d32", "#8a5a00", "#5f6368", "#3c4043"])
def test_white_text_is_readable_on_each_colour(colour: str) -> None:
    """A contrast of at least 4.5 to 1."""
    assert 1.05 / (luminance(colour) + 0.05) >= 4.5


def test_the_texts_fit_into_their_boxes() -> None:
    """Each has its own width and room on both sides."""
    image = read(draw_badge("tierwise", "12 of 12 levels covered", "#2e7d32"))
    left, right = (float(one.attrib["width"]) for one in image.findall(f"{SVG}g/{SVG}rect"))
    texts = list(image.iter(f"{SVG}text"))
    assert [float(one.attrib["textLength"]) + 12 for one in texts] == [left, right]
    assert float(image.attrib["width"]) == left + right
    assert [float(one.attrib["x"]) for one in texts] == [left / 2, left + right / 2]
    assert width_of("iii") < width_of("aaa") < width_of("mmm")


@pytest.mark.parametrize("hostile_text", CORPUS)
def test_hostile_text_stays_text(hostile_text: str) -> None:
    """No element, attribute or script is begun by a label or a text."""
    image = read(draw_badge(hostile_text, hostile_text, "#2e7d32"))
    tags = {element.tag.removeprefix(SVG) for element in image.iter()}
    assert tags == {"svg", "title", "clipPath", "rect", "g", "text"}
    assert set(image.attrib) == {"role", "aria-label", "width", "height"}
