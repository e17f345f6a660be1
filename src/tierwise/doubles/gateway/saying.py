"""What the model behind the gateway is to say, and how the vendor refuses."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.domain import ToolCall, Usage


class Stop(StrEnum):
    """Why the model stopped; each vendor has its own word for it."""

    END = "end"
    LENGTH = "length"
    TOOL = "tool"
    REFUSED = "refused"
    FILTERED = "filtered"
    SEQUENCE = "sequence"
    """A stop sequence of the client's was met."""
    PAUSED = "paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """One answer of the model, in neutral words; each vendor writes it in its own."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    thinking: str = ""
    refusal: str | None = None
    stop: Stop | None = None
    """None: TOOL with tool calls, REFUSED with a refusal, else END."""
    stop_sequence: str | None = None
    usage: Usage | None = None
    """None: counted from what was asked and said."""
    pieces: tuple[str, ...] = ()
    """How a stream cuts the text; empty: about one piece a word."""
    embeddings: tuple[tuple[float, ...], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields that overwrite those of the vendor's own response object, at its top level."""

    @property
    def why_stopped(self) -> Stop:
        """Return why the model stopped, said or derived."""
        if self.stop is not None:
            return self.stop
        if self.refusal is not None:
            return Stop.REFUSED
        return Stop.TOOL if self.tool_calls else Stop.END


class Ground(StrEnum):
    """What a rule about requests, or the shape of an error, rests on."""

    TYPED = "typed"
    """The vendor's SDK types say so."""
    DOCUMENTED = "documented"
    OBSERVED = "observed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The vendor will not serve a request; the vendor derives what is None from the status."""

    status: int
    message: str | None = None
    code: str | None = None
    kind: str | None = None
    """The vendor's word for the class of error: `invalid_request_error`, `RESOURCE_EXHAUSTED`."""
    param: str | None = None
    retry_after_s: float | None = None
    headers: tuple[tuple[str, str], ...] = ()
    rule: str = ""
    """Which rule about requests was broken; empty for a fault of a scenario."""
    ground: Ground = Ground.DOCUMENTED
    body: bytes | None = None
    """A body to send as it is, in place of the vendor's."""


def refuse_unfit_wait(retry_after_s: object, where: str) -> None:
    """Raise where a client is told to wait for anything but a number of seconds from 0 on."""
    if retry_after_s is None:
        return
    is_fit = (
        isinstance(retry_after_s, int | float)
        and not isinstance(retry_after_s, bool)
        and math.isfinite(retry_after_s)
        and retry_after_s >= 0
    )
    if not is_fit:
        raise MisuseError(
            f"{where} has retry_after_s {retry_after_s!r}; expected seconds, 0 or more."
        )
