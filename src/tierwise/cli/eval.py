"""`tierwise eval`: run evals and judge them, and look at what earlier runs found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tierwise.cli.lazy import lazy_group

if TYPE_CHECKING:
    from collections.abc import Mapping

_COMMANDS: Mapping[str, str] = {
    "compare": "compare two runs, or the providers of one, case by case",
    "history": "show a metric over runs, and where it changed",
    "plan": "say what a claim takes, and what declared evals can prove and will cost",
    "run": "run evals and judge them",
    "runs": "list the runs that are recorded",
    "show": "show what was said in trials, such as those that failed",
}


@click.group(cls=lazy_group("tierwise.cli.eval_", _COMMANDS))
def command() -> None:
    """Run evals and judge them, and look at what earlier runs found."""
