"""What a scorer is handed, read as what it needs; what cannot be read is refused."""

from __future__ import annotations

import inspect
from typing import Any, get_args

from tierwise.errors import EvalUsageError, ScorerError, suggest
from tierwise.providers import Answer, Failure

Text = str | Answer[Any]
"""What a scorer reads: a text, or an answer whose text it is."""

_SHOWN = 60


def read_text(value: object, what: str = "The reply") -> str:
    """Return the text of a reply; refuse what says nothing about the model."""
    if isinstance(value, str):
        return value
    if isinstance(value, Answer):
        return value.text
    raise ScorerError(explain_unreadable(value, what, "a text, or an Answer"))


def read_expected(values: tuple[object, ...], what: str) -> tuple[str, ...]:
    """Return the texts that a scorer looks for; refuse none, and what is no text."""
    if not values:
        raise ScorerError(f"{what} got nothing to look for: expected at least one text.")
    for value in values:
        if isinstance(value, list | tuple | set | frozenset):
            raise ScorerError(
                f"{what} got {value!r} as one text: write {what.rstrip('()')}(..., *texts)."
            )
        if not isinstance(value, str):
            raise ScorerError(
                f"{what} looks for {value!r}, of type {type(value).__name__}: expected a text. "
                "Does the case have a value there? Numbers are compared by close_to(...)."
            )
    return tuple(value for value in values if isinstance(value, str))


def require_option(name: str, value: str, allowed: Any) -> None:  # noqa: ANN401  a Literal
    """Refuse an option that is not among those of a `Literal`."""
    known = get_args(allowed)
    if value not in known:
        raise EvalUsageError(f"{name}={value!r} is unknown.{suggest(str(value), known)}")


def show(text: str) -> str:
    """Return the text in quotes, without its middle when it is long."""
    if len(text) <= _SHOWN:
        return repr(text)
    half = _SHOWN // 2 - 2
    return f"{text[:half]!r} ... {text[-half:]!r}"


def explain_unreadable(value: object, what: str, expected: str) -> str:
    """Return why something says nothing about the model, and the way out."""
    if isinstance(value, Failure):
        return (
            f"{what} is a Failure ({value.kind}: {value.message}), which nobody can score. Write "
            "reply = trial.require(reply): it ends the trial, or hands on what the model said."
        )
    if inspect.isawaitable(value):
        close = getattr(value, "close", None)
        if callable(close):
            close()
        return f"{what} is still to be awaited: an `await` is missing."
    return (
        f"{what} is {value!r}, of type {type(value).__name__}: expected {expected}. "
        "What is missing is no answer, and neither right nor wrong."
    )
