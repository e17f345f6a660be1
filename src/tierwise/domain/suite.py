"""A test suite as rooms below the plugin see it: something that runs evals and tells events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tierwise.domain.events import Listener


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRequest:
    """Which evals to run, and how; None and empty mean what the project says."""

    root: Path
    paths: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    keyword: str | None = None
    providers: tuple[str, ...] = ()
    """Each eval runs with each of them."""
    trials: int | None = None
    concurrency: int | None = None
    baseline: str | None = None
    """The earlier run that promises about being no worse compare with."""
    limits: Mapping[str, float] = field(default_factory=dict)
    """What all evals together may spend: of `usd`, `tokens`, `calls`, `seconds`."""
    executor: str | None = None
    """Where trials run; None is this process."""
    workers: int | None = None
    """How many processes run them, where it is not this one."""
    is_fresh: bool = False
    """Are all trials run, also those that an earlier run has made?"""
    is_cached: bool = False
    """May replies come from those that were kept before?"""
    is_dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteResult:
    """How a run ended; `output` is what the framework itself had to say."""

    exit_code: int
    output: str = ""
    error: str = ""
    """What went wrong, in a few lines: what of `output` a program is to read."""
    store: Path | None = None
    """Where the results are kept; None when they are not."""
    run_id: str = ""
    """Under which name they are kept there."""
    not_run: tuple[str, ...] = ()
    """Evals that were asked for and not carried out, each with the reason behind its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEval:
    """One eval as it is declared; nothing of it was run."""

    eval_id: str
    tier: str | None
    declaration: object
    """What `@evaluate` attached to its function: an `EvalDeclaration` of the room `evals`."""
    wants_provider: bool
    """Does its body take a provider, or does it bring its own?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalListing:
    """The evals that a request would run; `output` is what kept others from being collected."""

    exit_code: int
    evals: tuple[ListedEval, ...] = ()
    output: str = ""


class Suite(Protocol):
    """Runs a project's evals."""

    def run_evals(self, request: EvalRequest, listen: Listener) -> SuiteResult:
        """Run them and tell each event as it happens."""
        ...

    def list_evals(self, request: EvalRequest) -> EvalListing:
        """Collect them and run nothing."""
        ...
