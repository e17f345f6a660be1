"""Small pictures as SVG text: an interval on its scale, a line over runs."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WIDTH, _HEIGHT = 240, 30
_PAD = 6
_MIDDLE = 10
_LINE_WIDTH, _LINE_HEIGHT = 160, 28
_STEPS = (1, 2, 2.5, 5, 10)
_LIMIT = re.compile(r"(?:below|at least|at most) (-?[\d.]+)( %)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """From which number to which a picture goes."""

    low: float
    high: float

    def place(self, value: float) -> float:
        """Return where a number stands, in pixels from the left."""
        share = (value - self.low) / (self.high - self.low)
        return _PAD + (_WIDTH - 2 * _PAD) * min(1.0, max(0.0, share))


def read_limit(expectation: str) -> float | None:
    """Return the number that an expectation promises: `never leak (below 20 %)` is 0.2."""
    found = _LIMIT.search(expectation)
    if found is None:
        return None
    try:
        number = float(found[1])
    except ValueError:
        return None
    return number / 100 if found[2] else number


def choose_scale(values: Iterable[float], *, is_share: bool) -> Scale:
    """Return a scale of round numbers that holds all values; that of shares begins or ends it."""
    known = [value for value in values if math.isfinite(value)]
    if not known:
        return Scale(low=0.0, high=1.0)
    low, high = min(known), max(known)
    if is_share:
        # Near one end a scale of 0 to 100 % would show a dot and no more.
        if high <= 0.5:  # noqa: PLR2004  the half where all of them lie
            return Scale(low=0.0, high=min(1.0, _round_up(high * 1.15)))
        return Scale(low=0.0 if low < 0.5 else 1.0 - _round_up((1.0 - low) * 1.15), high=1.0)  # noqa: PLR2004
    reach = _round_up((high - low) * 0.6 or abs(high) * 0.5 or 1.0)
    middle = (low + high) / 2
    return Scale(low=middle - reach, high=middle + reach)


def draw_interval(
    *,
    estimate: float | None,
    interval: tuple[float, float] | None,
    limit: float | None,
    label: str,
    bound: float | None = None,
    is_share: bool = True,
    is_difference: bool = False,
    scale: Scale | None = None,
) -> str:
    """Return an interval as a bar, the estimate as a dot on it, the limit as a dashed line.

    The bound, one-sided, is an upright.

    `label` says the same in words. All of it is numbers of ours but the label, which is escaped.
    """
    values = [value for value in (estimate, limit, bound, *(interval or ())) if value is not None]
    if not values:
        return ""
    scale = scale or choose_scale(values, is_share=is_share)
    parts = [_line("axis", _PAD, _WIDTH - _PAD, _MIDDLE)]
    if limit is not None:
        parts.append(_upright("limit", scale.place(limit)))
    if interval is not None:
        low, high = map(scale.place, interval)
        width = max(high - low, 2.0)
        parts.append(
            f'<rect class="interval" x="{low:.1f}" y="{_MIDDLE - 3}" '
            f'width="{width:.1f}" height="6" rx="3"/>'
        )
    if bound is not None:
        parts.append(_upright("bound", scale.place(bound)))
    if estimate is not None:
        parts.append(
            f'<circle class="dot" cx="{scale.place(estimate):.1f}" cy="{_MIDDLE}" r="4"/>'
        )
    parts.append(_ends(scale, is_share=is_share, is_difference=is_difference))
    return _picture("plot", (_WIDTH, _HEIGHT), label, parts)


def draw_line(values: Sequence[float | None], *, label: str) -> str:
    """Return a line through the values, oldest first, broken where there is none."""
    known = [value for value in values if value is not None]
    if not known:
        return ""
    low, high = min(known), max(known)
    places = [
        None if value is None else _point(values, i, low, high) for i, value in enumerate(values)
    ]
    parts = [_stretch(run) for run in _runs_of(places)]
    last = next(place for place in reversed(places) if place is not None)
    parts.append(f'<circle class="dot" cx="{last[0]:.1f}" cy="{last[1]:.1f}" r="3"/>')
    return _picture("spark", (_LINE_WIDTH, _LINE_HEIGHT), label, parts)


def _point(
    values: Sequence[float | None], place: int, low: float, high: float
) -> tuple[float, float]:
    value = values[place]
    assert value is not None  # noqa: S101  asked for known values alone
    steps = max(1, len(values) - 1)
    x = 4 + (_LINE_WIDTH - 8) * (place / steps if len(values) > 1 else 0.5)
    share = (value - low) / (high - low) if high > low else 0.5
    return x, _LINE_HEIGHT - 5 - (_LINE_HEIGHT - 10) * share


def _runs_of(
    places: Sequence[tuple[float, float] | None],
) -> list[list[tuple[float, float]]]:
    runs: list[list[tuple[float, float]]] = [[]]
    for place in places:
        if place is None:
            runs.append([])
        else:
            runs[-1].append(place)
    return [run for run in runs if run]


def _stretch(run: Sequence[tuple[float, float]]) -> str:
    if len(run) == 1:  # between two gaps: there is nothing to draw a line to
        return f'<circle class="lone" cx="{run[0][0]:.1f}" cy="{run[0][1]:.1f}" r="1.5"/>'
    return f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in run)}"/>'


def _round_up(value: float) -> float:
    if value <= 0:
        return 0.01
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in _STEPS if step * power >= value * (1 - 1e-9))


def _ends(scale: Scale, *, is_share: bool, is_difference: bool) -> str:
    sign, unit = ("+", "") if is_difference else ("", " %" if is_share else "")
    low, high = (
        f"{end * 100 if is_share else end:{sign}.4g}{unit}" for end in (scale.low, scale.high)
    )
    return (
        f'<text class="end" x="{_PAD}" y="{_HEIGHT - 3}">{low}</text>'
        f'<text class="end" x="{_WIDTH - _PAD}" y="{_HEIGHT - 3}" text-anchor="end">{high}</text>'
    )


def _line(name: str, start: float, end: float, height: float) -> str:
    return f'<line class="{name}" x1="{start:.1f}" x2="{end:.1f}" y1="{height}" y2="{height}"/>'


def _upright(name: str, place: float) -> str:
    return f'<line class="{name}" x1="{place:.1f}" x2="{place:.1f}" y1="1" y2="{_MIDDLE + 9}"/>'


def _picture(name: str, size: tuple[int, int], label: str, parts: Iterable[str]) -> str:
    width, height = size
    return (
        f'<svg class="{name}" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{_escape(label)}">{"".join(parts)}</svg>'
    )


def _escape(text: str) -> str:
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(char, entity)
    return text
