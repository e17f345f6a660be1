from __future__ import annotations

import random

from tierwise.domain import Outcome
from tierwise.evals.cases import gather_cases
from tierwise.evals.plan import PlannedCase
from tierwise.evals.tally import Tally


def a_tally(trials: int = 3, n_cases: int = 2) -> Tally:
    cases = gather_cases([f"case {n}" for n in range(n_cases)])
    return Tally([PlannedCase(case=case, arm="trial", trials=trials) for case in cases])


def test_scores_are_counted_by_case_and_metric() -> None:
    """True, False, numbers and texts have a place each."""
    tally = a_tally()
    tally.add("case 0", Outcome.PASSED, {"leak": True, "grade": 0.5, "tone": "kind"})
    tally.add("case 0", Outcome.FAILED, {"leak": False})
    case, other = tally.of_arm("trial")
    assert (case.metrics["leak"].n_true, case.metrics["leak"].n_false) == (1, 1)
    assert (case.metrics["grade"].n_numbers, case.metrics["tone"].n_texts) == (1, 1)
    assert other.metrics == {}


def test_trials_that_never_ran_are_not_run() -> None:
    """The outcomes add up to the plan, whatever happened."""
    tally = a_tally()
    tally.add("case 0", Outcome.ERROR, {})
    assert tally.outcomes() == {Outcome.ERROR: 1, Outcome.NOT_RUN: 5}


def test_a_trial_without_a_score_counts_nowhere() -> None:
    """A False from a trial that ended in an error is no clean trial."""
    tally = a_tally()
    tally.add("case 0", Outcome.ERROR, {"leak": False, "grade": 1.0}, message="E: boom\ntrace")
    tally.add("case 0", Outcome.UNOBSERVABLE, {"leak": False}, message="busy: later")
    assert tally.of_arm("trial")[0].metrics == {}
    assert tally.reasons == {"error: E: boom": 1, "unobservable: busy: later": 1}


def test_an_occurrence_that_was_seen_stays_seen() -> None:
    """An error after a leak does not hide the leak."""
    tally = a_tally()
    tally.add("case 0", Outcome.ERROR, {"leak": True})
    found = tally.of_arm("trial")[0].metrics["leak"]
    assert (found.n_unscored_true, found.n_rated) == (1, 0)


def test_order_does_not_matter() -> None:
    """Concurrency changes the order of landing and nothing else."""
    trials = [
        (f"case {n % 2}", Outcome.PASSED, {"leak": n % 3 == 0, "n": float(n)}) for n in range(12)
    ]
    counted = []
    for seed in range(3):
        shuffled = random.Random(seed).sample(trials, len(trials))
        tally = a_tally(trials=6)
        for label, outcome, scores in shuffled:
            tally.add(label, outcome, scores)
        counted.append([(c.outcomes, c.metrics) for c in tally.of_arm("trial")])
    assert counted[0] == counted[1] == counted[2]


def test_different_replies_are_noticed_and_equal_ones_too() -> None:
    """Copies are not runs."""
    tally = a_tally()
    for reply in (1, 1):
        tally.add("case 0", Outcome.PASSED, {}, reply=reply)
    for reply in (1, 2):
        tally.add("case 1", Outcome.PASSED, {}, reply=reply)
    same, varied = tally.of_arm("trial")
    assert (same.is_varied, varied.is_varied) == (False, True)


def test_a_flood_of_different_reasons_stays_small() -> None:
    """Memory does not grow with the number of messages."""
    tally = a_tally(trials=3000)
    for n in range(2500):
        tally.add("case 0", Outcome.ERROR, {}, message=f"error number {n}")
    assert len(tally.reasons) <= 1001
    assert tally.reasons.total() == 2500


def test_numbers_and_texts_are_kept_in_constant_room() -> None:
    """Sums and counts, not the values."""
    tally = a_tally(trials=4)
    for grade, tone in ((3.0, "kind"), (4.0, "rude"), (5.0, "kind")):
        tally.add("case 0", Outcome.PASSED, {"grade": grade, "tone": tone})
    found = tally.of_arm("trial")[0].metrics
    numbers, texts = found["grade"].numbers, found["tone"].texts
    assert numbers is not None
    assert (numbers.n, numbers.mean, numbers.variance) == (3, 4.0, 1.0)
    assert texts == {"kind": 2, "rude": 1}


def test_a_flood_of_different_texts_stays_small() -> None:
    """Beyond a hundred they are counted and not told apart."""
    tally = a_tally(trials=500)
    for n in range(500):
        tally.add("case 0", Outcome.PASSED, {"tone": f"text {n % 250}"})
    found = tally.of_arm("trial")[0].metrics["tone"]
    assert found.texts is not None
    assert len(found.texts) == 100
    assert (found.n_texts, found.n_other_texts) == (500, 300)


def test_trials_of_a_case_may_end_alike_or_not() -> None:
    """Each ending has its number, and who asks for them cannot change them."""
    tally = a_tally(trials=4)
    case, other = tally.of_arm("trial")
    assert (case.outcomes, case.n_landed) == ({}, 0)
    for outcome, expected in (
        (Outcome.PASSED, {Outcome.PASSED: 1}),
        (Outcome.PASSED, {Outcome.PASSED: 2}),
        (Outcome.ERROR, {Outcome.PASSED: 2, Outcome.ERROR: 1}),
        (Outcome.PASSED, {Outcome.PASSED: 3, Outcome.ERROR: 1}),
    ):
        tally.add("case 0", outcome, {})
        assert case.outcomes == expected
        assert case.n_landed == case.outcomes.total()
        case.outcomes[Outcome.FAILED] += 1
    assert (other.outcomes, other.n_landed) == ({}, 0)


def test_cases_that_begin_alike_have_their_counts_in_common() -> None:
    """A run of many cases that are True or False keeps few counts."""
    tally = a_tally(trials=1, n_cases=3)
    tally.add("case 0", Outcome.PASSED, {"right": True})
    tally.add("case 1", Outcome.PASSED, {"right": True})
    tally.add("case 2", Outcome.FAILED, {"right": False})
    first, second, other = tally.of_arm("trial")
    assert first.metrics is second.metrics
    assert [case.metrics["right"].n_true for case in (first, second, other)] == [1, 1, 0]
    assert [case.metrics["right"].n_false for case in (first, second, other)] == [0, 0, 1]


def test_a_case_that_goes_on_leaves_those_alone_that_began_like_it() -> None:
    """What a second trial adds is counted for its own case."""
    tally = a_tally(n_cases=3)
    for label in ("case 0", "case 1"):
        tally.add(label, Outcome.PASSED, {"right": True})
    tally.add("case 1", Outcome.FAILED, {"right": False, "leak": True})
    tally.add("case 2", Outcome.PASSED, {"right": True})
    alone, more, late = (case.metrics for case in tally.of_arm("trial"))
    assert (alone["right"].n_true, alone["right"].n_false, "leak" in alone) == (1, 0, False)
    assert (more["right"].n_true, more["right"].n_false, more["leak"].n_true) == (1, 1, 1)
    assert late == alone


def test_what_only_looks_like_a_beginning_that_is_known_is_counted_as_it_is() -> None:
    """1 is a number though it is equal to True, and a True before an error is no score."""
    tally = a_tally(n_cases=3)
    tally.add("case 0", Outcome.PASSED, {"right": True})
    tally.add("case 1", Outcome.PASSED, {"right": 1.0})
    tally.add("case 2", Outcome.ERROR, {"right": True})
    rated, number, seen = (case.metrics["right"] for case in tally.of_arm("trial"))
    assert (rated.n_true, rated.n_numbers, rated.n_unscored_true) == (1, 0, 0)
    assert (number.n_true, number.n_numbers, number.n_unscored_true) == (0, 1, 0)
    assert (seen.n_true, seen.n_numbers, seen.n_unscored_true) == (0, 0, 1)


def test_beginnings_of_all_kinds_are_counted_whether_or_not_they_are_kept() -> None:
    """More ways to begin than are kept in common change no count."""
    tally = a_tally(n_cases=150)
    for n in range(150):
        tally.add(f"case {n}", Outcome.PASSED, {f"metric {n}": True})
    tally.add("case 149", Outcome.PASSED, {"metric 149": False})
    found = [case.metrics[f"metric {n}"] for n, case in enumerate(tally.of_arm("trial"))]
    assert [count.n_true for count in found] == [1] * 150
    assert [count.n_false for count in found] == [0] * 149 + [1]
