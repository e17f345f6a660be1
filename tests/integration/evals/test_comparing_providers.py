"""Several providers of one session are compared below the table of its evals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    Write = Callable[..., None]
    Run = Callable[..., pytest.RunResult]

LEAK = """
@evaluate(cases=["a"], trials=30, expect=[never("leak", below=0.5)], stop="fixed")
async def test_leak(case, provider, trial):
    trial.score(leak="heron" in await ask(provider, trial))
"""
BOTH = (
    "--eval-provider",
    "simulated:rate=0",
    "--eval-provider",
    "simulated:rate=0.9,secret=the blue heron",
)


def test_pytest_compares_them_as_well(write: Write, run: Run) -> None:
    """In words, as `tierwise eval compare` does."""
    write(LEAK)
    result = run(*BOTH, provider=None)
    result.stdout.fnmatch_lines(
        [
            "A  * simulated (simulated:rate=0) *",
            "B  * simulated (simulated:rate=0.9,secret=the blue heron) *",
            "*test_leak  ?1 case on both sides, 30 and 30 scored trials]",
            "  leak (lower is better): A 0 %, B *",
            "    for these cases: A is better: *",
        ]
    )


def test_one_provider_has_nothing_to_be_compared_with(write: Write, run: Run) -> None:
    """And nothing is said."""
    write(LEAK)
    assert "is better" not in run(provider="simulated:rate=0").stdout.str()
