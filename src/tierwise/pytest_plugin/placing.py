"""Where a test belongs and what it may touch: its tier, and its own allowances."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from tierwise.config import tier_of
from tierwise.config.defaults import evals_tier
from tierwise.domain import Allowance, Capability, Mode
from tierwise.pytest_plugin.eval_items import EvalItem
from tierwise.pytest_plugin.facts import Facts, facts_of_placement
from tierwise.pytest_plugin.marks import allowances_of_mark, check_not_costly, tier_of_mark
from tierwise.sandbox import Policy, resolve_allowance

if TYPE_CHECKING:
    from pathlib import Path

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


PLACEMENT = pytest.StashKey[Placement]()
_SHARED = pytest.StashKey[Placement]()
_BY_PATH = pytest.StashKey[dict["Path", "Tier | None"]]()
_MARKS = frozenset({"tier", "allow"})

# What no tier claims gets no network and no model; whatever else it does is between it and its
# author, who is told that it is unplaced.
UNPLACED_ALLOWS = tuple(
    Allowance(capability=capability)
    for capability in Capability
    if capability not in (Capability.NETWORK, Capability.MODEL)
)


def placement_of(config: Config, item: pytest.Item) -> Placement:
    """Return the item's placement; ConfigError or MisuseError when it has none that is valid."""
    known = item.stash.get(PLACEMENT, None)
    if known is None:
        known = item.stash[PLACEMENT] = _place(config, item)
    return known


def _place(config: Config, item: pytest.Item) -> Placement:
    around = item.parent
    if around is None or not _stands_like_others(item, around):
        return _place_alone(config, item)
    shared = around.stash.get(_SHARED, None)
    if shared is None:
        shared = around.stash[_SHARED] = _place_alone(config, item)
    return shared


def _stands_like_others(item: pytest.Item, around: pytest.Collector) -> bool:
    """Tell whether nothing but the module or class around it places the test."""
    return (
        item.path is around.path
        and not any(mark.name in _MARKS for mark in item.own_markers)
        and not isinstance(item, EvalItem)
    )


def _place_alone(config: Config, item: pytest.Item) -> Placement:
    placement = _place_by_claim(config, item)
    if placement.tier is None and isinstance(item, EvalItem):
        placement = replace(placement, tier=evals_tier(config.tiers), is_implied=True)
    allow, facts = allowances_of(config, placement), facts_of_placement(placement)
    return replace(placement, allow=allow, facts=facts)


def _place_by_claim(config: Config, item: pytest.Item) -> Placement:
    if not config.tiers:
        return Placement(tier=None)
    by_path = _tier_of_path(config, item)
    marks = [mark for mark in item.iter_markers() if mark.name in _MARKS]
    if not marks:
        return Placement(tier=by_path)
    return _placement_of_marks(config, item.nodeid, marks, by_path)


def _tier_of_path(config: Config, item: pytest.Item) -> Tier | None:
    by_path = item.session.stash.setdefault(_BY_PATH, {})
    path = item.path
    if path not in by_path:
        by_path[path] = (
            tier_of(config, path.relative_to(config.root).as_posix())
            if path.is_relative_to(config.root)
            else None
        )
    return by_path[path]


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


def build_policy(config: Config, item: pytest.Item) -> Policy:
    """Return the policy that acts while the item runs."""
    placement = placement_of(config, item)
    return Policy(
        subject=item.nodeid,
        tier=placement.tier.name if placement.tier else None,
        allow=placement.allow,
        mode=config.mode,
    )


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
