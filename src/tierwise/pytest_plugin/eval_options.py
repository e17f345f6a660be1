"""How the evals of a session run: the command line first, then what the project says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

    from tierwise.config import EvalsConfig
    from tierwise.evals.budget import Budget
    from tierwise.evals.remote.choosing import ExecutorChoice

_LIMITS = ("usd", "tokens", "calls", "seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalOptions:
    """What was asked of the evals of one session."""

    specs: tuple[str, ...]
    """The providers, in the order in which they were named; empty when none was."""
    concurrency: int
    trials: int | None
    baseline: str | None
    is_dry: bool
    is_fresh: bool
    is_cached: bool
    retries: int | None
    call_timeout_s: float | None
    budget: Budget | None
    """What all evals together may spend; None sets no limit."""
    executor: ExecutorChoice
    """Where trials are carried out."""
    workers: int | None
    """How many processes carry them out there; None is as many as the cluster has CPUs."""


def read_options(config: pytest.Config, said: EvalsConfig) -> EvalOptions:
    """Return the options of a session, those of a dry run without anything that costs."""
    is_dry = bool(config.getoption("tierwise_eval_dry_run"))
    specs = config.getoption("tierwise_eval_providers") or [said.provider or ""]
    return EvalOptions(
        specs=tuple(dict.fromkeys(filter(None, specs))),
        concurrency=config.getoption("tierwise_eval_concurrency") or said.concurrency,
        trials=config.getoption("tierwise_eval_trials"),
        baseline=None if is_dry else config.getoption("tierwise_eval_baseline"),
        is_dry=is_dry,
        is_fresh=bool(config.getoption("tierwise_eval_fresh")),
        is_cached=not is_dry and (config.getoption("tierwise_eval_cache") or said.cache),
        retries=said.retries,
        call_timeout_s=said.call_timeout_s,
        budget=None if is_dry else _read_budget(config, said),
        **_read_executor(config, is_dry=is_dry),
    )


def _read_executor(config: pytest.Config, *, is_dry: bool) -> dict[str, Any]:
    from tierwise.evals.remote.choosing import (  # noqa: PLC0415  loaded when evals run
        LOCAL,
        read_executor,
    )

    named = config.getoption("tierwise_eval_executor") or LOCAL
    workers = config.getoption("tierwise_eval_workers")
    choice = read_executor(named, workers=workers)
    return {"executor": read_executor(LOCAL) if is_dry else choice, "workers": workers}


def _read_budget(config: pytest.Config, said: EvalsConfig) -> Budget | None:
    from tierwise.evals.budget import Budget  # noqa: PLC0415  loaded when evals run

    limits = {
        name: config.getoption(f"tierwise_eval_max_{name}") or getattr(said, f"max_{name}")
        for name in _LIMITS
    }
    return Budget(**limits) if any(limits.values()) else None
