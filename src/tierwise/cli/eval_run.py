"""`tierwise eval run`: run evals, judge them, and say what was proven."""

from __future__ import annotations

import gc
import os
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from tierwise.cli.eval_choice import (
    choose_paths,
    choose_tiers,
    say_nothing_found,
    say_undeclared,
)
from tierwise.config import load_config
from tierwise.domain import EvalJudged, EvalSummary, RunAbandoned
from tierwise.domain.suite import EvalRequest, Suite, SuiteResult
from tierwise.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.domain import Event
    from tierwise.evals.comparison import Comparison

_COUNT = click.IntRange(min=1)
_MOST_TRIALS = 10**8
_AMOUNT = click.FloatRange(min=0, min_open=True)
# pytest rewrites the asserts of what belongs to a plugin and is imported once it has started: half
# a second where Python may not keep what it compiled, as in many containers.
_LOADED_FIRST = (
    *("tierwise.evals.declaration", "tierwise.evals.engine"),
    *("tierwise.evals.judging", "tierwise.evals.keeping"),
    *("tierwise.evals.table", "tierwise.providers.spec", "tierwise.records"),
)


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--provider",
    "providers",
    multiple=True,
    metavar="SPEC",
    help="Who answers: local:smollm2, http:URL#MODEL, simulated:rate=0.05 ... (repeatable).",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1, max=_MOST_TRIALS),
    help="Trials a case, in place of the declared.",
)
@click.option("--concurrency", type=_COUNT, help="Trials that run at once.")
@click.option(
    "--tier", "tiers", multiple=True, metavar="NAME", help="Only this tier (repeatable)."
)
@click.option("-k", "keyword", metavar="EXPR", help="Only evals whose name matches, as in pytest.")
@click.option("--baseline", metavar="RUN", help="Be no worse than this run: its id, last, last~1.")
@click.option("--fresh", "is_fresh", is_flag=True, help="Run also what an earlier run has done.")
@click.option("--cache", "is_cached", is_flag=True, help="Take replies that were kept before.")
@click.option("--max-usd", "usd", type=_AMOUNT, help="Stop once so many US dollars are spent.")
@click.option("--max-tokens", "tokens", type=_COUNT, help="Stop once so many tokens are spent.")
@click.option("--max-calls", "calls", type=_COUNT, help="Stop once so many calls are made.")
@click.option("--max-seconds", "seconds", type=_AMOUNT, help="Stop after so many seconds.")
@click.option("--executor", metavar="WHERE", help="Where: local, ray, ray:auto, ray:HOST:PORT.")
@click.option("--workers", type=_COUNT, help="Processes that run trials with ray (default: CPUs).")
@click.option("--json", "is_json", is_flag=True, help="Print JSON on stdout; progress on stderr.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Each body once, offline; no verdict.")
def command(  # noqa: PLR0913  one an option
    *,
    paths: tuple[str, ...],
    providers: tuple[str, ...],
    trials: int | None,
    concurrency: int | None,
    tiers: tuple[str, ...],
    keyword: str | None,
    baseline: str | None,
    is_fresh: bool,
    is_cached: bool,
    executor: str | None,
    workers: int | None,
    is_json: bool,
    is_dry: bool,
    **limits: float | None,
) -> int:
    """Run the evals of the deliberate tiers, or of PATH, and judge them.

    Trials that an earlier run of the same plan has made are not run again, as long as no file of
    the project has changed. Evals that no tier claims run as those of a tier `evals` would.

    Exit code: 0 all proven, 1 something refuted or failed, 10 undecided, 11 nothing could be
    scored, 13 stopped by budget, 5 no evals found, 4 used wrongly, 2 interrupted.
    """
    config = load_config(Path.cwd())
    chosen = choose_tiers(config.tiers, tiers)
    # Paths that are given are the caller's; those of the tiers belong to the project.
    base = Path.cwd() if paths else config.root
    places = tuple(
        os.path.relpath(base / path)
        for path in choose_paths(paths, chosen, lambda path: (base / path).exists())
    )
    # Without --tier all evals of these places run, whatever their tier: they were asked for.
    request = EvalRequest(
        root=config.root,
        paths=places,
        tiers=tuple(tier.name for tier in chosen) if tiers else (),
        keyword=keyword,
        providers=providers,
        trials=trials,
        concurrency=concurrency,
        baseline=baseline,
        limits={name: limit for name, limit in limits.items() if limit is not None},
        executor=executor,
        workers=workers,
        is_fresh=is_fresh,
        is_cached=is_cached,
        is_dry=is_dry,
    )
    summaries: list[EvalSummary] = []
    result = (
        _run(request, summaries, is_json=is_json)
        if places
        else SuiteResult(exit_code=ExitCode.NOTHING_COLLECTED)
    )
    if result.exit_code == ExitCode.NOTHING_COLLECTED:
        said = say_nothing_found(chosen, places, keyword, is_declared=config.declared)
        told = "\n".join(filter(None, (result.output, said)))
        result = replace(result, output=told, error=result.error or said)
    comparisons = _compare(result) if len(providers) > 1 and not is_dry else ()
    _show(result, summaries, comparisons, is_json=is_json, is_dry=is_dry)
    found = [(summary.eval_id, summary.tier) for summary in summaries]
    if note := say_undeclared(config.tiers, found):
        click.echo(note, err=True)
    return result.exit_code


def _run(request: EvalRequest, summaries: list[EvalSummary], *, is_json: bool) -> SuiteResult:
    from tierwise.cli.eval_progress import (  # noqa: PLC0415  pytest is slow too
        Progress,
        copy_stream,
        open_meter,
    )
    from tierwise.evals.collector import calm_collector  # noqa: PLC0415
    from tierwise.evals.interrupting import (  # noqa: PLC0415
        end_at_once_from_now,
        ended_as_by_ctrl_c,
    )

    suite = _load_suite()
    meter, stdout = open_meter(), copy_stream(sys.stdout)
    progress = Progress(meter)

    def listen(event: Event) -> None:
        progress(event)
        if isinstance(event, EvalJudged):
            summaries.append(event.summary)
        elif isinstance(event, RunAbandoned) and is_json:
            _print_abandoned(event, summaries, stdout)

    try:
        with ended_as_by_ctrl_c(), calm_collector():
            result = suite.run_evals(request, listen)
            if result.exit_code == ExitCode.INTERRUPTED:
                end_at_once_from_now(result.exit_code)
            return result
    finally:
        meter.close()


def _load_suite() -> Suite:
    # What is loaded stays: the collector would look through all of it, and find nothing.
    was_on = gc.isenabled()
    gc.disable()
    try:
        from tierwise.pytest_plugin.eval_suite import PytestSuite  # noqa: PLC0415  pytest is slow

        for name in _LOADED_FIRST:
            import_module(name)
        return PytestSuite()
    finally:
        if was_on:
            gc.enable()


def _print_abandoned(
    event: RunAbandoned, summaries: Sequence[EvalSummary], stdout: TextIO
) -> None:
    from tierwise.cli.eval_view import as_json  # noqa: PLC0415  rich is slow

    result = SuiteResult(exit_code=event.exit_code, error=event.text)
    print(as_json(summaries, result), file=stdout, flush=True)


def _compare(result: SuiteResult) -> tuple[Comparison, ...]:
    from tierwise.evals.comparing import compare_providers  # noqa: PLC0415  statistics are slow
    from tierwise.records import RunStore  # noqa: PLC0415

    if result.store is None:
        return ()
    with RunStore.open(result.store, on_network_drive=True) as store:  # it was allowed
        return compare_providers(store.evals, result.run_id)


def _show(
    result: SuiteResult,
    summaries: list[EvalSummary],
    comparisons: tuple[Comparison, ...],
    *,
    is_json: bool,
    is_dry: bool,
) -> None:
    from tierwise.cli.eval_view import as_json, print_result  # noqa: PLC0415  rich is slow

    if result.output:
        click.echo(result.output, err=True)
    if is_json:
        click.echo(as_json(summaries, result, comparisons))
    else:
        print_result(summaries, result)
        if comparisons:
            from tierwise.cli.eval_compare_view import print_comparison  # noqa: PLC0415  few have

            click.echo()
            print_comparison(comparisons, "these_cases")
    if is_dry and result.exit_code == ExitCode.OK:
        click.echo("dry run: every eval was carried out once, offline; no verdict", err=is_json)
