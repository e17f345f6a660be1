"""A test suite as rooms below the plugin see it: something that runs evals and tells events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from tierwise.domain.events import Listener


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRequest:
    """Which evals to run, and how; None and empty mean what the project says."""

    root: Path
    paths: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    keyword: str | None = None
    provider: str | None = None
    trials: int | None = None
    concurrency: int | None = None
    is_dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteResult:
    """How a run ended; `output` is what the framework itself had to say."""

    exit_code: int
    output: str = ""
    store: Path | None = None
    """Where the results are kept; None when they are not."""
    not_run: tuple[str, ...] = ()
    """Evals that were asked for and not carried out, each with the reason behind its id."""


class Suite(Protocol):
    """Runs a project's evals."""

    def run_evals(self, request: EvalRequest, listen: Listener) -> SuiteResult:
        """Run them and tell each event as it happens."""
        ...
