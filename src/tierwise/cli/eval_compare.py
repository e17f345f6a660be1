"""`tierwise eval compare`: two runs, or the providers of one, paired by case."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli.eval_records import find_store, open_records, reading_scores
from tierwise.domain import Verdict
from tierwise.errors import EvalUsageError, ExitCode
from tierwise.records.run_names import find_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.evals.comparison import Comparison
    from tierwise.evals.no_worse import GateVerdict
    from tierwise.evals.promises import Better
    from tierwise.evals.sides import Pair
    from tierwise.records import RunStore
    from tierwise.records.scores import EvalRun, Shared

_TWO = 2
_POPULATIONS = ("these_cases", "cases_like_these")
_EXITS = {
    Verdict.PROVEN: ExitCode.OK,
    Verdict.REFUTED: ExitCode.FAILED,
    Verdict.UNDECIDED: ExitCode.UNDECIDED,
}


@click.command()
@click.argument("runs", nargs=-1, metavar="RUN [RUN]")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Only this (repeatable).")
@click.option("--provider", metavar="NAME", help="Of two runs, only what this provider answered.")
@click.option(
    "--population",
    type=click.Choice(_POPULATIONS),
    default="these_cases",
    help="Whom the table and the gate speak of; both stand below the table.",
)
@click.option(
    "--confidence", type=click.FloatRange(0.5, 0.9999), default=0.95, help="0.95 unless said."
)
@click.option(
    "--better",
    type=click.Choice(["higher", "lower"]),
    help="Which way is better for metrics whose expectations do not say it.",
)
@click.option(
    "--fail-if-worse",
    "margin",
    type=float,
    metavar="MARGIN",
    help="Exit 1 if B is worse by more, 10 if that cannot be told; 0.02 is 2 points of a rate.",
)
@click.option("--store", type=click.Path(path_type=Path), help="Another run store than this one.")
@click.option("--json", "is_json", is_flag=True, help="Print plain data instead of a table.")
def command(  # noqa: PLR0913  one an option
    *,
    runs: tuple[str, ...],
    metrics: tuple[str, ...],
    provider: str | None,
    population: str,
    confidence: float,
    better: str | None,
    margin: float | None,
    store: Path | None,
    is_json: bool,
) -> int:
    """Compare run A with run B: what changed, by how much, and whether that is shown.

    A run is `last`, `last~1`, its id or the start of it. One run alone has its providers compared
    with each other. Differences are B minus A, paired by case; all of them are corrected together.

    Exit code: 0 compared, 5 nothing in common, 4 used wrongly; with --fail-if-worse also 1 worse
    and 10 undecided.
    """
    from tierwise.evals.comparing import ComparisonPlan, compare_sides  # noqa: PLC0415  slow
    from tierwise.evals.no_worse import judge_no_worse  # noqa: PLC0415
    from tierwise.stats import Population  # noqa: PLC0415

    way: Better | None = None if better is None else "higher" if better == "higher" else "lower"
    with open_records(find_store(store)) as records:
        pairs, shared = read_pairs(records, runs, provider)
        inputs = read_inputs(records, pairs)
    plan = ComparisonPlan(
        metrics=metrics, confidence=confidence, better=way, shared=shared, inputs=inputs
    )
    found = compare_sides(pairs, plan)
    gate = () if margin is None else judge_no_worse(found, margin, Population(population))
    _show(found, population, gate, is_json=is_json)
    return choose_exit(found, gate, is_gate=margin is not None)


def read_pairs(
    records: RunStore, names: tuple[str, ...], provider: str | None
) -> tuple[list[Pair], dict[tuple[str, str], Shared]]:
    """Return the sides that two runs, or the providers of one, give; and what they share."""
    from tierwise.evals.sides import pair_runs, require_providers, sides_of  # noqa: PLC0415  slow

    known = records.evals.runs()
    chosen = _choose_runs(names, known)
    with reading_scores(records) as reading:
        sides = [sides_of(run.run, reading.read(run)) for run in chosen]
    if len(chosen) == 1:
        return require_providers(sides[0]), {}
    shared = records.evals.find_shared(chosen[0].run.run_id, chosen[1].run.run_id)
    return pair_runs(sides[0], sides[1], provider), shared


def read_inputs(records: RunStore, pairs: Iterable[Pair]) -> dict[str, Mapping[str, str]]:
    """Return the files and packages that the evals of both sides rest on, by their hash."""
    plans = (entry.plan for pair in pairs for side in pair for entry in side.evals)
    return {known: records.inputs_of(known) for known in {plan.inputs_hash for plan in plans}}


def choose_exit(
    found: tuple[Comparison, ...], gate: tuple[GateVerdict, ...], *, is_gate: bool
) -> ExitCode:
    """Return what the command ends with: nothing in common is never fine."""
    from tierwise.evals.no_worse import worst_of  # noqa: PLC0415  loaded when evals are compared

    if not any(metric.pairs.cases for entry in found for _, metric in entry.differences):
        return ExitCode.NOTHING_COLLECTED
    if is_gate and not gate:
        raise EvalUsageError(
            "--fail-if-worse has nothing to judge: no expectation says of any compared metric "
            "which way is better. Say it by --better higher or --better lower."
        )
    return _EXITS[worst_of(gate)] if is_gate else ExitCode.OK


def _choose_runs(names: tuple[str, ...], known: tuple[EvalRun, ...]) -> list[EvalRun]:
    if len(names) not in (1, _TWO):
        raise EvalUsageError(
            f"tierwise eval compare got {len(names)} runs: expected two, such as `last~1 last`, "
            "or one with several providers. `tierwise eval runs` lists them."
        )
    chosen = [find_run(name, known) for name in names]
    if len(chosen) == _TWO and chosen[0].run.run_id == chosen[1].run.run_id:
        raise EvalUsageError(
            f"{names[0]!r} and {names[1]!r} are one run, {chosen[0].run.run_id}: compared with "
            "itself it differs in nothing. Name another one; `tierwise eval runs` lists them."
        )
    return chosen


def _show(
    found: tuple[Comparison, ...],
    population: str,
    gate: tuple[GateVerdict, ...],
    *,
    is_json: bool,
) -> None:
    from tierwise.cli.eval_compare_view import as_json, print_comparison  # noqa: PLC0415  slow

    if is_json:
        click.echo(as_json(found, gate))
    else:
        print_comparison(found, population, gate)
