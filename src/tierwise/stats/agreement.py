"""Do two raters, a person and a judge for example, agree beyond chance?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tierwise.errors import StatisticsError
from tierwise.stats.arguments import require_confidence, require_count
from tierwise.stats.distributions import normal_quantile
from tierwise.stats.values import Interval, Undetermined

if TYPE_CHECKING:
    from collections.abc import Sequence

    Matrix = list[list[float]]

_MIN_CATEGORIES = 2
_NO_SPREAD = Undetermined(reason="the ratings leave no spread, which is not the same as no error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Cohen's kappa with what must be read beside it."""

    kappa: float
    error: float | Undetermined
    interval: Interval | Undetermined
    observed: float
    """Share of items on which both agree."""
    row_shares: tuple[float, ...]
    """How often the first rater chose each category."""
    column_shares: tuple[float, ...]
    recalls: tuple[float | Undetermined, ...]
    """Of the items the first rater put in a category, the share the second put there too.

    With a person as first rater and two categories: sensitivity and specificity.
    """


def cohen_kappa(
    table: Sequence[Sequence[int]],
    *,
    weights: Literal["none", "quadratic"] = "none",
    confidence: float = 0.95,
) -> Agreement | Undetermined:
    """Return kappa of a square table: rows by the first rater, columns by the second.

    `quadratic` weights are for ordered categories. Kappa falls when one category is rare,
    however often the raters agree: read `observed`, the shares and the recalls beside it.
    Population: items like these. Assumption: independent items. Guarantee: standard error for
    large samples. Reference: Cohen 1960; Fleiss, Cohen & Everitt 1969. Oracle:
    test_agreement.py, statsmodels cohens_kappa.
    """
    counts = _require_table(table)
    level = require_confidence(confidence)
    if weights not in ("none", "quadratic"):
        raise StatisticsError(f"weights={weights!r}: expected one of: none, quadratic.")
    n = sum(map(sum, counts))
    if n == 0:
        return Undetermined(reason="no item was rated by both")
    cells = [[count / n for count in row] for row in counts]
    rows, columns = [math.fsum(r) for r in cells], [math.fsum(c) for c in zip(*cells, strict=True)]
    weighing = _weigh(len(cells), quadratic=weights == "quadratic")
    chance = _total(weighing, [[row * column for column in columns] for row in rows])
    if math.isclose(chance, 1.0, abs_tol=1e-12):
        return Undetermined(reason="both raters used one category only, so chance explains all")
    kappa = (_total(weighing, cells) - chance) / (1.0 - chance)
    variance = _kappa_variance(cells, weighing, kappa=kappa, chance=chance) / n
    error = math.sqrt(variance) if variance > 1e-15 else _NO_SPREAD  # noqa: PLR2004  rounding
    return Agreement(
        kappa=kappa,
        error=error,
        interval=_interval(kappa, error, level),
        observed=math.fsum(cells[i][i] for i in range(len(cells))),
        row_shares=tuple(rows),
        column_shares=tuple(columns),
        recalls=tuple(_recall(row, place) for place, row in enumerate(counts)),
    )


def _weigh(size: int, *, quadratic: bool) -> Matrix:
    if not quadratic:
        return [[float(i == j) for j in range(size)] for i in range(size)]
    return [[1.0 - ((i - j) / (size - 1)) ** 2 for j in range(size)] for i in range(size)]


def _total(weighing: Matrix, cells: Matrix) -> float:
    return math.fsum(
        w * cell
        for weights, row in zip(weighing, cells, strict=True)
        for w, cell in zip(weights, row, strict=True)
    )


def _kappa_variance(cells: Matrix, weighing: Matrix, *, kappa: float, chance: float) -> float:
    """Return n times the variance of Fleiss, Cohen and Everitt."""
    size = range(len(cells))
    rows = [math.fsum(row) for row in cells]
    columns = [math.fsum(column) for column in zip(*cells, strict=True)]
    row_means = [math.fsum(columns[j] * weighing[i][j] for j in size) for i in size]
    column_means = [math.fsum(rows[i] * weighing[i][j] for i in size) for j in size]
    spread = math.fsum(
        cells[i][j] * (weighing[i][j] - (row_means[i] + column_means[j]) * (1.0 - kappa)) ** 2
        for i in size
        for j in size
    )
    return (spread - (kappa - chance * (1.0 - kappa)) ** 2) / (1.0 - chance) ** 2


def _interval(kappa: float, error: float | Undetermined, level: float) -> Interval | Undetermined:
    if isinstance(error, Undetermined):
        return error
    half = normal_quantile((1.0 + level) / 2.0) * error
    return Interval(low=kappa - half, high=kappa + half, confidence=level, method="kappa, normal")


def _recall(row: Sequence[int], place: int) -> float | Undetermined:
    total = sum(row)
    if not total:
        return Undetermined(reason="the first rater never chose this category")
    return row[place] / total


def _require_table(table: Sequence[Sequence[int]]) -> list[list[int]]:
    counts = [
        [require_count(f"table[{i}][{j}]", cell) for j, cell in enumerate(row)]
        for i, row in enumerate(table)
    ]
    if len(counts) < _MIN_CATEGORIES or any(len(row) != len(counts) for row in counts):
        shape = f"{len(counts)} rows of {sorted({len(row) for row in counts})} cells"
        raise StatisticsError(
            f"table has {shape}: expected as many columns as rows, and 2 or more."
        )
    return counts
