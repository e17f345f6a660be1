"""Results of one state of the code on several Pythons and platforms: the worst of them stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Outcome, Verdict
from tierwise.records import PlanRow, RunInfo, RunStore, TestRow, VerdictRow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PASSED, FAILED, NOT_RUN = Outcome.PASSED, Outcome.FAILED, Outcome.NOT_RUN
OLD, NEW = "3.11.9", "3.13.0"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    """Open a store of its own."""
    with RunStore.open(tmp_path / "records.db") as opened:
        yield opened


def keep(
    store: RunStore,
    python: str,
    outcomes: dict[str, Outcome],
    *,
    code: str = "now",
    whole: bool = True,
    exit_code: int = 0,
    platform: str = "linux x86_64",
) -> str:
    """Keep one run of the tier `unit` on one Python."""
    run = store.start_run(RunInfo(code_hash=code, python=python, platform=platform))
    rows = [
        TestRow(nodeid=name, tier="unit", level="unit", outcome=outcome)
        for name, outcome in outcomes.items()
    ]
    store.add_tests(run, rows)
    store.finish_run(run, exit_code=exit_code, complete_tiers=["unit"] if whole else [])
    return run


def counted(store: RunStore) -> dict[Outcome, int]:
    """Return how the tests of the tier stand, by both ways to read them."""
    found = store.map.tiers("now").get("unit")
    rows = store.latest_tests_by_tier().get("unit", ())
    by_map = dict(found.outcomes) if found else {}
    assert sum(by_map.values()) == len(rows)
    assert all(
        sum(row.row.outcome is outcome for row in rows) == n for outcome, n in by_map.items()
    )
    return by_map


def test_a_failure_on_one_python_is_not_hidden_by_a_pass_on_another(store: RunStore) -> None:
    """Of a matrix of CI jobs the last to start is not the one that counts."""
    keep(store, OLD, {"t": FAILED})
    keep(store, NEW, {"t": PASSED})
    assert counted(store) == {FAILED: 1}
    assert store.map.tiers("now")["unit"].n_elsewhere == 1


def test_a_platform_is_an_environment_too(store: RunStore) -> None:
    """The same Python on two systems is two environments."""
    keep(store, NEW, {"t": FAILED}, platform="darwin arm64")
    keep(store, NEW, {"t": PASSED})
    assert counted(store) == {FAILED: 1}


def test_the_latest_of_one_environment_counts(store: RunStore) -> None:
    """A failure is over when the same Python passes, also a later patch of it."""
    keep(store, OLD, {"t": FAILED})
    keep(store, NEW, {"t": PASSED})
    keep(store, "3.11.10", {"t": PASSED}, whole=False)
    assert counted(store) == {PASSED: 1}
    assert store.map.tiers("now")["unit"].n_elsewhere == 0


def test_other_code_is_another_matter(store: RunStore) -> None:
    """What failed elsewhere on code that has changed since says nothing of the code now."""
    keep(store, OLD, {"t": FAILED}, code="before")
    keep(store, NEW, {"t": PASSED})
    assert counted(store) == {PASSED: 1}


def test_code_that_nobody_could_read_is_of_no_state(store: RunStore) -> None:
    """Two runs whose files could not be read are not of one state: the latest counts."""
    keep(store, OLD, {"t": FAILED}, code="")
    keep(store, NEW, {"t": PASSED}, code="")
    assert counted(store) == {PASSED: 1}


@pytest.mark.parametrize(
    ("first", "then", "stands"),
    [
        (FAILED, Outcome.ERROR, FAILED),
        (Outcome.ERROR, Outcome.UNOBSERVABLE, Outcome.ERROR),
        (Outcome.UNOBSERVABLE, NOT_RUN, Outcome.UNOBSERVABLE),
        (NOT_RUN, PASSED, NOT_RUN),
        (PASSED, FAILED, FAILED),
    ],
)
def test_the_worst_stands(store: RunStore, first: Outcome, then: Outcome, stands: Outcome) -> None:
    """A test that was skipped on one Python is not known there."""
    keep(store, OLD, {"t": first})
    keep(store, NEW, {"t": then})
    assert counted(store) == {stands: 1}


def test_a_test_that_one_python_alone_has_is_not_gone(store: RunStore) -> None:
    """A whole run elsewhere on the same code cannot see it, and it failed."""
    keep(store, OLD, {"t": PASSED, "only_old": FAILED})
    keep(store, NEW, {"t": PASSED})
    assert counted(store) == {PASSED: 1, FAILED: 1}


def test_a_test_that_changed_code_no_longer_has_is_gone(store: RunStore) -> None:
    """A whole run of later code tells, on whichever Python."""
    keep(store, OLD, {"t": PASSED, "gone": FAILED}, code="before")
    keep(store, NEW, {"t": PASSED})
    keep(store, "3.12.0", {"t": PASSED})
    assert counted(store) == {PASSED: 1}


def test_a_test_that_the_same_python_no_longer_sees_is_gone(store: RunStore) -> None:
    """A whole run in the same environment tells, though the code is the same."""
    keep(store, OLD, {"t": PASSED, "gone": FAILED})
    keep(store, NEW, {"t": PASSED})
    keep(store, OLD, {"t": PASSED})
    assert counted(store) == {PASSED: 1}


def test_a_requirement_is_not_verified_by_one_python(store: RunStore) -> None:
    """Its evidence is the worst of the environments, too."""
    for python, outcome in ((OLD, FAILED), (NEW, PASSED)):
        run = store.start_run(RunInfo(code_hash="now", python=python, platform="linux"))
        row = TestRow(nodeid="t", tier="unit", level="unit", outcome=outcome, requirements=("R",))
        store.add_test(run, row)
        store.finish_run(run, exit_code=0)
    (link,) = store.map.links()
    assert link.outcome is FAILED


def test_a_run_that_a_test_rests_on_is_not_pruned(store: RunStore) -> None:
    """Pruning must not turn a test green by deleting the environment in which it failed."""
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415

    from tierwise.records.pruning import Policy  # noqa: PLC0415

    failed = keep(store, OLD, {"t": FAILED}, whole=False)
    keep(store, NEW, {"t": PASSED})
    now = datetime.now(UTC) + timedelta(days=3)
    found, _ = store.upkeep.prune(Policy(keep_runs=1), now=now)
    assert found.held == {failed: "the map rests on results of it"}
    assert counted(store) == {FAILED: 1}


def test_each_provider_of_an_eval_is_counted(store: RunStore) -> None:
    """A refuted expectation is not hidden by the provider that was judged after it."""
    run = store.start_run(RunInfo(code_hash="now"))
    for plan, verdict in (("one", Verdict.REFUTED), ("two", Verdict.PROVEN)):
        store.add_plan(
            PlanRow(
                run_id=run, plan_hash=plan, eval_id="e", tier="unit", n_cases=1, trials=1,
                n_planned=1, provider=plan, model=plan,
            )
        )  # fmt: skip
        store.add_verdict(
            VerdictRow(
                run_id=run, plan_hash=plan, eval_id="e", tier="unit", expectation="never",
                metric="m", verdict=verdict, reason="", n_scored=1, n_planned=1,
            )
        )  # fmt: skip
    store.add_test(run, TestRow(nodeid="e", tier="unit", level="unit", outcome=Outcome.FAILED))
    store.finish_run(run, exit_code=1)
    assert store.map.tiers("now")["unit"].verdicts == {Verdict.PROVEN: 1, Verdict.REFUTED: 1}
    assert len(store.latest_verdicts()) == 2


def test_two_whole_runs_at_once_lose_no_test(store: RunStore) -> None:
    """The run that began first may land its results last: each test is there all the same."""
    info = RunInfo(code_hash="now", python=NEW, platform="linux")
    first, second = store.start_run(info), store.start_run(info)

    def land(run: str, name: str, outcome: Outcome) -> None:
        store.add_test(run, TestRow(nodeid=name, tier="unit", level="unit", outcome=outcome))

    for run, name, outcome in (
        (first, "a", PASSED),
        (second, "b", FAILED),
        (second, "a", PASSED),
        (first, "b", PASSED),
    ):
        land(run, name, outcome)
    for run in (first, second):
        store.finish_run(run, exit_code=1, complete_tiers=["unit"])
    assert counted(store) == {PASSED: 1, FAILED: 1}
    keep(store, OLD, {"a": PASSED})
    assert counted(store) == {PASSED: 1, FAILED: 1}


def test_a_test_that_always_fails_on_one_python_is_not_flaky(store: RunStore) -> None:
    """It flickers where one environment gave both results."""
    for _ in range(2):
        keep(store, OLD, {"t": FAILED, "flickers": FAILED})
        keep(store, NEW, {"t": PASSED, "flickers": PASSED})
    assert store.report.mixed_tests() == ()
    keep(store, OLD, {"flickers": PASSED})
    (found,) = store.report.mixed_tests()
    assert (found.nodeid, found.n_failed, found.n_runs) == ("flickers", 2, 3)
