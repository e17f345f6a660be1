"""Which earlier run is compared with, and whether anything is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.errors import ExitCode

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


def test_a_baseline_that_nothing_is_compared_with_is_refused(write: Write, run: Run) -> None:
    """Before anything is spent: a gate that looks at nothing would always be open."""
    write(
        """
        @evaluate(cases=["a"], trials=10, expect=[at_least("ok", 0.5)])
        async def test_it(case, provider, trial):
            await ask(provider, trial)
            trial.score(ok=True)
        """
    )
    run()
    result = run("--eval-fresh", "--eval-baseline=last")
    assert result.ret == ExitCode.USAGE
    said = result.stdout.str() + result.stderr.str()
    assert "--baseline last is what no_worse_than(...) is compared with" in said
    assert "no_worse_than(METRIC, margin=...)" in said
    assert "scored" not in said
