"""One attempt to reach another machine, as it was seen on the wire."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from tierwise.domain import Capability, Touch
from tierwise.sandbox.targets import format_endpoint

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["connect", "send", "look_up", "unnamed"]
"""A connection, a packet, a name asked for, or one of which the kernel only keeps count."""

_EVENT = "wire."


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What a packet says, and which process it came from where that could be told."""

    kind: Kind
    host: str
    port: int | None = None
    local_port: int | None = None
    """The port of the sender, by which its process is found."""
    process: str = ""
    """The name of that process; "" when it had gone before anybody could look."""
    ancestors: tuple[int, ...] = ()
    """Its id, its parent's, and so on."""
    thread: int = 0
    """The system's id of the thread that waited for it; 0 when none was seen to."""

    def as_data(self) -> dict[str, object]:
        """Return it as plain data."""
        return asdict(self)


def attempt_from_data(data: Mapping[str, object]) -> Attempt:
    """Return what `as_data` made."""
    ancestors = data.get("ancestors", ())
    plain = {**data, "ancestors": tuple(ancestors) if isinstance(ancestors, list) else ()}
    return Attempt(**plain)  # type: ignore[arg-type]  # written by this very class


def touch_of(attempt: Attempt) -> Touch:
    """Return the attempt as a touch of the network."""
    is_name = attempt.kind == "look_up"
    return Touch(
        capability=Capability.NETWORK,
        target=attempt.host if is_name else format_endpoint(attempt.host, attempt.port),
        event=f"{_EVENT}{attempt.kind}",
    )


def say_source(attempt: Attempt, pid: int) -> str:
    """Say who made the attempt, as a line that stands where a stack would; `pid` runs the test."""
    if attempt.kind == "unnamed":
        return "<the kernel's count> says that it was made; nothing tells where it was to go"
    if not attempt.ancestors:
        return "<the wire> seen while the test ran; the process that made it had ended by then"
    if attempt.ancestors[0] == pid and attempt.thread:
        return "<the wire> made below Python's own sockets, in a thread of the test's"
    if attempt.ancestors[0] == pid:
        return (
            "<the wire> seen while the test ran; made by this process below Python's own sockets"
        )
    name = attempt.process or "without a name"
    return f"<the wire> seen while the test ran; made by the process {name}"
