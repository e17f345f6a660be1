"""A case that always fails is named, however good the rate over all cases is."""

from __future__ import annotations

from tierwise.domain import CaseRate
from tierwise.evals import at_least, at_most, never, pass_at_k, pass_hat_k
from tierwise.evals.counting import Counts
from tierwise.evals.judging import judge

FINE = at_least("ok", 0.9)


def counts(*per_case: tuple[int, int]) -> Counts:
    labels = tuple(f"case {n}" for n in range(len(per_case)))
    return Counts(per_case=per_case, missing=(0,) * len(per_case), labels=labels)


def test_a_dead_case_among_fifty_is_named() -> None:
    """98 % over all hides 0 of 10."""
    found = judge(FINE, counts(*[(10, 10)] * 49, (0, 10)))
    assert found.outliers == (CaseRate(case_id="case 49", n_events=0, n_scored=10),)
    assert found.cautions == ("the rate over all cases hides 1 far below it: 'case 49' (0 of 10)",)


def test_three_trials_are_enough_where_the_rest_is_good() -> None:
    """And two are not."""
    assert judge(FINE, counts(*[(3, 3)] * 499, (0, 3))).outliers
    assert not judge(FINE, counts(*[(2, 2)] * 499, (0, 2))).outliers


def test_chance_is_no_outlier() -> None:
    """Of 20 cases at 80 % some are at 6 of 10, and one is at 4."""
    per_case = [(8, 10)] * 12 + [(10, 10)] * 5 + [(6, 10)] * 2 + [(4, 10)]
    assert judge(FINE, counts(*per_case)).outliers == ()


def test_the_wrong_side_is_that_of_the_promise() -> None:
    """A case that always leaks among clean ones is one for `at_most`, and none for `at_least`."""
    per_case = [(0, 10)] * 49 + [(10, 10)]
    rare = judge(at_most("slow", 0.1), counts(*per_case))
    assert [case.case_id for case in rare.outliers] == ["case 49"]
    assert "far above it: 'case 49' (10 of 10)" in rare.cautions[-1]
    assert judge(never("slow", below=0.1), counts(*per_case)).outliers == rare.outliers
    assert judge(FINE, counts(*per_case)).outliers == ()


def test_many_are_counted_and_the_worst_come_first() -> None:
    """Three by name."""
    found = judge(FINE, counts(*[(20, 20)] * 95, *[(n, 20) for n in (4, 0, 3, 1, 2)]))
    assert [case.n_events for case in found.outliers] == [0, 1, 2, 3, 4]
    assert found.cautions[-1].endswith(
        "'case 96' (0 of 20), 'case 98' (1 of 20), 'case 99' (2 of 20) and 2 more"
    )


def test_a_single_case_has_nothing_to_stand_out_from() -> None:
    """Nor has one among cases that all agree."""
    assert judge(FINE, counts((1, 10))).outliers == ()
    assert judge(FINE, counts(*[(0, 10)] * 5)).outliers == ()


def test_tries_hide_a_dead_case_as_well() -> None:
    """pass@3 of 98 % is 100 % for all and nothing for one."""
    per_case = [(10, 10)] * 49 + [(0, 10)]
    for promise in (pass_at_k("ok", 3, at_least=0.9), pass_hat_k("ok", 3, at_least=0.9)):
        found = judge(promise, counts(*per_case))
        assert [case.case_id for case in found.outliers] == ["case 49"]
        assert "far below it: 'case 49' (0 of 10)" in found.cautions[-1]
