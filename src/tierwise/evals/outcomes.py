"""How a trial ended, decided from how its body ended and what its provider said last."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tierwise.domain import Outcome
from tierwise.evals.trial import PASSED, Score, TrialOver

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.providers import Failure


_ADDRESS = re.compile(r"0x[0-9A-Fa-f]+")
_COROUTINE = re.compile(r"'coroutine' object|<coroutine object|coroutine '.*' was never awaited")
_LONGEST = 200
_TAIL = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a body ended: `error` is None when it ran to its end.

    `outcome` is set where the test framework knows better: a skip is `not_run`.
    """

    error: BaseException | None = None
    outcome: Outcome | None = None
    message: str = ""
    where: str = ""
    """The innermost line of the user's own code that the error passed through."""
    ends_eval: bool = False
    """Can no other trial come to more, such as after a touch that the policy forbids?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """A trial's outcome with the scores that go with it."""

    outcome: Outcome
    scores: Mapping[str, Score]
    message: str = ""


def conclude(
    ending: Ending, scores: Mapping[str, Score], open_failure: Failure | None
) -> Conclusion:
    """Decide the outcome of a trial.

    `open_failure` is what came of a request that was never answered. One that is not the model's
    own doing leaves nothing to be scored, however the body went on from there: what was read
    from an answer that never came is no observation. An app that asked the same again and got
    an answer is scored as usual.
    """
    error = ending.error
    if ending.outcome is not None and ending.outcome is not Outcome.FAILED:
        return Conclusion(outcome=ending.outcome, scores=scores, message=ending.message)
    if isinstance(error, TrialOver):
        outcome = error.kind.outcome or Outcome.ERROR
        return Conclusion(outcome=outcome, scores=scores, message=f"{error.kind}: {error}")
    if open_failure is not None and open_failure.kind.outcome is not None:
        return Conclusion(
            outcome=open_failure.kind.outcome,
            scores=scores,
            message=f"{open_failure.kind}: {open_failure.message}",
        )
    if error is None:
        return Conclusion(outcome=Outcome.PASSED, scores={**scores, PASSED: True})
    if isinstance(error, AssertionError) or ending.outcome is Outcome.FAILED:
        return Conclusion(
            outcome=Outcome.FAILED, scores={**scores, PASSED: False}, message=describe(error)
        )
    return Conclusion(
        outcome=Outcome.ERROR, scores=scores, message=_add_place(describe(error), ending.where)
    )


def describe(error: BaseException) -> str:
    """Return the kind and text of an error, on as many lines as it has."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001  an error whose own text fails is still an error
        text = "(its message cannot be read)"
    hint = " (is an `await` missing?)" if _COROUTINE.search(text) else ""
    return f"{type(error).__name__}: {text}{hint}" if text else type(error).__name__


def reason_of(message: str) -> str:
    """Return the part of a trial's message by which trials are grouped.

    It is the first line, without the addresses of objects; a long one loses its middle, since
    the kind of an error stands in front and its place behind.
    """
    lines = message.splitlines()
    if not lines:
        return "no reason given"
    line = _ADDRESS.sub("0x...", lines[0])
    if len(line) <= _LONGEST:
        return line
    return f"{line[: _LONGEST - _TAIL - 5]} ... {line[-_TAIL:]}"


def _add_place(message: str, where: str) -> str:
    first, newline, rest = message.partition("\n")
    return f"{first} at {where}{newline}{rest}" if where else message
