"""Every error a user can meet, each with the slug of its docs page, and the exit codes."""

from __future__ import annotations

import difflib
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "AirgapError",
    "CatalogueError",
    "ClockError",
    "ConfigError",
    "EvalUsageError",
    "ExitCode",
    "FloorError",
    "GatewayError",
    "MissingExtraError",
    "MisuseError",
    "ProviderSpecError",
    "ScorerError",
    "StatisticsError",
    "StoreError",
    "SuiteError",
    "TierwiseError",
    "WorkerError",
    "suggest",
]


class ExitCode(IntEnum):
    """Exit codes of every command and of pytest; 0 to 5 keep pytest's meaning."""

    OK = 0
    FAILED = 1
    """A test failed, or an eval or a gate was refuted."""
    INTERRUPTED = 2
    INTERNAL_ERROR = 3
    USAGE = 4
    NOTHING_COLLECTED = 5
    UNDECIDED = 10
    NOTHING_OBSERVED = 11
    """Trials ran and none could be scored, or nothing was observed at all."""
    STALE = 12
    STOPPED_BY_BUDGET = 13


class TierwiseError(Exception):
    """Root of all errors except a policy violation; `slug` names its page under docs/errors."""

    slug = "tw-error"
    exit_code = ExitCode.FAILED

    def __str__(self) -> str:
        """Return the message with its slug in front and its docs page behind."""
        more = f"docs: errors/{self.slug} (tierwise explain {self.slug})"
        return f"{self.slug.upper()}  {super().__str__()}  {more}"


class MisuseError(TierwiseError):
    """You configured or called something wrongly; nothing was checked."""

    slug = "tw-misuse"
    exit_code = ExitCode.USAGE


class ConfigError(MisuseError):
    """`[tool.tierwise]` says something that tierwise does not understand."""

    slug = "tw-config"


class AirgapError(MisuseError):
    """The session cannot be cut off from the network, so nothing of it was run."""

    slug = "tw-airgap"


class FloorError(MisuseError):
    """An engine is older than the floor the project declared."""

    slug = "tw-floor"


class EvalUsageError(MisuseError):
    """An eval is declared or started in a way that cannot be run."""

    slug = "tw-eval"


class ScorerError(TierwiseError):
    """A scorer was given something that it cannot judge: nothing is known about the subject."""

    slug = "tw-scorer"


class CatalogueError(TierwiseError):
    """A vendor's catalogue holds rows that cannot be read, or none: nothing of it is used."""

    slug = "tw-catalogue"


class ProviderSpecError(MisuseError):
    """A `--provider` specification names nothing that can be built."""

    slug = "tw-provider"


class MissingExtraError(MisuseError):
    """A feature needs a package that is not installed; the message names the command."""

    slug = "tw-extra"


class StoreError(TierwiseError):
    """The run store cannot be opened, read or written."""

    slug = "tw-store"


class GatewayError(TierwiseError):
    """The gateway was asked for what it does not play, or its journal for what is not in it."""

    slug = "tw-gateway"


class ClockError(TierwiseError):
    """Virtual time cannot be had here, was asked for what makes no sense, or can never go on."""

    slug = "tw-clock"


class WorkerError(TierwiseError):
    """Trials were to be carried out by other processes, and these could not do it."""

    slug = "tw-worker"


class SuiteError(TierwiseError):
    """A project's tests could not be collected, so that nothing was run."""

    slug = "tw-suite"
    exit_code = ExitCode.INTERNAL_ERROR


class StatisticsError(MisuseError):
    """A statistical function was given numbers that have no meaning."""

    slug = "tw-stats"


def suggest(value: str, valid: Iterable[str]) -> str:
    """Return ` did you mean 'x'? expected one of: ...` for a value that is not in `valid`."""
    names = sorted(valid)
    close = difflib.get_close_matches(value, names, n=1, cutoff=0.5)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    return f"{hint} Expected one of: {', '.join(names)}."
