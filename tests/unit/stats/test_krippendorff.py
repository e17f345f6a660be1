from __future__ import annotations

import math

import pytest

from tierwise.errors import StatisticsError
from tierwise.stats import Undetermined, krippendorff_alpha

FOUR_RATERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
ITEMS = list(zip(*FOUR_RATERS, strict=True))


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_worked_example_is_reproduced(level: str, value: float) -> None:
    """Four raters, twelve items, gaps: the published figures."""
    assert krippendorff_alpha(ITEMS, level=level) == pytest.approx(value, abs=5e-4)


def test_perfect_agreement_is_one_and_opposition_is_negative() -> None:
    """1 when all agree on differing items, below 0 when they never do."""
    assert krippendorff_alpha([[1, 1], [2, 2]]) == 1
    assert krippendorff_alpha([[1, 2], [2, 1]]) < 0


def test_items_with_one_rating_do_not_count() -> None:
    """A lone rating changes nothing."""
    assert krippendorff_alpha([*ITEMS, [9, None]]) == krippendorff_alpha(ITEMS)


@pytest.mark.parametrize("items", [[], [[1], [2]], [[1, None]], [[1, 1], [1, 1, None]]])
def test_too_little_is_undetermined(items: list[list[float | None]]) -> None:
    """No pair of ratings, or one value only, give a reason."""
    assert isinstance(krippendorff_alpha(items), Undetermined)


def test_nonsense_is_refused() -> None:
    """Unknown levels and NaN raise."""
    with pytest.raises(StatisticsError, match="interval, nominal, ordinal"):
        krippendorff_alpha(ITEMS, level="ratio")
    with pytest.raises(StatisticsError, match="finite"):
        krippendorff_alpha([[1, math.nan]])
