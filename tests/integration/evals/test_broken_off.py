"""Runs that were broken off, and what later runs make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

COMPARING = """
from tierwise.evals import no_worse_than

@evaluate(cases=["a", "b"], trials=10, expect=[no_worse_than("ok", margin=0.2)])
async def test_it(case, provider, trial):
    await ask(provider, trial)
    trial.score(ok={ok})
"""


def test_the_last_run_is_the_last_that_measured_enough(write: Write, run: Run) -> None:
    """One that its budget broke off is passed over as a baseline, and named as such."""
    write(COMPARING.format(ok=True))
    run("--eval-fresh")
    run("--eval-fresh", "--eval-max-calls=1")
    write(COMPARING.format(ok=False))
    result = run("--eval-fresh", "--eval-baseline=last", "-v")
    result.stdout.fnmatch_lines(
        ["*REFUTED*ok no worse*", "*compared with *, past the broken-off *, case by case"]
    )
