"""Typing mistakes in the arguments of a declaration are refused with the closest name."""

from __future__ import annotations

from typing import Any

import pytest

from tierwise.errors import EvalUsageError
from tierwise.evals import at_least, at_most, evaluate, never, positive_control

EXPECT = [at_least("passed", 0.5)]
untyped: Any = evaluate


def body(case: object) -> None:
    """Do nothing."""


def test_a_misspelt_keyword_names_the_closest() -> None:
    """`trails` is no TypeError but a hint at `trials`."""
    with pytest.raises(EvalUsageError, match=r"evaluate.*'trails'.*Did you mean 'trials'"):
        untyped(cases=["a"], trails=15, expect=EXPECT)


def test_a_missing_keyword_is_named() -> None:
    """With all that are needed."""
    with pytest.raises(EvalUsageError, match=r"evaluate.*without `expect`"):
        untyped(cases=["a"], trials=15)
    with pytest.raises(EvalUsageError, match="without `cases`, `trials` and `expect`"):
        untyped()


def test_a_bare_decorator_says_how_it_is_written() -> None:
    """`@evaluate` without parentheses is told apart from other values by position."""
    with pytest.raises(EvalUsageError, match=r"evaluate stands bare.*evaluate\(cases="):
        untyped(body)
    with pytest.raises(EvalUsageError, match="by name"):
        untyped(["a"], 15)


@pytest.mark.parametrize(
    ("call", "arguments", "told"),
    [
        (never, {"belw": 0.1, "metric": "leak"}, "Did you mean 'below'"),
        (at_least, {"metric": "leak", "confidnce": 0.9, "p": 0.5}, "Did you mean 'confidence'"),
        (at_most, {"metric": "leak"}, "without `p`"),
        (positive_control, {"cases": ["a"], "metrc": "leak"}, "Did you mean 'metric'"),
    ],
)
def test_what_is_in_a_declaration_is_as_strict(
    call: Any, arguments: dict[str, Any], told: str
) -> None:
    """Expectations and controls say it in the same way."""
    with pytest.raises(EvalUsageError, match=told):
        call(**arguments)
