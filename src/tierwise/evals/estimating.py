"""What the next call may cost, from its own text and from the calls before it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tierwise.domain import Usage

if TYPE_CHECKING:
    from tierwise.providers import Request

_CHARACTERS_A_TOKEN = 3.0
"""Cautious for English, where it is about four; what calls then read corrects it."""
_FRAME_TOKENS = 8
"""What a vendor adds to each turn."""
_GUESS_TOKENS = 1024
_N_ENOUGH = 3


class _Numbers:
    """Mean and spread of a stream of numbers (Welford's way), without keeping them."""

    def __init__(self) -> None:
        self.n = 0
        self._mean = 0.0
        self._squares = 0.0

    def take(self, value: float) -> None:
        self.n += 1
        off = value - self._mean
        self._mean += off / self.n
        self._squares += off * (value - self._mean)

    def upper(self) -> float:
        """Return the mean and two standard deviations: what few values exceed."""
        spread = math.sqrt(self._squares / (self.n - 1)) if self.n > 1 else 0.0
        return self._mean + 2 * spread


class Estimator:
    """Learns from one provider's calls how many tokens the next one may take."""

    def __init__(self) -> None:
        self._said = _Numbers()
        self._factor = _Numbers()

    def estimate(self, request: Request[Any]) -> tuple[Usage, bool]:
        """Return the usage to reserve, and whether it is a mere guess.

        It is one while nothing bounds the reply: no `max_tokens`, and too few calls before it.
        """
        read = _count_roughly(request)
        if self._factor.n >= _N_ENOUGH:
            read = math.ceil(read * self._factor.upper())
        if request.max_tokens is not None:
            return Usage(input_tokens=read, output_tokens=request.max_tokens), False
        if self._said.n >= _N_ENOUGH:
            return Usage(input_tokens=read, output_tokens=math.ceil(self._said.upper())), False
        return Usage(input_tokens=read, output_tokens=_GUESS_TOKENS), True

    def learn(self, request: Request[Any], usage: Usage) -> None:
        """Take what an answered call did use."""
        if usage.input_tokens:
            self._factor.take(usage.input_tokens / _count_roughly(request))
        if usage.output_tokens:
            self._said.take(usage.output_tokens)


def _count_roughly(request: Request[Any]) -> int:
    characters = sum(len(message.content) for message in request.messages)
    return math.ceil(characters / _CHARACTERS_A_TOKEN) + _FRAME_TOKENS * len(request.messages) + 1
