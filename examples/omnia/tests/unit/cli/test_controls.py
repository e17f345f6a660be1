from __future__ import annotations

import json

import pytest
from omnia.cli.controls import find_complaint


def output(*verdicts: str) -> str:
    judgements = [{"verdict": verdict} for verdict in verdicts]
    return json.dumps({"evals": [{"judgements": judgements}]})


def test_a_control_that_is_refuted_is_what_is_wanted() -> None:
    """Exit code 1 and every verdict refuted."""
    assert find_complaint(1, output("refuted", "refuted")) is None


@pytest.mark.parametrize("exit_code", [0, 2, 3, 4, 5, 10, 11])
def test_any_other_exit_code_is_a_complaint(exit_code: int) -> None:
    """Proven, undecided, unobserved or broken: the eval has not shown that it can see."""
    assert find_complaint(exit_code, output("refuted")) is not None


@pytest.mark.parametrize(
    "said", ["", "{", "{}", "[]", output(), output("refuted", "undecided"), output("proven")]
)
def test_exit_code_one_alone_is_not_enough(said: str) -> None:
    """A crash ends with 1 too: the verdicts themselves have to be there and be refuted."""
    assert find_complaint(1, said) is not None
