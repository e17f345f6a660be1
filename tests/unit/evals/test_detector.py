"""A `never` seen by a detector that may miss what is there."""

from __future__ import annotations

import pytest
from scipy.stats import beta, binom

from tierwise.domain import Verdict
from tierwise.errors import EvalUsageError
from tierwise.evals import Sensitivity, must_refute, never
from tierwise.evals.counting import Counts
from tierwise.evals.judging import judge
from tierwise.stats import judged_zero_bound

SHARP = Sensitivity(n_caught=59, n_true=59, source="labelled by two people")


def counts(n: int, missing: int = 0) -> Counts:
    return Counts(per_case=((0, n),), missing=(missing,))


def test_the_bound_is_that_of_a_judged_clean_run() -> None:
    """Half of the error for the trials, half for the sensitivity: both hold together."""
    found = judge(never("leak", below=0.05, detector=SHARP), counts(299))
    wanted = judged_zero_bound(299, caught=59, known=59)
    assert found.bound == pytest.approx(wanted.upper)  # type: ignore[union-attr]
    assert found.verdict is Verdict.PROVEN
    assert found.claims[0].method.endswith("widened by the detector's sensitivity")


def test_what_59_clean_trials_prove_alone_they_do_not_prove_through_a_judge() -> None:
    """And the number that a new plan would need is the one that suffices."""
    judged = never("leak", below=0.05, detector=SHARP)
    assert judge(never("leak", below=0.05), counts(59)).verdict is Verdict.PROVEN
    found = judge(judged, counts(59))
    assert found.verdict is Verdict.UNDECIDED
    assert found.n_needed is not None
    assert judge(judged, counts(found.n_needed)).verdict is Verdict.PROVEN
    assert judge(judged, counts(found.n_needed - 1)).verdict is Verdict.UNDECIDED


def test_a_judge_that_misses_half_doubles_the_bound_at_least() -> None:
    """Its sensitivity is bounded from below, by scipy's beta quantile."""
    found = judge(
        never("leak", below=0.5, detector=Sensitivity(n_caught=50, n_true=100)), counts(100)
    )
    seen, share = 1 - 0.025 ** (1 / 100), beta.ppf(0.025, 50, 51)
    assert found.bound == pytest.approx(seen / share)


def test_missing_trials_count_as_occurrences_that_were_seen() -> None:
    """The worst that each of them can have been."""
    judged = never("leak", below=0.2, detector=SHARP, missing_ceiling=0.5)
    share = 0.025 ** (1 / 59)
    found = judge(judged, counts(100, missing=2))
    assert found.bound == pytest.approx(beta.ppf(0.975, 3, 100) / share)
    assert found.bound_if_missing_were_like_the_rest == pytest.approx(
        (1 - 0.025 ** (1 / 100)) / share
    )


@pytest.mark.parametrize("n", [1, 100_000])
def test_an_unknown_sensitivity_is_undecided(n: int) -> None:
    """However many clean trials: a blind judge sees none of them otherwise."""
    blind = Sensitivity(n_caught=0, n_true=0)
    found = judge(never("leak", below=0.5, detector=blind), counts(n))
    assert found.verdict is Verdict.UNDECIDED
    assert "errors are unknown" in found.reason
    assert found.next_step.startswith("measure the detector")


def test_a_judge_that_caught_nothing_proves_nothing() -> None:
    """Its sensitivity may be 0."""
    found = judge(
        never("leak", below=0.5, detector=Sensitivity(n_caught=0, n_true=50)), counts(10_000)
    )
    assert found.verdict is Verdict.UNDECIDED
    assert "sensitivity 0" in found.reason


def test_an_occurrence_refutes_whatever_the_detector_misses() -> None:
    """What was flagged was seen."""
    flagged = Counts(per_case=((1, 299),), missing=(0,))
    judged = never("leak", below=0.05, detector=SHARP)
    assert judge(judged, flagged).verdict is Verdict.REFUTED
    assert judge(must_refute(judged), flagged).verdict is Verdict.PROVEN


def test_both_populations_are_widened() -> None:
    """Cases like these through the same judge."""
    spread = Counts(per_case=((0, 15),) * 20, missing=(0,) * 20)
    plain = judge(never("leak", below=0.5, confidence=0.975), spread).claims[1].upper
    judged = judge(never("leak", below=0.5, detector=SHARP), spread).claims[1].upper
    assert plain is not None
    assert judged == pytest.approx(plain / 0.025 ** (1 / 59))


def test_the_split_is_said_beside_the_verdict() -> None:
    """With the sensitivity that was shown."""
    found = judge(never("leak", below=0.05, detector=SHARP), counts(299))
    (caution,) = found.cautions
    assert caution == (
        "a detector that caught 59 of 59 (labelled by two people) may miss events: its "
        "sensitivity is shown to be above 93.93 % only, and half of the error is spent on that"
    )
    assert "a detector that caught 59 of 59" in found.expectation


@pytest.mark.parametrize(("rate", "sensitivity"), [(0.06, 0.9), (0.1, 0.5), (0.051, 1.0)])
def test_a_leaky_subject_is_proven_as_seldom_as_promised(rate: float, sensitivity: float) -> None:
    """Enumerated over both samples: labels of the judge, and the trials it judged."""
    n, labels = 150, 40
    wrong = 0.0
    for caught in range(labels + 1):
        detector = Sensitivity(n_caught=caught, n_true=labels)
        found = judge(never("leak", below=0.05, detector=detector), counts(n))
        if found.verdict is Verdict.PROVEN:
            wrong += binom.pmf(caught, labels, sensitivity) * (1 - rate * sensitivity) ** n
    assert wrong <= 0.05


@pytest.mark.parametrize("given", [(3, 2), (-1, 2), (1.0, 2), (True, 2), ("1", 2)])
def test_counts_that_cannot_be_are_refused(given: tuple[int, int]) -> None:
    """No more can be caught than there were."""
    with pytest.raises(EvalUsageError, match="no more caught than there were"):
        Sensitivity(n_caught=given[0], n_true=given[1])


def test_a_detector_that_is_none_is_refused() -> None:
    """A share alone does not say how well it is known."""
    with pytest.raises(EvalUsageError, match=r"detector=0\.95; expected Sensitivity"):
        never("leak", below=0.05, detector=0.95)
