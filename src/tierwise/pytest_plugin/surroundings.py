"""The environment of tests that may not reach the network: put in before anything is imported."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tierwise.domain import Capability, Mode
from tierwise.pytest_plugin.eval_items import EvalItem

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from tierwise.config import Config
    from tierwise.domain import Allowance
    from tierwise.pytest_plugin.state import State
    from tierwise.sandbox.environment.session import SessionEnvironment

ASKS_FOR_EVALS = "tierwise_asks_for_evals"
"""What a plugin has that makes its session one of evals, which talk to models."""
SEES_AS_ENFORCED = "tierwise_sees_as_enforced"
"""What a plugin has that asks in report mode what enforcing would meet."""
_FAR = frozenset({Capability.NETWORK, Capability.MODEL})


def change_environment(config: pytest.Config, state: State) -> None:
    """Change it for this session, unless its tests are there to meet the real world."""
    as_enforced = state.config.mode is Mode.ENFORCE or _has(config, SEES_AS_ENFORCED)
    if not as_enforced or not is_wanted(state.config) or _is_for_real(config):
        return
    from tierwise.sandbox.environment.session import SessionEnvironment  # noqa: PLC0415  enforce

    state.true_environ = dict(os.environ)
    environment = SessionEnvironment(state.config.environment, project_root=state.config.root)
    config.add_cleanup(environment.close)
    wanted = [tier for tier in state.config.tiers if tier.name in state.wanted]
    if not any(may_reach_far(tier.allow) for tier in wanted):
        environment.change()
    if any(tier.deliberate for tier in wanted):  # a mark there may allow the network
        config.pluginmanager.register(Mixed(state, environment), "tierwise-surroundings")


def is_wanted(config: Config) -> bool:
    """Tell whether there is anything that tests are to see otherwise."""
    said = config.environment
    return said.fake_keys or said.proxies == "removed" or said.home == "temporary"


def may_reach_far(allow: Iterable[Allowance]) -> bool:
    """Tell whether the network or a model is among what is allowed."""
    return any(allowance.capability in _FAR for allowance in allow)


class Mixed:
    """A session with tests of both kinds."""

    def __init__(self, state: State, environment: SessionEnvironment) -> None:
        self._state, self._environment = state, environment

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Switch between tests; evals run beside each other, so that theirs stays for all."""
        if any(isinstance(item, EvalItem) for item in session.items):
            self._environment.restore()
            return
        # As late as this, so that it is outside of all that compares before and after a test.
        switching = Switching(self._state, self._environment)
        session.config.pluginmanager.register(switching, "tierwise-switching")


class Switching:
    """Gives each test its environment."""

    def __init__(self, state: State, environment: SessionEnvironment) -> None:
        self._state, self._environment = state, environment

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Put in what the test is to see; nothing is done where the one before saw the same."""
        if may_reach_far(self._state.places.of(item).allow):
            self._environment.restore()
        else:
            self._environment.change()
        return (yield)


def _is_for_real(config: pytest.Config) -> bool:
    """Tell whether the session is one of evals, or one that records what vendors answer."""
    return bool(config.known_args_namespace.tierwise_record) or _has(config, ASKS_FOR_EVALS)


def _has(config: pytest.Config, name: str) -> bool:
    return any(getattr(plugin, name, False) for plugin in config.pluginmanager.get_plugins())
