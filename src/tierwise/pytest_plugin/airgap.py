"""A session without a network: when it is one, and whose attempts to leave it were seen."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Capability, Mode
from tierwise.pytest_plugin.eval_choosing import is_for_evals
from tierwise.pytest_plugin.late import OUTSIDE
from tierwise.pytest_plugin.phases import judge_reports
from tierwise.sandbox import Policy

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tierwise.config import Config
    from tierwise.pytest_plugin.state import State
    from tierwise.sandbox.airgap import Airgap

TOKEN = "tierwise_airgap"  # noqa: S105  a name


def networked_tiers(config: Config, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return which of the tiers that were asked for allow the network."""
    return tuple(
        tier.name
        for tier in config.tiers
        if tier.name in wanted
        and any(allowance.capability is Capability.NETWORK for allowance in tier.allow)
    )


def close_gap(early_config: pytest.Config, state: State) -> None:
    """Leave the network when this session is to have none; AirgapError when it can't."""
    is_asked = bool(early_config.known_args_namespace.tierwise_airgap)
    if not is_asked and not state.config.airgap:
        return
    from tierwise.sandbox.airgap import Airgap, close  # noqa: PLC0415  few sessions

    needing = networked_tiers(state.config, state.wanted)
    if is_asked and needing:
        raise pytest.UsageError(_contradiction(needing[0]))
    if needing or (not is_asked and is_for_evals(early_config)):
        what = f'the tier "{needing[0]}" allows it' if needing else "evals may need it"
        state.airgap = Airgap(note=f"airgap = true is set aside, with the network: {what}")
        return
    state.airgap = close()
    early_config.add_cleanup(state.airgap.leave)


def _contradiction(tier: str) -> str:
    return (
        f'--airgap and --tier {tier}: the tier "{tier}" allows the network, and an air gap leaves '
        "none. Leave out one of the two; nothing was run."
    )


class AirgapWatch:
    """Ask after each phase what has left, and hold the test that ran to it."""

    def __init__(self, state: State, airgap: Airgap, plugins: pytest.PytestPluginManager) -> None:
        self._state, self._airgap, self._plugins = state, airgap, plugins
        self._outside = Policy(subject=OUTSIDE, mode=state.mode)

    def pytest_report_header(self) -> str:
        """Say that there is no network, and what cannot be told of it."""
        note = self._airgap.note
        if self._airgap.is_watched:
            return f"airgap: no network but loopback{f'; {note}' if note else ''}"
        return f"airgap: {note}"

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:  # noqa: ANN401  xdist's own type
        """Tell a worker, which is in the same namespace, whom to ask."""
        node.workerinput[TOKEN] = self._airgap.token

    def pytest_collection_finish(self) -> None:
        """Hold what left until now to no test: it was collecting."""
        self._take(self._outside)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        """Hold what left in this phase to its test."""
        try:
            return (yield)
        finally:
            if self._take(self._state.policy_of_item(item)):
                judge_reports(self._state, self._plugins)

    pytest_runtest_call = pytest_runtest_teardown = pytest_runtest_setup

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Hold the rest to nobody: it was seen, and no test can be named."""
        self._take(self._outside)

    def _take(self, policy: Policy) -> bool:
        attempts = self._airgap.take()
        if self._airgap.lost:
            self._state.sandbox.doubt("the air gap", policy.subject, self._airgap.lost)
            self._airgap.lost = ""
        if not attempts:
            return False
        from tierwise.sandbox.airgap import say_source, touch_of  # noqa: PLC0415  few sessions

        for attempt in attempts:
            source = say_source(attempt, os.getpid())
            self._state.sandbox.note(policy, touch_of(attempt), source, thread=attempt.thread)
        return not self._state.sandbox.is_clean


def register(config: pytest.Config, state: State) -> None:
    """Watch, where there is something to watch."""
    airgap = state.airgap
    if airgap is None or state.mode is Mode.OFF:
        return
    token = getattr(config, "workerinput", {}).get(TOKEN)
    if token:
        from tierwise.sandbox.airgap import join  # noqa: PLC0415  few sessions

        airgap = join(token)
        config.add_cleanup(airgap.leave)
    config.pluginmanager.register(AirgapWatch(state, airgap, config.pluginmanager), TOKEN)
