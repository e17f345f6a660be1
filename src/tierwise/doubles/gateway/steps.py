"""One step of a rule: what is said, what goes wrong, how long it takes, and how often."""

from __future__ import annotations

import inspect
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from tierwise.doubles.gateway.answers import form_answer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tierwise.doubles.gateway.asked import Asked
    from tierwise.doubles.gateway.faults import Fault
    from tierwise.doubles.gateway.latency import Latency
    from tierwise.doubles.gateway.saying import Refusal, Say

    Found = tuple[Say, ...] | Refusal
    """What is said, one `Say` a choice, or how the vendor refuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What an answer may depend on, beside the request itself."""

    number: int
    """Which request of the gateway's it is, from 1."""
    seed: int
    state: dict[str, Any] = field(default_factory=dict)


class Source(Protocol):
    """Where the answer of a step comes from."""

    def find(self, asked: Asked, situation: Situation) -> Found | Awaitable[Found]:
        """Return what is said to this request, or how it is refused."""
        ...


@dataclass(frozen=True, slots=True)
class Fixed:
    """The same answer to each request."""

    answer: Found

    def find(self, asked: Asked, situation: Situation) -> Found:
        """Return it."""
        del asked, situation
        return self.answer


@dataclass(frozen=True, slots=True)
class Computed:
    """What a function of the test's makes of the request, or of it and the state."""

    function: Callable[..., Any]

    def find(self, asked: Asked, situation: Situation) -> Found | Awaitable[Found]:
        """Call it; an async one is awaited by whoever serves the request."""
        takes_state = _takes_two(self.function)
        result = self.function(asked, situation.state) if takes_state else self.function(asked)
        if inspect.isawaitable(result):
            return self._await(result)
        return form_answer(result, self._where)

    async def _await(self, result: Awaitable[Any]) -> Found:
        return form_answer(await result, self._where)

    @property
    def _where(self) -> str:
        return f"What {getattr(self.function, '__name__', 'a function')}(...) returned"


def _takes_two(function: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [p for p in parameters if p.kind in positional and p.default is p.empty]
    return len(needed) > 1 or any(p.kind is p.VAR_POSITIONAL for p in parameters)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One answer of a rule, given `times` times; None stays for good."""

    source: Source | None = None
    """None: nothing is said, and a fault alone is what arrives."""
    faults: tuple[Fault, ...] = ()
    latency: Latency | None = None
    times: int | None = None
    is_exact: bool = False
    """Given as one of a sequence: once when nothing else is said, even as the last."""

    @property
    def is_empty(self) -> bool:
        """True where a rule was begun and nothing was said of it."""
        return self.source is None and not self.faults and self.latency is None


class Steps:
    """The steps of one rule in order; the last one is the one that is being said."""

    def __init__(self) -> None:
        self._steps: list[Step] = [Step()]
        self._ends: tuple[int, ...] | None = None

    @property
    def last(self) -> Step:
        """Return the step that is being said."""
        return self._steps[-1]

    def begin(self) -> None:
        """Begin another one."""
        self._steps.append(Step())
        self._ends = None

    def change(self, **changes: Any) -> None:  # noqa: ANN401  fields of a Step
        """Say more of the last one."""
        self._steps[-1] = replace(self._steps[-1], **changes)
        self._ends = None

    @property
    def limit(self) -> int | None:
        """How many requests they serve; None where the last one stays for good."""
        last = self._steps[-1]
        return None if last.times is None and not last.is_exact else self.n_expected

    @property
    def n_expected(self) -> int:
        """How many requests they serve at least."""
        return self._count()[-1]

    def find(self, n_th: int) -> Step:
        """Return the step that serves the n-th request, counted from 1."""
        return self._steps[min(bisect_left(self._count(), n_th), len(self._steps) - 1)]

    def _count(self) -> tuple[int, ...]:
        """Return how many requests are served when each step has ended."""
        if self._ends is None:
            self._ends = tuple(accumulate(step.times or 1 for step in self._steps))
        return self._ends
