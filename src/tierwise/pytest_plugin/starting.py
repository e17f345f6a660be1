"""The start of a session: configuration, state, conftests under watch, plugins by mode."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tierwise.config import check_floors, load_config
from tierwise.domain import Mode
from tierwise.errors import MisuseError, StoreError
from tierwise.pytest_plugin.airgap import close_gap, register as register_airgap
from tierwise.pytest_plugin.choosing import Selecting
from tierwise.pytest_plugin.collecting import Collecting, policy_of_collection
from tierwise.pytest_plugin.eval_choosing import RUN
from tierwise.pytest_plugin.eval_hooks import register as register_evals
from tierwise.pytest_plugin.eval_serving import SERVING
from tierwise.pytest_plugin.evidence_hooks import register as register_evidence
from tierwise.pytest_plugin.fixtures import FixturePolicies
from tierwise.pytest_plugin.junit import register_junit
from tierwise.pytest_plugin.lasting import Lasting
from tierwise.pytest_plugin.late import LateViolations, report_late
from tierwise.pytest_plugin.leaving import LEAVING, Leaving, is_watched
from tierwise.pytest_plugin.live_hooks import register as register_live
from tierwise.pytest_plugin.marks import MARK_LINES, find_tier
from tierwise.pytest_plugin.phases import Phases
from tierwise.pytest_plugin.placing import Places
from tierwise.pytest_plugin.recording import Recording
from tierwise.pytest_plugin.resetting import Resetting
from tierwise.pytest_plugin.seeding import decide_order
from tierwise.pytest_plugin.state import STATE, State
from tierwise.pytest_plugin.state_marks import MARK_LINE
from tierwise.pytest_plugin.state_registering import plugins_of_state
from tierwise.pytest_plugin.surroundings import change_environment
from tierwise.pytest_plugin.tally import Tally
from tierwise.pytest_plugin.terminal import Counting, Telling
from tierwise.pytest_plugin.threads import QuietThreads
from tierwise.pytest_plugin.versions import find_versions
from tierwise.pytest_plugin.violating import PytestPolicyViolation, describe
from tierwise.pytest_plugin.workers import Controller, Worker, is_worker, seed_from_controller
from tierwise.sandbox import Sandbox
from tierwise.sandbox.slot import SLOT

if TYPE_CHECKING:
    from collections.abc import Generator


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, object, object]:
    """Load the configuration, then watch the first conftests: importing them is collecting."""
    state = early_config.stash[STATE] = _build_state(early_config)
    try:
        close_gap(early_config, state)
    except MisuseError as error:
        raise _usage_error(str(error)) from None
    if state.mode is Mode.OFF:
        return (yield)
    state.sandbox.install()
    early_config.add_cleanup(state.sandbox.uninstall)
    _accept(state)
    _watch_exit(early_config, state)
    change_environment(early_config, state)
    policy = policy_of_collection("importing conftest.py", state.mode)
    try:
        with state.sandbox.acting(policy):
            result = yield
    except PytestPolicyViolation as error:
        raise _usage_error(describe([error.violation], state.config)) from None
    violations = state.sandbox.take(policy.subject)
    if violations and state.mode is Mode.ENFORCE:
        raise _usage_error(describe(violations, state.config))
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register markers, and the hooks that the mode asks for."""
    state = config.stash[STATE]
    for line in (*MARK_LINES, MARK_LINE):
        config.addinivalue_line("markers", line)
    for tier in state.config.tiers:
        config.addinivalue_line("markers", f"{tier.name}: {tier.question} (tierwise)")
    if state.mode is not Mode.OFF:
        try:
            _finish_state(config, state)
        except (MisuseError, StoreError) as error:
            raise _usage_error(str(error)) from None
        _register(config, state)
        register_evidence(config, state)
    register_evals(config, state)
    register_live(config, state)
    if state.mode is not Mode.OFF:
        _register_resets(config, state)


def _register_resets(config: pytest.Config, state: State) -> None:
    # Last of all: around a fixture it is the outermost, around a phase the innermost, so that a
    # reset acts under its test's policy and before anybody looks at what the test has left.
    resets = state.sandbox.resets
    resets.when_there_are_any(
        partial(config.pluginmanager.register, Resetting(resets), "tierwise-resetting")
    )


def _build_state(config: pytest.Config) -> State:
    options = config.known_args_namespace
    mode = Mode(options.tierwise_mode) if options.tierwise_mode else None
    try:
        found = load_config(config.rootpath, mode=mode)
        if found.mode is not Mode.OFF:
            for name in options.tierwise_tiers:
                find_tier(found, name, "--tier")
    except MisuseError as error:
        raise _usage_error(str(error)) from None
    return State(
        config=found,
        sandbox=Sandbox(
            project_root=found.root,
            tmp_paths=[Path(options.basetemp).absolute()] if options.basetemp else [],
            violation_type=PytestPolicyViolation,
        ),
        places=Places(found),
        rootpath=config.rootpath,
        wanted=tuple(options.tierwise_tiers),
    )


def _accept(state: State) -> None:
    if state.mode is not Mode.ENFORCE or not state.config.baseline_path.exists():
        return
    from tierwise.pytest_plugin.accepting import begin_accepting  # noqa: PLC0415  few projects

    try:
        state.accepting = begin_accepting(state)
    except MisuseError as error:
        raise _usage_error(str(error)) from None


def _finish_state(config: pytest.Config, state: State) -> None:
    state.is_worker = is_worker(config)
    if state.is_worker:
        state.order_seed = seed_from_controller(config)
        return
    if SERVING in config.stash:
        return  # the driver decides on order and records
    check_floors(state.config.floors, find_versions(state.config.floors))
    state.order_seed, state.order_note = decide_order(config, state.config)
    # Who runs evals asks for what they cost to be kept, in whatever mode.
    if state.mode is Mode.ENFORCE or RUN in config.stash:
        state.recording = Recording(
            config=state.config,
            command=" ".join(["pytest", *config.invocation_params.args]),
            order_seed=state.order_seed,
            guard=state.sandbox.suspended,
            secrets_of=(state.true_environ, os.environ),
        )


def _watch_exit(config: pytest.Config, state: State) -> None:
    path = config.known_args_namespace.tierwise_exit_report
    if is_watched(state.config, path, depth=len(SLOT.sandboxes)):
        config.stash[LEAVING] = Leaving(state.config, path)


def _register(config: pytest.Config, state: State) -> None:
    tally, lasting = Tally(state.facts_of_nodeid), Lasting()
    plugins: list[object] = [
        Collecting(state),
        Selecting(state),
        Phases(state, config.pluginmanager),
        FixturePolicies(state),
        LateViolations(state),
        QuietThreads(),
    ]
    plugins += plugins_of_state(config, state, tally, lasting.add)
    if state.mode is Mode.ENFORCE:
        plugins.append(lasting)
    if state.is_worker:
        plugins.append(Worker(state))
    else:
        plugins += [
            Controller(state, take_late=partial(report_late, config, state)),
            Counting(state, tally),
            Telling(state, tally),
        ]
    if LEAVING in config.stash and not state.is_worker and SERVING not in config.stash:
        config.stash[LEAVING].tally = tally
        plugins.append(config.stash[LEAVING])
    register_junit(config, state)
    for plugin in plugins:
        config.pluginmanager.register(plugin, f"tierwise-{type(plugin).__name__.lower()}")
    register_airgap(config, state)
    if state.accepting is not None:
        state.accepting.register(config, state, tally)


def _usage_error(text: str) -> pytest.UsageError:
    return pytest.UsageError(text)
