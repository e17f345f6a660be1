"""`--executor`: where trials are carried out, as the command line says it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tierwise.errors import EvalUsageError, suggest

LOCAL = "local"
_KNOWN = (LOCAL, "ray", "ray:auto", "ray:HOST:PORT", "ray://HOST:PORT")
_JOINS = re.compile(r"ray:(auto|[^/:]+:\d+)")
_CLIENT = re.compile(r"ray://[^/:]+:\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorChoice:
    """Where trials are carried out; `address` None is a cluster of the run's own."""

    is_local: bool
    address: str | None = None


def read_executor(text: str, *, workers: int | None = None) -> ExecutorChoice:
    """Return what `--executor` names; workers are what other processes are called."""
    if text == LOCAL:
        if workers is not None:
            raise EvalUsageError(
                f"--workers {workers}: trials of the local executor run in this process, as many "
                "at once as --concurrency says. Workers come with --executor ray."
            )
        return ExecutorChoice(is_local=True)
    if text == "ray":
        return ExecutorChoice(is_local=False)
    if joined := _JOINS.fullmatch(text):
        return ExecutorChoice(is_local=False, address=joined.group(1))
    if _CLIENT.fullmatch(text):
        return ExecutorChoice(is_local=False, address=text)
    raise EvalUsageError(f"--executor {text}: no such executor.{suggest(text, _KNOWN)}")
