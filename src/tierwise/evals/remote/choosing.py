"""`--executor`: where trials are carried out, as the command line says it."""

from __future__ import annotations

from dataclasses import dataclass

from tierwise.errors import EvalUsageError, suggest

LOCAL = "local"
_KNOWN = (LOCAL, "ray", "ray:auto", "ray://HOST:PORT")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorChoice:
    """Where trials are carried out; `address` None is a cluster of the run's own."""

    is_local: bool
    address: str | None = None


def read_executor(text: str) -> ExecutorChoice:
    """Return what `--executor` names."""
    if text == LOCAL:
        return ExecutorChoice(is_local=True)
    if text == "ray":
        return ExecutorChoice(is_local=False)
    if text == "ray:auto":
        return ExecutorChoice(is_local=False, address="auto")
    if text.startswith("ray://") and len(text) > len("ray://"):
        return ExecutorChoice(is_local=False, address=text)
    raise EvalUsageError(f"--executor {text}: no such executor.{suggest(text, _KNOWN)}")
