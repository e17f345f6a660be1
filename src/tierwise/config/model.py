"""The configuration of a project as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from tierwise.domain import Mode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tierwise.domain import Tier

Order = Literal["random", "defined"]
"""In which order a project's tests run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalsConfig:
    """Defaults of `[tool.tierwise.evals]`; the command line wins over them."""

    provider: str | None = None
    concurrency: int = 4
    timeout_s: float = 120.0
    """A trial that takes longer is cut off and ends as `error`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What `[tool.tierwise]` of a project says, every default filled in."""

    root: Path
    declared: bool = False
    """Does pyproject.toml have a `[tool.tierwise]` table?"""
    mode: Mode = Mode.REPORT
    strict: bool = False
    """Is a test that no tier claims an error?"""
    order: Order = "defined"
    packages: tuple[str, ...] = ()
    floors: Mapping[str, str] = field(default_factory=dict)
    tiers: tuple[Tier, ...] = ()
    declares_tiers: bool = False
    """Does the project name its tiers itself, so that they are not the default ones?"""
    evals: EvalsConfig = field(default_factory=EvalsConfig)

    @property
    def code_paths(self) -> tuple[str, ...]:
        """Return the paths and patterns below which each file is part of what is tested."""
        return (*self.packages, *(path for tier in self.tiers for path in tier.paths))
