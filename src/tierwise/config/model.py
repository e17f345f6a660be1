"""The configuration of a project as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from tierwise.domain import Mode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tierwise.domain import Level, Tier
    from tierwise.domain.watching import Watching

Order = Literal["random", "defined"]
"""In which order a project's tests run."""
ProxyUse = Literal["removed", "kept"]
WhoseHome = Literal["temporary", "kept"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalsConfig:
    """Defaults of `[tool.tierwise.evals]`; the command line wins over them."""

    provider: str | None = None
    concurrency: int = 4
    timeout_s: float = 120.0
    """A trial that takes longer is cut off and ends as `error`."""
    call_timeout_s: float | None = None
    """A call that takes longer is tried again; None leaves it to the trial's own time."""
    retries: int | None = None
    """How often a call that failed by the vendor's fault is tried again; None: as long as
    the vendor's window lasts, and not at all for a double."""
    cache: bool = False
    """Are replies taken from an earlier run's where the same trial asked the same?"""
    max_usd: float | None = None
    max_tokens: int | None = None
    max_calls: int | None = None
    max_seconds: float | None = None
    prices: Mapping[str, object] = field(default_factory=dict)
    """USD for a million tokens of models that no list knows, as they are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractsConfig:
    """What `[tool.tierwise.contracts]` says."""

    max_age_days: int = 30
    """A clause that was kept longer ago than this proves nothing any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveConfig:
    """What `[tool.tierwise.live]` says of tests against real vendors."""

    floor: float = 0.0
    """The share of a tier's live tests that has to see its subject; 0 asks for one at least."""
    tiers: tuple[str, ...] = ()
    """The tiers that the floor holds for."""
    rotation: int | None = None
    """Where walks of candidates begin; None takes the seed of the random order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsConfig:
    """What `[tool.tierwise.records]` says of how long runs are kept, and where."""

    keep_days: int | None = None
    """Runs of the last so many days are kept when the store is pruned; None is no such rule."""
    keep_runs: int | None = None
    """The last so many runs are."""
    keep: tuple[str, ...] = ()
    """Ids of runs that are never pruned, whole or as they begin."""
    network_drive: bool = False
    """May the store be on a network drive, where it can be damaged?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapConfig:
    """What `[tool.tierwise.map]` says."""

    baseline: str = "tierwise-map.json"
    """The reviewed file below which no level may fall."""
    commands: Mapping[Level, tuple[str, ...]] = field(default_factory=dict)
    """Commands that serve a level, such as a type checker's for `static`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementsConfig:
    """What `[tool.tierwise.requirements]` says."""

    file: str = ""
    """A YAML file or a Markdown document with a table of requirements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentConfig:
    """What `[tool.tierwise.environment]` says of the variables that tests see."""

    fake_keys: bool = True
    """Are keys of known vendors obviously fake for tests that may not reach the network?"""
    proxies: ProxyUse = "removed"
    home: WhoseHome = "temporary"
    """Where HOME and the XDG folders of these tests are."""
    keep: tuple[str, ...] = ()
    """Names of variables, or patterns with `*`, that stay as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitConfig:
    """What `[tool.tierwise.exit]` says of a process that does not end when pytest is done."""

    tell: bool = True
    patience_s: float = 1.0
    """Seconds after which it is said who keeps the process alive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateConfig:
    """What `[tool.tierwise.state]` says of state that tests leave behind."""

    words: Mapping[str, Watching] = field(default_factory=dict)
    """By watcher, what is done about its findings; one that is not here is off."""
    thorough: bool = False
    """Are containers inside containers compared too, and large ones entry by entry?"""
    ignore: tuple[str, ...] = ()
    """Owners that no finding is about, with `*` for any part of a name."""


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
    airgap: bool = False
    """Do sessions run without a network, unless a tier that allows it is asked for?"""
    packages: tuple[str, ...] = ()
    floors: Mapping[str, str] = field(default_factory=dict)
    tiers: tuple[Tier, ...] = ()
    declares_tiers: bool = False
    """Does the project name its tiers itself, so that they are not the default ones?"""
    evals: EvalsConfig = field(default_factory=EvalsConfig)
    live: LiveConfig = field(default_factory=LiveConfig)
    contracts: ContractsConfig = field(default_factory=ContractsConfig)
    records: RecordsConfig = field(default_factory=RecordsConfig)
    map: MapConfig = field(default_factory=MapConfig)
    requirements: RequirementsConfig = field(default_factory=RequirementsConfig)
    state: StateConfig = field(default_factory=StateConfig)
    environment: EnvironmentConfig = field(default_factory=EnvironmentConfig)
    exit: ExitConfig = field(default_factory=ExitConfig)

    @property
    def store_path(self) -> Path:
        """Return the file in which what was learnt is kept."""
        return self.root / ".tierwise" / "records.db"

    @property
    def baseline_path(self) -> Path:
        """Return the file that says which violations are accepted; most projects have none."""
        return self.root / "tierwise-baseline.json"

    @property
    def cache_path(self) -> Path:
        """Return the file in which replies are kept for the next run."""
        return self.root / ".tierwise" / "cache.db"

    @property
    def code_paths(self) -> tuple[str, ...]:
        """Return the paths and patterns below which each file is part of what is tested."""
        return (*self.packages, *(path for tier in self.tiers for path in tier.paths))
