"""Tiers, what they allow, and what a forbidden touch is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tierwise.domain.words import Capability, Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """One capability, whole (`target` is None) or for one target.

    Targets: `network` and `loopback` take `host` or `host:port`; `write`, `read` and `tmp` take a
    path (a folder covers what is below it); `subprocess` takes a program name; `model` a
    provider name.
    """

    capability: Capability
    target: str | None = None
    reason: str | None = None

    def __str__(self) -> str:
        """Return the notation used in pyproject.toml: `capability` or `capability:target`."""
        return self.capability if self.target is None else f"{self.capability}:{self.target}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """A group of tests with one question, one policy and one way to be run."""

    name: str
    level: Level
    question: str = ""
    paths: tuple[str, ...] = ()
    allow: tuple[Allowance, ...] = ()
    deliberate: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """Something that code did to the world outside its own memory."""

    capability: Capability
    target: str
    """What was touched, for a reader: `203.0.113.7:443`, a path, a program, `1.5 s`."""
    event: str = ""
    """The audit event, or the patched function, that saw it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One forbidden touch, with whose it is and where it was made."""

    capability: Capability
    target: str
    subject: str
    """Node id of the test, or the name of the fixture, that the touch belongs to."""
    tier: str | None
    stack: tuple[str, ...] = field(default=())
    """Frames of the touch as `path:line in function`, outermost first, harness frames left out."""
    event: str = ""
