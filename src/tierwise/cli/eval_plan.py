"""`tierwise eval plan`: how much a claim takes; what declared evals can prove and will cost."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tierwise.cli.eval_plan_declared import DeclaredRequest, plan_declared
from tierwise.errors import EvalUsageError, ExitCode

if TYPE_CHECKING:
    from tierwise.evals.sizes import Setting, Sizing

_RATE = click.FloatRange(0, 1, min_open=True, max_open=True)
_COUNT = click.IntRange(min=1)
_QUESTIONS = ("never", "at_least", "at_most", "see_drop", "difference")


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--never", type=_RATE, metavar="P", help="Prove that something is rarer than P.")
@click.option("--at-least", type=_RATE, metavar="P", help="Prove a rate of P or more.")
@click.option("--at-most", type=_RATE, metavar="P", help="Prove a rate of P or less.")
@click.option("--expect-rate", type=_RATE, metavar="R", help="What you believe the rate to be.")
@click.option("--see-drop", type=_RATE, nargs=2, metavar="P1 P2", help="See a rate fall.")
@click.option("--paired", is_flag=True, help="Both sides run the same cases.")
@click.option("--discordant", type=_RATE, metavar="S", help="Share that passes before alone.")
@click.option("--difference", type=float, metavar="D", help="See two means differ by D.")
@click.option("--mean-sd", type=float, metavar="SD", help="Of the difference, case to case.")
@click.option("--trial-sd", type=float, metavar="SD", help="Of a trial around its case's mean.")
@click.option(
    "--sensitivity",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    metavar="S",
    help="What share of events the detector sees.",
)
@click.option("--cases", type=_COUNT, help="As many cases as there are.")
@click.option("--trials", type=_COUNT, help="Trials of each case.")
@click.option(
    "--icc",
    type=click.FloatRange(0, 1),
    metavar="R",
    help="How alike trials of one case are, 0 to 1.",
)
@click.option("--confidence", type=_RATE, default=0.95, help="0.95 unless said.")
@click.option("--power", type=_RATE, default=0.8, help="The chance of seeing it; 0.8 unless said.")
@click.option("--provider", metavar="SPEC", help="Whose price counts, for declared evals.")
@click.option("--concurrency", type=_COUNT, help="Trials that run at once, for declared evals.")
@click.option("--tier", "tiers", multiple=True, metavar="NAME", help="Only this tier's evals.")
@click.option("-k", "keyword", metavar="EXPR", help="Only evals whose name matches.")
@click.option("--store", type=click.Path(path_type=Path), help="Another run store than this one.")
@click.option("--json", "is_json", is_flag=True, help="Print plain data.")
def command(**options: Any) -> int:  # noqa: ANN401  read by name below
    """Say how many cases and trials a claim takes, before anything is run.

    With a question (--never, --at-least, --at-most, --see-drop, --difference) the answer is for
    these cases and for cases like them. Without one the project's evals, or those of PATH, are
    collected: what each can prove with its plan, what it would need, and what it will cost by
    what earlier runs took. Nothing is run.

    Exit code: 0, 10 a declared eval cannot prove its claim with so few trials, not even by a
    flawless run, 5 no evals found, 4 used wrongly.
    """
    asked = [name for name in _QUESTIONS if options[name] not in (None, ())]
    if len(asked) > 1:
        names = " and ".join(f"--{name.replace('_', '-')}" for name in asked)
        raise EvalUsageError(f"{names} are several questions: ask one at a time.")
    if not asked:
        _refuse_lonely(options)
        return plan_declared(
            DeclaredRequest(
                paths=options["paths"],
                tiers=options["tiers"],
                keyword=options["keyword"],
                provider=options["provider"],
                trials=options["trials"],
                concurrency=options["concurrency"],
                store=options["store"],
            ),
            is_json=options["is_json"],
        )
    if options["paths"]:
        raise EvalUsageError(
            f"--{asked[0].replace('_', '-')} is a question about numbers, and "
            f"{options['paths'][0]} names evals: ask one of the two."
        )
    sizing = answer(asked[0], options)
    if options["is_json"]:
        click.echo(json.dumps(dataclasses.asdict(sizing), indent=2))
    else:
        click.echo("\n".join(sizing_lines(sizing)))
    return ExitCode.OK


def answer(question: str, options: dict[str, Any]) -> Sizing:
    """Return the answer to a question that was asked by an option."""
    from tierwise.evals.sizes import Setting  # noqa: PLC0415  statistics are slow to load
    from tierwise.evals.sizing import size_never  # noqa: PLC0415

    setting = Setting(
        confidence=options["confidence"],
        power=options["power"],
        cases=options["cases"],
        icc=options["icc"],
    )
    if question == "never":
        return size_never(options["never"], setting, sensitivity=options["sensitivity"])
    if question in ("at_least", "at_most"):
        return _answer_rate(question, options, setting)
    return _answer_change(question, options, setting)


def sizing_lines(sizing: Sizing) -> list[str]:
    """Return the answer with what it assumes."""
    return [
        sizing.question,
        *(f"  for {size.population.replace('_', ' ')}: {size.sentence}" for size in sizing.sizes),
        *(f"  assumes: {assumption}" for assumption in sizing.assumptions),
        *(f"  note: {note}" for note in sizing.notes),
    ]


def _answer_rate(question: str, options: dict[str, Any], setting: Setting) -> Sizing:
    from tierwise.evals.sizing import size_rate  # noqa: PLC0415  statistics are slow to load

    if options["expect_rate"] is None:
        flag = f"--{question.replace('_', '-')}"
        raise EvalUsageError(
            f"{flag} needs --expect-rate R, what you believe the rate to be: the closer it is to "
            f"{options[question]:g}, the more trials it takes. Such as: tierwise eval plan {flag} "
            f"{options[question]:g} --expect-rate {0.95 if question == 'at_least' else 0.05}"
        )
    return size_rate(question, options[question], options["expect_rate"], setting)


def _answer_change(question: str, options: dict[str, Any], setting: Setting) -> Sizing:
    from tierwise.evals.sizing import size_difference  # noqa: PLC0415  statistics are slow to load
    from tierwise.evals.sizing_drops import size_drop  # noqa: PLC0415

    if question == "see_drop":
        before, after = options["see_drop"]
        return size_drop(
            before,
            after,
            setting,
            discordant=options["discordant"],
            is_paired=options["paired"],
        )
    if options["mean_sd"] is None and options["trial_sd"] is None:
        raise EvalUsageError(
            "--difference needs --mean-sd, how much the difference varies from case to case, or "
            "--trial-sd, how much trials of one case vary, or both."
        )
    return size_difference(
        options["difference"],
        options["mean_sd"] or 0.0,
        options["trial_sd"] or 0.0,
        setting,
        trials=options["trials"] or 1,
    )


def _refuse_lonely(options: dict[str, Any]) -> None:
    """Refuse what only says more about a question, where none is asked."""
    lonely = ("expect_rate", "discordant", "mean_sd", "trial_sd", "cases", "icc")
    for name in lonely:
        if options[name] is not None:
            raise EvalUsageError(
                f"--{name.replace('_', '-')} says more about a question, and none is asked. Ask "
                "one: --never P, --at-least P, --at-most P, --see-drop P1 P2 or --difference D."
            )
