"""What the body of an eval is handed for one run of one case."""

from __future__ import annotations

import asyncio
import inspect
import math
from typing import TYPE_CHECKING, Any, TypeVar

from tierwise.errors import EvalUsageError
from tierwise.evals.scored import Scored
from tierwise.providers import Answer, Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from pydantic import BaseModel

    from tierwise.domain import Exchange

    T = TypeVar("T", bound=BaseModel)

Score = bool | float | str
R = TypeVar("R")

PASSED = "passed"
"""The metric that a plain `assert` scores."""


class TrialOver(BaseException):
    """Ends a trial whose provider gave nothing to score; no `except Exception` stops it."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Trial:
    """One run of one case: where scores, notes and temporary files of the body go.

    `index` counts the runs of a case from 0; `seed` follows from plan, case and index, so a rerun
    of the same plan has the same seeds.
    """

    def __init__(
        self,
        *,
        index: int,
        seed: int,
        make_folder: Callable[[], Path],
        loop: asyncio.AbstractEventLoop | None = None,
        said: Callable[[], tuple[Exchange, ...]] = tuple,
        is_unanswered: Callable[[], bool] = lambda: False,
    ) -> None:
        self.index = index
        self.seed = seed
        self._make_folder = make_folder
        self._loop = loop
        self._said = said
        self._is_unanswered = is_unanswered
        self._unfounded: set[str] = set()
        self._folder: Path | None = None
        self._scores: dict[str, Score] = {}
        self._notes: list[str] = []
        self._graders: dict[str, str] = {}
        self._is_over = False

    @property
    def tmp_path(self) -> Path:
        """A folder of this trial alone, made when it is first asked for."""
        if self._folder is None:
            self._folder = self._make_folder()
        return self._folder

    @property
    def scores(self) -> dict[str, Score]:
        """What was scored so far, copied."""
        return dict(self._scores)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was noted so far."""
        return tuple(self._notes)

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was said to and by the trial's providers so far, copied."""
        return self._said()

    @property
    def graders(self) -> dict[str, str]:
        """What has to be said beside a verdict on a metric that a judge scored."""
        return dict(self._graders)

    @property
    def founded_scores(self) -> dict[str, Score]:
        """What was scored while no request of the trial was without an answer."""
        return {name: value for name, value in self._scores.items() if name not in self._unfounded}

    def score(self, **values: Score | Scored) -> None:
        """Keep an observation of each metric named: True or False, a number, or a category.

        What a scorer returns says why; that is kept as a note.
        """
        self._require_open("score")
        for metric, value in values.items():
            if metric == PASSED:
                raise EvalUsageError(
                    "trial.score(passed=...) is taken: `passed` is scored by the body's asserts. "
                    "Use another name."
                )
            if metric in self._scores:
                raise EvalUsageError(
                    f"trial.score({metric}=...) came twice in one trial: the first was "
                    f"{self._scores[metric]!r}, the second {value!r}. One trial is one "
                    "observation of a metric."
                )
            plain = value.value if isinstance(value, Scored) else value
            self._scores[metric] = _require_score(metric, plain)
            if self._is_unanswered():
                self._unfounded.add(metric)
            if isinstance(value, Scored):
                self._explain(metric, value)

    def note(self, text: str) -> None:
        """Keep a line beside the trial's scores, for whoever reads the transcript."""
        self._require_open("note")
        self._notes.append(str(text))

    def require(self, reply: Answer[T] | Failure) -> Answer[T]:
        """Return the answer, or end the trial with the outcome that the failure stands for.

        What the model itself did wrong (malformed, against the schema, refused, cut off) is an
        answer too: its text goes on to be scored, with `data` missing.
        """
        if isinstance(reply, Answer):
            return reply
        if inspect.isawaitable(reply):
            _discard(reply)
            raise EvalUsageError(
                "trial.require() was given what is still to be awaited: write "
                "trial.require(await ...), or in a sync body trial.require(trial.wait(...))."
            )
        if reply.kind.is_scored:
            return Answer(
                text=reply.text, usage=reply.usage, model=reply.model, latency_s=reply.latency_s
            )
        raise TrialOver(reply.kind, reply.message)

    def wait(self, awaitable: Awaitable[R]) -> R:
        """Let a sync body wait for a coroutine, such as a provider's `generate`."""
        if self._loop is None:
            _discard(awaitable)
            raise EvalUsageError("trial.wait() needs a running eval: there is no event loop here.")
        if _is_running_here(self._loop):
            _discard(awaitable)
            raise EvalUsageError(
                "trial.wait() is for sync bodies; this one is async and would wait for itself. "
                "Write `await ...` instead."
            )
        return asyncio.run_coroutine_threadsafe(_as_coroutine(awaitable), self._loop).result()

    def close(self) -> dict[str, Score]:
        """End the trial: nothing is taken any more. Return the scores."""
        self._is_over = True
        return dict(self._scores)

    def _explain(self, metric: str, scored: Scored) -> None:
        if scored.why:
            self._notes.append(f"{metric}: {scored.why}")
        if scored.grader:
            self._graders[metric] = scored.grader

    def _require_open(self, what: str) -> None:
        if self._is_over:
            raise EvalUsageError(
                f"trial.{what}() came after the trial was over: a thread or task outlived it."
            )


def _require_score(metric: str, value: Any) -> Score:  # noqa: ANN401  whatever a body gives
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        if math.isfinite(value):
            return float(value)
        raise EvalUsageError(
            f"trial.score({metric}={value!r}): expected a finite number. What could not be "
            "measured is better not scored: it counts as missing, not as a value."
        )
    if inspect.isawaitable(value):
        _discard(value)
        raise EvalUsageError(
            f"trial.score({metric}=...) was given what is still to be awaited: an `await` is "
            "missing."
        )
    raise EvalUsageError(
        f"trial.score({metric}={value!r}): expected True or False, a number or a text, not "
        f"{type(value).__name__}."
    )


async def _as_coroutine(awaitable: Awaitable[R]) -> R:
    return await awaitable


def _is_running_here(loop: asyncio.AbstractEventLoop) -> bool:
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False


def _discard(awaitable: object) -> None:
    # A coroutine that is never awaited would add a warning of its own to the error.
    close = getattr(awaitable, "close", None)
    if callable(close):
        close()
