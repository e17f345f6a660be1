"""Agreement of any number of raters, with gaps: Krippendorff's alpha."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Literal

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_number
from tierwise.stats.values import Undetermined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Distance = Callable[[float, float], float]

_MIN_RATINGS = 2


def krippendorff_alpha(
    items: Sequence[Sequence[float | None]],
    *,
    level: Literal["nominal", "ordinal", "interval"] = "nominal",
) -> float | Undetermined:
    """Return alpha from the ratings of each item, one per rater, None where one is missing.

    1 is perfect agreement, 0 what chance gives; items with a single rating do not count.
    Population: items like these. Assumption: raters are exchangeable. Guarantee: a point
    estimate. Reference: Krippendorff 2011. Oracle: test_krippendorff.py, his worked example.
    """
    if level not in ("nominal", "ordinal", "interval"):
        raise StatisticsError(f"level={level!r}: expected one of: interval, nominal, ordinal.")
    pairable = [ratings for ratings in map(_present, items) if len(ratings) >= _MIN_RATINGS]
    totals = Counter(rating for ratings in pairable for rating in ratings)
    n = totals.total()
    if not n:
        return Undetermined(reason="no item has two ratings")
    distance = _distance(level, totals)
    observed = math.fsum(
        distance(a, b) / (len(ratings) - 1)
        for ratings in pairable
        for a, b in _ordered_pairs(ratings)
    )
    expected = math.fsum(
        totals[a] * totals[b] * distance(a, b) for a in totals for b in totals
    ) / (n - 1)
    if math.isclose(expected, 0.0, abs_tol=1e-15):
        return Undetermined(reason="all ratings are the same, so chance explains all")
    return 1.0 - observed / expected


def _distance(level: str, totals: Counter[float]) -> Distance:
    if level == "nominal":
        return lambda a, b: float(a != b)
    if level == "interval":
        return lambda a, b: (a - b) ** 2

    def by_rank(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(count for value, count in totals.items() if low <= value <= high)
        return (between - (totals[a] + totals[b]) / 2.0) ** 2

    return by_rank


def _ordered_pairs(ratings: Sequence[float]) -> Iterator[tuple[float, float]]:
    for i, a in enumerate(ratings):
        for j, b in enumerate(ratings):
            if i != j:
                yield a, b


def _present(ratings: Sequence[float | None]) -> list[float]:
    return [require_number("rating", rating) for rating in ratings if rating is not None]
