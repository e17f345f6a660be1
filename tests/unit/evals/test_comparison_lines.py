"""A comparison as a person reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.evals.comparing import ComparisonPlan, compare_sides
from tierwise.evals.comparison_lines import comparison_lines, metric_cells, say_p

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., Any]


def rate(x: int, n: int) -> list[Any]:
    return [{"leak": i < x} for i in range(n)]


def test_a_comparison_names_its_sides_and_all_it_rests_on(
    make_scores: Make, make_side: Make
) -> None:
    """Runs, cases, means, both populations, what was not compared, and what else differs."""
    a = {"same": rate(1, 20), "gone": rate(0, 2)}
    b = {"same": rate(15, 20), "new": rate(0, 2)}
    one = make_side(
        make_scores(a, better={"leak": "lower"}, trials=20),
        make_scores(a, eval_id="old"),
        run="20260101-aa",
        commit="c0ffee1234",
    )
    two = make_side(
        make_scores(b, better={"leak": "lower"}, trials=20), run="20260102-bb", finished_at=""
    )
    lines = comparison_lines(compare_sides([(one, two)], ComparisonPlan()))
    assert lines == [
        "A  20260101-aa  x  (2026-01-01T00:00:00, commit c0ffee12)",
        "B  20260102-bb  x  (2026-01-01T00:00:00, not finished)",
        "",
        "e  [1 case on both sides, 22 and 22 scored trials]",
        "  leak (lower is better): A 5 %, B 75 %",
        (
            "    for these cases: A is better: +70 points; 95 % interval +47.2 to +92.8 (t within "
            "cases); p < 0.0001 (exact within cases)"
        ),
        "    for cases like these: undetermined: one case says nothing about cases like it",
        "  cases run by A alone (1): gone",
        "  cases run by B alone (1): new",
        "evals run by A alone (1): old",
    ]


def test_no_difference_says_what_would_have_been_shown(make_scores: Make, make_side: Make) -> None:
    """And of several differences how many were corrected for."""

    def side(shift: float, run: str) -> Any:
        sizes = [[10.0 + i + j + shift * (-1) ** i for j in range(4)] for i in range(8)]
        cases = {
            f"c{i}": [{"leak": False, "size": size, "cost": size / 2} for size in of_case]
            for i, of_case in enumerate(sizes)
        }
        return make_side(make_scores(cases), run=run)

    lines = comparison_lines(compare_sides([(side(0.0, "A"), side(0.1, "B"))], ComparisonPlan()))
    leak = next(
        line for line in lines if "for these cases: no difference shown: +0 points" in line
    )
    assert "p 1 (exact within cases), 1 by Holm over 3 differences" in leak
    assert "points would have been shown 4 times of 5" in leak
    assert any("for these cases: no difference shown: +0; 95 % interval" in line for line in lines)
    caution = "caution: only 8 cases: the interval may be too short; add cases rather than trials"
    assert sum(caution in line for line in lines) == 1


def test_cells_of_a_metric_without_a_better_way(make_scores: Make, make_side: Make) -> None:
    """Then the side that is higher is named, and nobody wins."""
    one = make_scores({"c": [{"size": float(i)} for i in range(9)]})
    two = make_scores({"c": [{"size": i + 100.0} for i in range(9)]})
    (found,) = compare_sides([(make_side(one), make_side(two, run="B"))], ComparisonPlan())
    ((_, metric),) = found.differences
    assert metric_cells(metric, "these_cases") == (
        "4",
        "104",
        "+100",
        "+97.26 to +102.7",
        "< 0.0001",
        "B is higher",
    )
    assert metric_cells(metric, "cases_like_these")[2:] == ("+100", "-", "-", "undetermined")


def test_an_eval_without_a_common_metric_says_so(make_scores: Make, make_side: Make) -> None:
    """An empty paragraph would look like nothing to worry about."""
    one, two = make_scores({"c": [{"old": True}]}), make_scores({"c": [{"new": True}]})
    found = compare_sides([(make_side(one), make_side(two, run="B"))], ComparisonPlan())
    assert "  nothing to compare: no metric was scored on both sides" in comparison_lines(found)


@pytest.mark.parametrize(
    ("p", "said"), [(0.04321, "0.043"), (1.0, "1"), (0.00001, "< 0.0001"), (0.0001, "0.0001")]
)
def test_p_values_are_short(p: float, said: str) -> None:
    """Two digits, and a bound where there are too many zeros."""
    assert say_p(p) == said
