"""Running evals as a user would set it up: type-checked, never run."""

from __future__ import annotations

from typing import Any, assert_type

from tierwise.evals import Budget, EvalDeclaration, at_least, declaration_of, evaluate
from tierwise.providers import Answer, Failure, FailureKind


@evaluate(
    cases=["a"],
    trials=3,
    expect=[at_least("passed", 0.5)],
    budget=Budget(usd=0.5, tokens=10_000, calls=20, seconds=60.0),
)
def bounded(case: str) -> None:
    """Spend no more than that."""


def check_budget() -> None:
    """Leave out what is not limited."""
    assert_type(Budget().usd, float | None)
    assert_type(declaration_of(bounded), EvalDeclaration | None)
    Budget(5)  # type: ignore[call-arg]  # five of what?


def check_source(reply: Answer[Any] | Failure) -> bool:
    """Ask a reply whether it is an observation of this run."""
    return reply.source == "cache" or (
        isinstance(reply, Failure) and reply.kind is FailureKind.BUSY
    )
