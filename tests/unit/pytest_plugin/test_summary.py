from pathlib import Path

from tierwise.config import Config, parse_config
from tierwise.domain import Capability, Outcome, Violation
from tierwise.pytest_plugin.summary import footer, header, report_line
from tierwise.pytest_plugin.tally import Tally, outcome_of_phase

ROOT = Path("/p")


def tally_of(*tests: tuple[str | None, list[Outcome], int]) -> Tally:
    """Count tests given as (tier, outcome of each phase, number of violations)."""
    tally = Tally()
    for n, (tier, outcomes, n_violations) in enumerate(tests):
        result = tally.result_of(f"t{n}")
        result.tier = tier
        result.violations = (
            Violation(capability=Capability.WRITE, target="/p/x", subject="s", tier=tier),
        ) * n_violations
        for outcome in outcomes:
            result.add_phase(outcome, 0.25, str(outcome))
        tally.close(f"t{n}")
    return tally


def test_the_worst_phase_is_the_test_s_outcome() -> None:
    """A failed call outweighs a failed tear-down, which outweighs passing phases."""
    passed, failed, error = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR
    tally = tally_of(
        ("unit", [passed, passed, passed], 0),
        ("unit", [passed, failed, error], 0),
        ("unit", [passed, passed, error], 0),
        ("unit", [Outcome.NOT_RUN, passed], 0),
        ("unit", [], 0),
    )
    assert tally.tiers["unit"].outcomes == {passed: 1, failed: 1, error: 1, Outcome.NOT_RUN: 2}
    assert tally.tiers["unit"].duration_s == 0.25 * 11


def test_a_test_without_its_end_is_counted_and_did_not_pass() -> None:
    """What a worker reported before it died is kept; a test that never ended was not run."""
    tally = Tally()
    tally.result_of("t").add_phase(Outcome.PASSED, 1.0, "")
    tally.result_of("f").add_phase(Outcome.FAILED, 1.0, "no good")
    tally.result_of("s").add_phase(Outcome.NOT_RUN, 1.0, "Skipped: later")
    assert [(each.outcome, each.message) for each in tally.close_all()] == [
        (Outcome.NOT_RUN, "interrupted before it ended"),
        (Outcome.FAILED, "no good"),
        (Outcome.NOT_RUN, "Skipped: later"),
    ]
    assert (tally.n_tests, tally.close_all()) == (3, ())
    assert tally.tiers[None].n_interrupted == 1


def test_the_foot_tells_interrupted_tests_from_skipped_ones() -> None:
    """Who pressed Ctrl-C sees which of the tests that did not run are due to that."""
    tally = Tally()
    for name, outcome in (("a", Outcome.PASSED), ("b", Outcome.NOT_RUN)):
        tally.result_of(name).tier = "unit"
        tally.result_of(name).add_phase(outcome, 0.25, "")
    tally.close_all()
    (line,) = footer(tally.tiers, left_out={}, order_seed=None)
    assert line == "unit  2 not run (1 interrupted)  0.50 s  0 violations"


def test_what_a_phase_says_about_its_test() -> None:
    """Only a failed call is a failure of the subject; an expected one is a known gap."""
    assert outcome_of_phase("call", "passed", expected=False) is Outcome.PASSED
    assert outcome_of_phase("call", "failed", expected=False) is Outcome.FAILED
    assert outcome_of_phase("call", "skipped", expected=True) is Outcome.NOT_RUN
    assert outcome_of_phase("setup", "skipped", expected=False) is Outcome.NOT_RUN
    assert outcome_of_phase("setup", "failed", expected=False) is Outcome.ERROR
    seen = outcome_of_phase("call", "skipped", expected=False, reason="Skipped: no time")
    assert seen is Outcome.NOT_RUN
    unseen = "Skipped: unobservable: no model here"
    assert (
        outcome_of_phase("call", "skipped", expected=False, reason=unseen) is Outcome.UNOBSERVABLE
    )
    assert outcome_of_phase("???", "failed", expected=False) is Outcome.ERROR


def test_the_foot_is_aligned_and_says_none_as_well() -> None:
    """Zero violations are said, errors have their plural, and columns line up."""
    error = Outcome.ERROR
    tally = tally_of((None, [Outcome.PASSED], 2), ("unit", [error], 0), ("unit", [error], 0))
    lines = footer(
        tally.in_order(["unit"]),
        left_out={"evals": 3},
        order_seed=None,
    )
    assert lines == (
        "unit      2 errors    0.50 s  0 violations",
        (
            "unplaced  1 passed    0.25 s  2 violations (write); no tier claims them: "
            "place them by @pytest.mark.tier or by a tier's paths"
        ),
        "evals     3 left out          deliberate; run with: pytest --tier evals",
    )


def test_tiers_are_shown_as_they_are_declared() -> None:
    """Random order of tests does not shuffle the lines; a tier without results has none."""
    passed = [Outcome.PASSED]
    tally = tally_of((None, passed, 0), ("flows", passed, 0), ("unit", passed, 0))
    assert list(tally.in_order(["unit", "e2e", "flows"])) == ["unit", "flows", None]


def test_the_head_says_who_decides_the_order() -> None:
    """A seed, the defined order, or the plugin that the order is left to."""
    config = parse_config({}, ROOT)
    assert header(config, order_seed=3, order_note=None).endswith("; order seed 3")
    assert header(config, order_seed=None, order_note=None).endswith("; order as defined")
    assert header(config, order_seed=None, order_note="left alone").endswith("; left alone")


def test_the_report_line_counts_tests_not_touches() -> None:
    """Two touches of one test are one test, and paths below the root are short."""
    line = report_line(
        Config(root=ROOT), tally_of((None, [Outcome.PASSED], 2), (None, [Outcome.PASSED], 0))
    )
    assert line == (
        "tierwise: 2 tests: 1 changed files (x). Nothing was blocked; "
        "to enforce tiers, run: tierwise init"
    )


def test_a_narrow_foot_closes_up_and_loses_no_fact_but_the_time() -> None:
    """Counts, violations, and how to go on stay; six lines stay six lines."""
    failed, unseen = [Outcome.FAILED], [Outcome.UNOBSERVABLE]
    tally = tally_of(("unit", failed, 1), ("unit", unseen, 0), ("flows", failed, 0))
    lines = footer(tally.tiers, left_out={"evals": 3}, order_seed=7, is_recorded=True, width=44)
    assert lines == (
        "unit  1 failed, 1 unobservable  1 violation (write)",
        "flows  1 failed  0 violations",
        "evals  3 left out  deliberate; run with: pytest --tier evals",
        "again: pytest --order-seed 7",
        "see: tierwise map, tierwise report",
    )


def test_a_foot_that_fits_is_left_as_it_is() -> None:
    """Exactly as wide as the terminal is wide enough."""
    tally = tally_of(("unit", [Outcome.PASSED], 0))
    wide = footer(tally.tiers, left_out={}, order_seed=7, is_recorded=True)
    assert footer(tally.tiers, left_out={}, order_seed=7, is_recorded=True, width=61) == wide
    assert max(map(len, wide)) == 61
    narrow = footer(tally.tiers, left_out={}, order_seed=7, is_recorded=True, width=60)
    assert narrow == (*wide[:2], "see: tierwise map, tierwise report")


def test_failures_in_random_order_are_told_who_finds_out_whether_it_was_the_order() -> None:
    """Not where violations account for all of them; the seed goes before it on a narrow line."""
    failed = tally_of(("unit", [Outcome.FAILED], 0)).tiers
    violating = tally_of(("unit", [Outcome.FAILED], 1)).tiers
    plain = "random order; the same again with: pytest --order-seed 7"

    def said(width: int | None = None) -> str:
        return footer(failed, left_out={}, order_seed=7, width=width)[-1]

    assert footer(violating, left_out={}, order_seed=7)[-1] == plain
    assert said() == f"{plain}; is it the order? tierwise bisect TEST --order-seed 7"
    assert said(80) == "again: pytest --order-seed 7; why: tierwise bisect TEST --order-seed 7"
    assert said(60) == plain
    assert said(40) == "again: pytest --order-seed 7"
