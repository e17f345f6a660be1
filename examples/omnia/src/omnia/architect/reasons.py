"""Why something fails: what the validator thinks, and what anybody in the world may read.

The validator sees the whole world, so its free text may hold any secret. Who shows it to the
actor and to everybody near has a leak that no list of viewers can stop. Here a reader gets a
sentence from a closed list instead, and the free text stays with the system.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict


class Cause(StrEnum):
    """The closed list. A model that picks one of six can say little about a secret."""

    IMPOSSIBLE = "impossible"
    BLOCKED = "blocked"
    OUT_OF_REACH = "out_of_reach"
    LACKS_MEANS = "lacks_means"
    NOT_HERE = "not_here"
    UNCLEAR = "unclear"


class Judgement(BaseModel):
    """The validator's answer. `reason` is for the system's eyes."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    valid: bool
    reason: str
    cause: Cause = Cause.IMPOSSIBLE


ShowReason = Callable[[Judgement], str]

_SENTENCES: Final = {
    Cause.IMPOSSIBLE: "it cannot be done",
    Cause.BLOCKED: "something is in the way",
    Cause.OUT_OF_REACH: "it is out of reach",
    Cause.LACKS_MEANS: "the means are missing",
    Cause.NOT_HERE: "there is nothing like that here",
    Cause.UNCLEAR: "nothing comes of it",
}


def show_cause(judgement: Judgement) -> str:
    """Return the closed list's sentence; the validator's own words never leave the system."""
    return _SENTENCES[judgement.cause]


def show_raw_reason(judgement: Judgement) -> str:
    """Return the validator's own words: the original design, kept to show what it leaks."""
    return judgement.reason
