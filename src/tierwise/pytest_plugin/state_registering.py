"""Which state is watched in a session, and where first-party code lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain import Mode
from tierwise.domain.watching import WATCHERS, Watching
from tierwise.pytest_plugin.state_reporting import TellingState
from tierwise.pytest_plugin.state_watching import StateWatching
from tierwise.sandbox.sandbox import Suspended

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

    from tierwise.config import Config
    from tierwise.pytest_plugin.state import State
    from tierwise.pytest_plugin.tally import Tally

_HARNESS: Mapping[str, str] = {"warnings": "warnings", "random": "randomly", "numpy": "randomly"}
"""Watchers that find nothing, or only a plugin's own doing, while the plugin sets it each test."""


def plugins_of_state(
    config: pytest.Config, state: State, tally: Tally, keep: Callable[[], None]
) -> list[object]:
    """Return the plugins that watch process state; none where nobody has asked for it.

    `keep` is called when there is a first look, which is kept as long as the session.
    """
    words = choose_words(
        state.config, asked=config.known_args_namespace.tierwise_state, plugins=_active(config)
    )
    if not words:
        return []
    watching = StateWatching(
        state.config.state,
        words,
        find_folders(state.config),
        plugins=config.pluginmanager,
        guard=Suspended,
        keep=keep,
    )
    return [watching] if state.is_worker else [watching, TellingState(tally, words)]


def _active(config: pytest.Config) -> frozenset[str]:
    return frozenset(
        name for name in set(_HARNESS.values()) if config.pluginmanager.has_plugin(name)
    )


def choose_words(
    config: Config, *, asked: str | None, plugins: frozenset[str]
) -> dict[str, Watching]:
    """Return what is done about each watcher's findings; those that are off are left out."""
    if asked is None and config.mode is not Mode.ENFORCE:
        return {}
    words = dict.fromkeys(WATCHERS, Watching(asked)) if asked else dict(config.state.words)
    return {
        name: word
        for name, word in words.items()
        if word is not Watching.OFF and _HARNESS.get(name) not in plugins
    }


def find_folders(config: Config) -> tuple[str, ...]:
    """Return the folders of first-party code: the declared packages, else the whole project."""
    if not config.packages:
        return (str(config.root),)
    return tuple(
        str(path)
        for pattern in config.packages
        for path in (sorted(config.root.glob(pattern)) or [config.root / pattern])
    )
