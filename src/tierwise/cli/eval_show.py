"""`tierwise eval show`: what was said in the trials of a run, such as those that failed."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tierwise.cli.eval_history import find_eval
from tierwise.cli.eval_records import find_store, open_records
from tierwise.cli.eval_show_lines import escape_controls, shown_lines
from tierwise.errors import EvalUsageError, ExitCode, suggest
from tierwise.evals.against import is_of, speaks_against
from tierwise.records.run_names import find_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tierwise.records import TrialRow
    from tierwise.records.scores import EvalRun

    Directions = Mapping[str, Mapping[str, str]]

_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which trials are looked for; `directions` holds, by eval, which way a metric is better."""

    eval_id: str | None = None
    metric: str | None = None
    is_failed: bool = False
    directions: Directions = field(default_factory=dict)

    def is_kept(self, trial: TrialRow) -> bool:
        """Is this one of them? A trial of a control speaks against nothing: it makes no claim."""
        if self.is_failed:
            better = self.directions.get(trial.eval_id, {})
            return trial.arm == "trial" and speaks_against(trial, better, self.metric)
        return self.metric is None or self.metric in trial.scores


@dataclass(slots=True, kw_only=True)
class Found:
    """The first trials that are wanted, and what was looked at to find them."""

    trials: list[TrialRow] = field(default_factory=list)
    n_looked_at: int = 0
    is_more: bool = False
    metrics: set[str] = field(default_factory=set)


@click.command()
@click.argument("run_name", required=False, default="last", metavar="[RUN]")
@click.option("--eval", "eval_name", metavar="ID", help="Only this eval: its id or a part of it.")
@click.option("--failed", "is_failed", is_flag=True, help="Only trials that speak against it.")
@click.option("--metric", metavar="NAME", help="Only trials that scored it.")
@click.option("-n", "n", type=click.IntRange(min=1), default=_SHOWN, help="3 unless said.")
@click.option("--store", type=click.Path(path_type=Path), help="Another run store than this one.")
@click.option("--json", "is_json", is_flag=True, help="Print plain data, nothing shortened.")
def command(
    *,
    run_name: str,
    eval_name: str | None,
    is_failed: bool,
    metric: str | None,
    n: int,
    store: Path | None,
    is_json: bool,
) -> int:
    """Show what was said in the trials of RUN: `last` unless said, `last~1`, an id or its start.

    --failed keeps trials that did not pass, and those with a score that their eval promises
    against, such as a `never` that was seen; with --metric, only the latter, by that metric.

    Exit code: 0 shown, or nothing speaks against the promises; 5 no such trials; 4 used wrongly.
    """
    with open_records(find_store(store)) as records:
        run = find_run(run_name, records.evals.runs())
        wanted = choose_wanted(run, eval_name, metric, is_failed=is_failed)
        found = find_trials(records.each_trial(run.run.run_id), wanted, n)
    note = "" if found.trials else say_nothing(run.run.run_id, wanted, found)
    _print(run.run.run_id, found, note, is_json=is_json)
    is_answered = found.trials or (is_failed and found.n_looked_at)
    return ExitCode.OK if is_answered else ExitCode.NOTHING_COLLECTED


def choose_wanted(
    run: EvalRun, eval_name: str | None, metric: str | None, *, is_failed: bool
) -> Wanted:
    """Return what is looked for; a metric without a direction cannot speak against anything."""
    where = f"Run {run.run.run_id} has no"
    eval_id = None if eval_name is None else find_eval(eval_name, [run], where=where)
    directions = {
        plan.eval_id: plan.detail.get("better", {})
        for plan in run.plans
        if eval_id in (None, plan.eval_id)
    }
    known = {name for better in directions.values() for name in better}
    if is_failed and metric and not any(is_of(name, metric) for name in known):
        raise EvalUsageError(
            f"--failed --metric {metric!r}: no expectation of these evals says which way it is "
            f"better, so no trial can be said to speak against it.{_suggest(metric, known)} "
            "Leave out --failed to see the trials that scored it."
        )
    return Wanted(eval_id=eval_id, metric=metric, is_failed=is_failed, directions=directions)


def find_trials(trials: Iterable[TrialRow], wanted: Wanted, n: int) -> Found:
    """Return the first of the wanted trials, read only until it is known whether more follow."""
    found = Found()
    for trial in trials:
        if wanted.eval_id not in (None, trial.eval_id):
            continue
        found.n_looked_at += 1
        found.metrics.update(trial.scores)
        if wanted.is_kept(trial):
            if len(found.trials) == n:
                found.is_more = True
                break
            found.trials.append(trial)
    return found


def say_nothing(run_id: str, wanted: Wanted, found: Found) -> str:
    """Return why no trial is shown."""
    which = f" of {wanted.eval_id}" if wanted.eval_id else ""
    if not found.n_looked_at:
        return f"Run {run_id} holds no trial{which}: it ended before the first one did."
    looked = f"None of the {found.n_looked_at:,} trials{which} in run {run_id}"
    if not wanted.is_failed:
        return f"{looked} scored {wanted.metric!r}.{_suggest(wanted.metric or '', found.metrics)}"
    numbers = "A number speaks for or against nothing by itself: leave out --failed to see them."
    if wanted.metric:
        return f"{looked} speaks against its promise by {wanted.metric!r}. {numbers}"
    return f"{looked} speaks against its promise: all passed, without such a score. {numbers}"


def _suggest(metric: str, known: set[str]) -> str:
    return suggest(metric, known) if known else ""


def _print(run_id: str, found: Found, note: str, *, is_json: bool) -> None:
    if is_json:
        # Escaped to ASCII, so that no reply reaches a terminal as a command.
        data = {
            "run": run_id,
            "note": note,
            "is_more": found.is_more,
            "trials": [asdict(trial) for trial in found.trials],
        }
        click.echo(json.dumps(data, indent=2).replace("\x7f", "\\u007f"))
        return
    encoding = sys.stdout.encoding or "utf-8"
    lines = [escape_controls(note)] if note else shown_lines(run_id, found.trials)
    if found.is_more:
        n = len(found.trials)
        lines += ["", f"{n} shown, and there are more: -n {10 * n} shows up to {10 * n}"]
    for line in lines:
        click.echo(line.encode(encoding, "backslashreplace").decode(encoding))
