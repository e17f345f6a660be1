"""Many evals at once: alarms need control, and which control is said by name.

An alarm is "something got worse". Approvals ("all are good") need no correction: each has to
pass by itself. Each function gives adjusted p-values in the order asked; reject where they are at
most alpha.
"""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING

from tierwise.stats.arguments import require_alpha, require_count, require_share
from tierwise.stats.e_values import require_e_values

if TYPE_CHECKING:
    from collections.abc import Sequence


def bonferroni(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values that control the chance of any false alarm, the plainest way.

    Population: the family fixed in the plan. Assumption: none. Guarantee: family-wise error at
    most alpha. Reference: Dunn 1961. Oracle: test_many.py, statsmodels multipletests.
    """
    family = _require_family(p_values)
    return tuple(min(1.0, p * len(family)) for p in family)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values that control the chance of any false alarm: for gates.

    Population: the family fixed in the plan. Assumption: none. Guarantee: family-wise error at
    most alpha, never weaker than Bonferroni. Reference: Holm 1979. Oracle: test_many.py,
    statsmodels multipletests.
    """
    family = _require_family(p_values)
    return _step_down(family, [float(len(family) - rank) for rank in range(len(family))])


def hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values that control the chance of any false alarm, stepping up.

    Population: the family fixed in the plan. Assumption: independent or positively dependent
    tests. Guarantee: family-wise error at most alpha. Reference: Hochberg 1988. Oracle:
    test_many.py, statsmodels multipletests.
    """
    family = _require_family(p_values)
    return _step_up(family, [float(len(family) - rank) for rank in range(len(family))])


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values that control the share of false alarms among alarms: for dashboards.

    Population: the family fixed in the plan. Assumption: independent or positively dependent
    tests. Guarantee: false discovery rate at most alpha. Reference: Benjamini & Hochberg 1995.
    Oracle: test_many.py, scipy.stats.false_discovery_control.
    """
    family = _require_family(p_values)
    return _step_up(family, [len(family) / (rank + 1) for rank in range(len(family))])


def benjamini_yekutieli(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values that control the share of false alarms among alarms, whatever depends.

    Population: the family fixed in the plan. Assumption: none. Guarantee: false discovery rate
    at most alpha. Reference: Benjamini & Yekutieli 2001. Oracle: test_many.py,
    scipy.stats.false_discovery_control.
    """
    family = _require_family(p_values)
    harmonic = math.fsum(1.0 / rank for rank in range(1, len(family) + 1))
    return _step_up(family, [harmonic * len(family) / (i + 1) for i in range(len(family))])


def e_bh(e_values: Sequence[float], *, alpha: float = 0.05) -> tuple[bool, ...]:
    """Return which e-values are alarms, with the share of false ones held at alpha.

    Population: the family fixed in the plan. Assumption: none. Guarantee: false discovery rate
    at most alpha. Reference: Wang & Ramdas 2022. Oracle: test_many.py, by hand.
    """
    values = require_e_values(e_values)
    level = require_alpha(alpha)
    size = len(values)
    ordered = sorted(values, reverse=True)
    passing = [k for k, e in enumerate(ordered, 1) if e >= size / (k * level)]
    limit = size / (passing[-1] * level) if passing else math.inf
    return tuple(e >= limit for e in values)


def false_alarm_probability(evals: int, *, alpha: float = 0.05) -> float:
    """Return the chance that at least one of so many unchanged evals alarms without control.

    Population: evals in which nothing changed. Assumption: independent evals. Guarantee: exact.
    Reference: 1 - (1 - alpha)**evals. Oracle: test_many.py, closed form.
    """
    return -math.expm1(require_count("evals", evals) * math.log1p(-require_alpha(alpha)))


def _step_down(family: Sequence[float], factors: Sequence[float]) -> tuple[float, ...]:
    order = sorted(range(len(family)), key=family.__getitem__)
    scaled = [family[i] * factor for i, factor in zip(order, factors, strict=True)]
    return _put_back(order, list(accumulate(scaled, max)))


def _step_up(family: Sequence[float], factors: Sequence[float]) -> tuple[float, ...]:
    order = sorted(range(len(family)), key=family.__getitem__)
    scaled = [family[i] * factor for i, factor in zip(order, factors, strict=True)]
    return _put_back(order, list(accumulate(reversed(scaled), min))[::-1])


def _put_back(order: Sequence[int], adjusted: Sequence[float]) -> tuple[float, ...]:
    placed = dict(zip(order, adjusted, strict=True))
    return tuple(min(1.0, placed[i]) for i in range(len(order)))


def _require_family(p_values: Sequence[float]) -> list[float]:
    return [require_share(f"p_values[{i}]", p) for i, p in enumerate(p_values)]
