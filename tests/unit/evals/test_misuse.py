"""Values of another kind than a function takes are refused in words, wherever they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import ToolCall
from tierwise.errors import EvalUsageError, ScorerError, TierwiseError
from tierwise.evals import at_least, evaluate, load_cases, never
from tierwise.evals.scorers import called, contains, exact, follows_trajectory

if TYPE_CHECKING:
    from collections.abc import Callable

PROMISES = [never("leak", below=0.05)]
CALLS = [ToolCall(id="1", name="look", arguments={})]


def declare(**changes: Any) -> object:
    return evaluate(**({"cases": ["a"], "trials": 60, "expect": PROMISES} | changes))


@pytest.mark.parametrize(
    ("misuse", "said"),
    [
        (lambda: load_cases(5), r"load_cases\(5\): expected the path of a file.*cases=\[...\]"),
        (lambda: load_cases(None), r"load_cases\(None\): expected the path"),
        (lambda: load_cases(b"cases.jsonl"), "expected the path of a file"),
        (lambda: load_cases(["a", "b"]), "Cases that are at hand go to evaluate"),
        (
            lambda: load_cases("cases.jsonl", id_field=5),
            "id_field=5: expected the name of a field",
        ),
        (lambda: declare(expect=5), r"expect=5: expected a list of promises"),
        (lambda: declare(expect=None), r"expect=None: expected a list of promises"),
        (lambda: declare(expect="never"), r"expect='never': expected a list of promises"),
        (lambda: declare(control=5), r"control=5: expected positive_control"),
        (lambda: declare(control=at_least("leak", 0.5)), r"expected positive_control"),
        (lambda: exact("a", "a", ignore=5), r"ignore=5: expected a list, such as"),
        (lambda: contains("a", "a", ignore=None), r"ignore=None: expected a list"),
        (lambda: called(CALLS, "look", times="two"), r"times='two'\): expected 1 or more"),
        (lambda: called(CALLS, "look", times=1.5), r"times=1.5\): expected 1 or more"),
        (lambda: follows_trajectory(CALLS, 5), "expected steps are 5: expected a list"),
        (lambda: follows_trajectory(CALLS, [5]), "steps hold 5: expected the name of a tool"),
    ],
)
def test_a_value_of_another_kind_is_refused_in_words(
    misuse: Callable[[], object], said: str
) -> None:
    """With what was expected; never by an error from inside."""
    with pytest.raises(TierwiseError, match=said) as caught:
        misuse()
    assert isinstance(caught.value, EvalUsageError | ScorerError)
