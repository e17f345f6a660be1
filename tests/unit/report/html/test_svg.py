"""Pictures say the numbers they stand for, on a scale of round numbers."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from report_world import HOSTILE

from tierwise.report.html.svg import Scale, choose_scale, draw_interval, draw_line, read_limit


@pytest.mark.parametrize(
    ("expectation", "limit"),
    [
        ("never leak (below 20 %)", 0.2),
        ("helpful at least 80 %", 0.8),
        ("wrong at most 7.5 %", 0.075),
        ("mean of length between 3 and 5", None),
        ("length at least 12", 12.0),
        ("below .. nothing", None),
    ],
)
def test_the_limit_is_read_from_the_expectation(expectation: str, limit: float | None) -> None:
    """A share is a part of 1, any other number is itself, and none is none."""
    assert read_limit(expectation) == limit


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([0.0, 0.02], Scale(low=0.0, high=0.025)),
        ([0.97, 1.0], Scale(low=0.95, high=1.0)),
        ([0.1, 0.9], Scale(low=0.0, high=1.0)),
        ([0.5], Scale(low=0.0, high=1.0)),
        ([], Scale(low=0.0, high=1.0)),
        ([float("nan")], Scale(low=0.0, high=1.0)),
    ],
)
def test_shares_near_an_end_have_a_scale_that_shows_them(
    values: list[float], scale: Scale
) -> None:
    """The scale of shares begins at 0 or ends at 100 %, with round numbers."""
    assert choose_scale(values, is_share=True) == scale


def test_numbers_lie_within_their_scale() -> None:
    """A scale of other numbers holds them all."""
    scale = choose_scale([-3.0, 12.5], is_share=False)
    assert scale.low <= -3.0 < 12.5 <= scale.high


def test_the_interval_stands_where_its_numbers_are() -> None:
    """Bar, dot, bound and limit are placed by the scale."""
    text = draw_interval(
        estimate=0.5,
        interval=(0.25, 0.75),
        limit=0.8,
        bound=0.7,
        label="half",
        scale=Scale(low=0, high=1),
    )
    picture = ET.fromstring(text)  # noqa: S314  ours
    bar, dot = picture.find("rect"), picture.find("circle")
    assert bar is not None
    assert dot is not None
    assert (bar.get("x"), bar.get("width")) == ("63.0", "114.0")
    assert dot.get("cx") == "120.0"
    places = {line.get("class"): line.get("x1") for line in picture.findall("line")}
    assert (places["limit"], places["bound"]) == ("188.4", "165.6")
    assert [end.text for end in picture.findall("text")] == ["0 %", "100 %"]


def test_nothing_known_is_no_picture() -> None:
    """An interval without a number, and a line without a value, draw nothing."""
    assert draw_interval(estimate=None, interval=None, limit=None, label="") == ""
    assert draw_line([None, None], label="") == ""


def test_a_line_breaks_where_nothing_was_measured() -> None:
    """A missing value is a hole and no zero."""
    text = draw_line([0.0, 1.0, None, 1.0, 0.5], label="leak")
    assert len(re.findall("<polyline", text)) == 2


@pytest.mark.parametrize("label", HOSTILE)
def test_a_label_stays_a_label(label: str) -> None:
    """No label can end its attribute."""
    clean = "".join(char for char in label if char.isprintable())
    picture = ET.fromstring(draw_line([1.0], label=clean))  # noqa: S314  ours
    assert picture.get("aria-label") == clean
    assert {child.tag for child in picture} == {"circle"}


@pytest.mark.parametrize(("is_share", "ends"), [(True, ["-50", "+50"]), (False, ["-0.5", "+0.5"])])
def test_the_scale_of_a_difference_is_in_points_and_signed(
    *, is_share: bool, ends: list[str]
) -> None:
    """A difference of shares is said in points, so its scale has no per cent."""
    picture = draw_interval(
        estimate=0.1,
        interval=(-0.2, 0.3),
        limit=0.0,
        label="",
        is_share=is_share,
        is_difference=True,
        scale=Scale(low=-0.5, high=0.5),
    )
    assert re.findall(r"<text[^>]*>([^<]*)<", picture) == ends


def test_a_run_between_gaps_is_a_dot() -> None:
    """One value with no neighbour has no line, and is still to be seen."""
    picture = draw_line([0.5, None, 0.25, None, 0.125, 0.5], label="x")
    assert picture.count('class="lone"') == 2
    assert picture.count("<polyline") == 1
