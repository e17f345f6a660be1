"""Where a test belongs and what it may touch: its tier, and its own allowances."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tierwise.config import tier_of
from tierwise.config.defaults import evals_tier
from tierwise.domain import Allowance, Capability, Mode
from tierwise.pytest_plugin.eval_items import EvalItem
from tierwise.pytest_plugin.facts import Facts, facts_of_placement
from tierwise.pytest_plugin.marks import allowances_of_mark, check_not_costly, tier_of_mark
from tierwise.sandbox import resolve_allowance

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tierwise.config import Config
    from tierwise.domain import Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A test's tier, the allowances that its own marks add, and what follows from both.

    The tests of a module or class share one, unless they have marks of their own.
    """

    tier: Tier | None
    extra: tuple[Allowance, ...] = ()
    is_implied: bool = False
    """Does no tier claim the test, which is an eval and counts as one of tier `evals`?"""
    allow: tuple[Allowance, ...] = ()
    """All that it permits, with paths made absolute."""
    facts: Facts = field(default_factory=Facts, compare=False)
    """What travels with the reports of its tests, which all hold this one: never changed."""


_MARKS = frozenset({"tier", "allow"})

# What no tier claims gets no network and no model; whatever else it does is between it and its
# author, who is told that it is unplaced.
UNPLACED_ALLOWS = tuple(
    Allowance(capability=capability)
    for capability in Capability
    if capability not in (Capability.NETWORK, Capability.MODEL)
)


class Places:
    """Where the tests of a session stand; each is placed once."""

    def __init__(self, config: Config, *, is_audit: bool = False) -> None:
        """Place by what the project declares; in an audit nothing is allowed: all is told."""
        self._config, self._is_audit = config, is_audit
        self._by_item: dict[pytest.Item, Placement] = {}
        self._by_nodeid: dict[str, Placement] = {}
        self._n_named = 0
        self._by_parent: dict[pytest.Collector, Placement] = {}
        self._tiers: dict[Path, Tier | None] = {}

    def of(self, item: pytest.Item) -> Placement:
        """Return the item's placement; ConfigError or MisuseError when it has no valid one."""
        known = self._by_item.get(item)
        if known is None:
            known = self._by_item[item] = self._place(item)
        return known

    def find(self, nodeid: str) -> Placement | None:
        """Return the placement of a test by its name; None when this process has not placed it."""
        if self._n_named < len(self._by_item):
            self._n_named = len(self._by_item)
            self._by_nodeid = {item.nodeid: place for item, place in self._by_item.items()}
        return self._by_nodeid.get(nodeid)

    def _place(self, item: pytest.Item) -> Placement:
        parent = item.parent
        if parent is None or not _stands_like_others(item, parent):
            return self._place_alone(item)
        shared = self._by_parent.get(parent)
        if shared is None:
            shared = self._by_parent[parent] = self._place_alone(item)
        return shared

    def _place_alone(self, item: pytest.Item) -> Placement:
        placement = self._place_by_claim(item)
        if placement.tier is None and isinstance(item, EvalItem):
            tier = evals_tier(self._config.tiers)
            placement = replace(placement, tier=tier, is_implied=True)
        allow = () if self._is_audit else allowances_of(self._config, placement)
        return replace(placement, allow=allow, facts=facts_of_placement(placement))

    def _place_by_claim(self, item: pytest.Item) -> Placement:
        if not self._config.tiers:
            return Placement(tier=None)
        by_path = self._tier_of_path(item.path)
        marks = [mark for mark in item.iter_markers() if mark.name in _MARKS]
        if not marks:
            return Placement(tier=by_path)
        return _placement_of_marks(self._config, item.nodeid, marks, by_path)

    def _tier_of_path(self, path: Path) -> Tier | None:
        root = self._config.root
        if path not in self._tiers:
            is_inside = path.is_relative_to(root)
            posix = path.relative_to(root).as_posix() if is_inside else ""
            self._tiers[path] = tier_of(self._config, posix) if is_inside else None
        return self._tiers[path]


def _stands_like_others(item: pytest.Item, parent: pytest.Collector) -> bool:
    """Tell whether nothing but the module or class around it places the test."""
    return (
        item.path is parent.path
        and not (item.own_markers and any(m.name in _MARKS for m in item.own_markers))
        and not isinstance(item, EvalItem)
    )


def _placement_of_marks(
    config: Config, where: str, marks: list[pytest.Mark], by_path: Tier | None
) -> Placement:
    tiers = [mark for mark in marks if mark.name == "tier"]
    # iter_markers goes from the closest mark outwards: the test's own wins over its module's.
    tier = tier_of_mark(config, tiers[0].args, tiers[0].kwargs, where) if tiers else by_path
    extra = tuple(
        allowance
        for mark in marks
        if mark.name == "allow"
        for allowance in allowances_of_mark(mark.args, mark.kwargs, where)
    )
    check_not_costly(tier, extra, where)
    return Placement(tier=tier, extra=extra)


def allowances_of(config: Config, placement: Placement) -> tuple[Allowance, ...]:
    """Return all that a placement permits, with paths made absolute."""
    if not config.tiers and not placement.is_implied:
        # Nothing is declared, so nothing is known to be wanted: all that is touched is told.
        return () if config.mode is Mode.REPORT else UNPLACED_ALLOWS
    base = placement.tier.allow if placement.tier else UNPLACED_ALLOWS
    if not placement.extra and not any(allowance.target for allowance in base):
        return base
    return tuple(
        resolve_allowance(allowance, config.root) for allowance in (*base, *placement.extra)
    )
