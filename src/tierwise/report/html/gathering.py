"""Reads a project's run store into one frozen `Report`; decides nothing that others decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.errors import MissingExtraError
from tierwise.records.report_reading import whole_run_before
from tierwise.report.html.from_evals import read_evals, trace_evals, try_comparisons
from tierwise.report.html.from_proofs import list_gaps, list_gates, list_guards
from tierwise.report.html.from_tests import (
    list_slowest,
    list_tests,
    list_violations,
)
from tierwise.report.html.values import Changes, ContractPart, FlakyLine, Report, Source
from tierwise.report.presence import keep_present
from tierwise.report.reading import read_map

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tierwise.config import Config
    from tierwise.contracts.standing import Terms
    from tierwise.records import DeclaredContract, RunRow, RunStore
    from tierwise.records.report_rows import Changed, Mixed, RunCounts

_RUNS_SHOWN = 40


def empty_report(source: Source, config: Config, terms: Terms) -> Report:
    """Return the report of a project that has no run store: every level a gap."""
    levels = read_map(None, config, code_hash=terms.code_hash, now=terms.now)
    return Report(source=source, levels=levels)


def gather_report(store: RunStore, config: Config, *, source: Source, terms: Terms) -> Report:
    """Return all that the page shows of a store."""
    by_tier, runs = keep_present(store.latest_tests_by_tier(), config), store.runs()
    tests = list_tests(by_tier)
    evals = read_evals(store, config.root)
    comparisons, why_none = try_comparisons(store, store.evals.runs())
    return Report(
        source=source,
        levels=read_map(store, config, code_hash=terms.code_hash, now=terms.now),
        tests=tests,
        changes=read_changes(store, runs),
        violations=list_violations(by_tier),
        left_behind=store.report.left_behind(),
        slowest=list_slowest(tests),
        evals=evals,
        comparisons=comparisons,
        why_no_comparison=why_none,
        contracts=read_contracts(store, config.root, terms),
        guards=list_guards(store.map.guards(), terms.code_hash),
        gates=list_gates(store.map.gates(), terms.code_hash),
        gaps=list_gaps(store.map.gaps()),
        flaky=judge_mixed(store.report.mixed_tests(), {test.nodeid for test in tests}),
        runs=read_runs(store, runs),
        history=trace_evals(store.report.verdict_points(), evals),
    )


def read_changes(store: RunStore, runs: Sequence[RunRow]) -> Changes:
    """Return what the last run of tests did otherwise than those before, and that of evals."""
    last, last_evals = store.report.last_run_of("tests"), store.report.last_run_of("plans")
    verdicts = store.report.changed_verdicts(last_evals.run_id) if last_evals else ()
    if last is None:
        return Changes(verdicts=verdicts)
    gone: list[Changed] = []
    for tier in last.complete_tiers:
        before = whole_run_before(runs, last.run_id, tier)
        if before is not None:
            gone += store.report.gone_tests(last.run_id, before, tier)
    changed = store.report.changed_tests(last.run_id)
    is_new_and_fine = [one.before is None and one.now is Outcome.PASSED for one in changed]
    shown = [one for one, fine in zip(changed, is_new_and_fine, strict=True) if not fine]
    return Changes(
        run_id=last.run_id,
        started_at=last.started_at,
        tests=(*shown, *gone),
        n_new=sum(is_new_and_fine),
        verdicts=verdicts,
    )


def read_contracts(store: RunStore, root: Path, terms: Terms) -> tuple[ContractPart, ...]:
    """Return each contract that is still in the project, judged side by side."""
    declared = [one for one in store.declared_contracts() if _is_there(one, root)]
    if not declared:
        return ()
    from tierwise.contracts.cells import fill_sides  # noqa: PLC0415  slow to load
    from tierwise.contracts.standing import judge_contract  # noqa: PLC0415

    found = fill_sides(declared, store.kept_clauses())
    return tuple(
        ContractPart(name=name, standings=judge_contract(sides, terms))
        for name, sides in found.items()
    )


def judge_mixed(mixed: Iterable[Mixed], known: set[str]) -> tuple[FlakyLine, ...]:
    """Return the tests that ended both ways on one state of the code, if they still exist."""
    return tuple(FlakyLine(mixed=one, verdict=_judge(one)) for one in mixed if one.nodeid in known)


def read_runs(store: RunStore, runs: Sequence[RunRow]) -> tuple[RunCounts, ...]:
    """Return how the tests of the last runs ended, oldest first."""
    ids = [run.run_id for run in runs[-4 * _RUNS_SHOWN :]]  # runs of evals alone are left out
    return store.report.run_counts(ids)[-_RUNS_SHOWN:]


def _judge(mixed: Mixed) -> str:
    from tierwise.stats.flakiness import judge_flakiness  # noqa: PLC0415  slow to load

    try:
        return str(judge_flakiness(mixed.n_failed, mixed.n_runs))
    except MissingExtraError:
        return ""


def _is_there(one: DeclaredContract, root: Path) -> bool:
    return (root / one.declared_by.partition("::")[0]).exists()
