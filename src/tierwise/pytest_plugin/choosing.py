"""Of the collected tests: which run, and in which order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tierwise.pytest_plugin.eval_choosing import is_for_evals, remember_deliberate
from tierwise.pytest_plugin.eval_items import EvalItem
from tierwise.pytest_plugin.order import Group, shuffle
from tierwise.pytest_plugin.selecting import how_to_run, is_named, is_selected, mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tierwise.domain import Tier
    from tierwise.pytest_plugin.state import State


class Selecting:
    """Leave deliberate tiers out, mark each test with its tier, shuffle.

    First of all plugins, so that --lf, --ff and --sw have the last word.
    """

    def __init__(self, state: State) -> None:
        self._state = state

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Select and shuffle in place."""
        if self._state.config.tiers:
            self._select(config, items)
        if self._state.order_seed is not None:
            order = shuffle(_places_of(items), self._state.order_seed)
            items[:] = [items[index] for index in order]

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Remember whose tests were left out, by whomever: their tiers are not run whole."""
        for item in items:
            tier = self._state.places.of(item).tier
            if tier is not None:
                self._state.deselected.add(tier.name)

    def _select(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        marks = {tier.name: getattr(pytest.mark, tier.name) for tier in self._state.config.tiers}
        kept: list[pytest.Item] = []
        left_out: list[pytest.Item] = []
        for item in items:
            placement = self._state.places.of(item)
            tier = placement.tier
            if tier is not None and tier.name in marks:
                item.add_marker(marks[tier.name])
            # Evals without a tier of their own are left to `choose_evals`, as where no table is.
            is_kept = is_selected(tier, self._state.wanted) or (
                isinstance(item, EvalItem)
                and not self._state.wanted
                and (placement.is_implied or is_for_evals(config))
            )
            (kept if is_kept else left_out).append(item)
        if left_out:
            self._remember(config, left_out)
            remember_deliberate(config, left_out)
            config.hook.pytest_deselected(items=left_out)
            items[:] = kept

    def _remember(self, config: pytest.Config, left_out: list[pytest.Item]) -> None:
        placed = [
            (item.path, tier)
            for item in left_out
            if (tier := self._state.places.of(item).tier) is not None
        ]
        deliberate = [(path, tier) for path, tier in placed if tier.deliberate]
        self._state.left_out = dict(Counter(tier.name for _, tier in deliberate))
        if not self._state.wanted:
            self._state.hints = how_to_run(
                [tier.name for path, tier in deliberate if self._is_named(config, path, tier)],
                _arguments(config),
            )

    def _is_named(self, config: pytest.Config, path: Path, tier: Tier) -> bool:
        if mentions(config.getoption("markexpr"), tier.name):
            return True
        start = config.invocation_params.dir
        named = [start / argument.partition("::")[0] for argument in _arguments(config)]
        return is_named(path, named, [self._state.config.root / folder for folder in tier.paths])


def _arguments(config: pytest.Config) -> list[str]:
    is_given = config.args_source is pytest.Config.ArgsSource.ARGS
    return list(config.args) if is_given else []


def _places_of(items: Iterable[pytest.Item]) -> Iterator[tuple[Group, str]]:
    groups: dict[pytest.Collector | None, Group] = {}
    for item in items:
        parent = item.parent
        if parent not in groups:
            groups[parent] = Group(str(item.path), parent.nodeid if parent is not None else "")
        yield groups[parent], item.name
