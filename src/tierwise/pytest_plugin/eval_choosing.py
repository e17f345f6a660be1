"""Which evals run: those of a named tier, or all of a run that asks for evals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tierwise.pytest_plugin.eval_items import EvalItem
from tierwise.pytest_plugin.selecting import how_to_run_evals

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tierwise.domain import Event, Listener
    from tierwise.pytest_plugin.state import State


def _ignore(_event: Event) -> None:
    """Listen to nothing."""


@dataclass(slots=True, kw_only=True)
class EvalRun:
    """What `tierwise eval run` wants of the session it starts: evals alone, and their events."""

    listen: Listener = _ignore


RUN = pytest.StashKey[EvalRun]()
_DELIBERATE = pytest.StashKey[tuple[pytest.Item, ...]]()


def is_for_evals(config: pytest.Config) -> bool:
    """Tell whether a run is about evals alone: `tierwise eval run`, or a dry run."""
    return RUN in config.stash or bool(config.getoption("tierwise_eval_dry_run"))


def remember_deliberate(config: pytest.Config, items: Iterable[pytest.Item]) -> None:
    """Remember the evals among what was left out with its tier; who named a provider is told."""
    config.stash[_DELIBERATE] = tuple(item for item in items if isinstance(item, EvalItem))


def choose_evals(config: pytest.Config, state: State, items: list[pytest.Item]) -> None:
    """Keep evals alone where they were asked for, and none of them in a bare run.

    Trials cost time and money: who spends either has said so.
    """
    evals: list[pytest.Item] = [item for item in items if isinstance(item, EvalItem)]
    if is_for_evals(config):
        _leave_out(config, items, [item for item in items if not isinstance(item, EvalItem)])
    elif not state.wanted:
        _leave_out(config, items, evals)
        providers = config.getoption("tierwise_eval_providers")
        told = [*evals, *(config.stash.get(_DELIBERATE, ()) if providers else ())]
        if told:
            places = [_place_of(item.path, config.invocation_params.dir) for item in told]
            state.hints = (*state.hints, how_to_run_evals(places, providers))


def _leave_out(
    config: pytest.Config, items: list[pytest.Item], left_out: list[pytest.Item]
) -> None:
    if left_out:
        dropped = set(left_out)
        items[:] = [item for item in items if item not in dropped]
        config.hook.pytest_deselected(items=left_out)


def _place_of(path: Path, start: Path) -> str:
    return (path.relative_to(start) if path.is_relative_to(start) else path).as_posix()
