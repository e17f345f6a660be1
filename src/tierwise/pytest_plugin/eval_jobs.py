"""An eval item made into a job for the scheduler: plan, body, shared fixtures, policy."""

from __future__ import annotations

import itertools
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Capability, Outcome
from tierwise.pytest_plugin.eval_compat import fixture_value, sees_same_fixture
from tierwise.pytest_plugin.live_calls import is_unobservable
from tierwise.sandbox import Policy, PolicyViolation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tierwise.evals.job import Job
    from tierwise.evals.outcomes import Ending
    from tierwise.evals.plan import Plan
    from tierwise.evals.running import Setting
    from tierwise.pytest_plugin.eval_items import EvalItem
    from tierwise.pytest_plugin.eval_options import EvalOptions
    from tierwise.pytest_plugin.eval_providers import Answering
    from tierwise.pytest_plugin.state import State

_COSTLY = frozenset({Capability.NETWORK, Capability.MODEL})


class JobMaker:
    """Makes jobs; in a dry run each is one trial of the first case, offline."""

    def __init__(self, state: State, options: EvalOptions, providers: Sequence[Answering]) -> None:
        self._state = state
        self._options = options
        self._providers = providers
        self._folders = threading.Lock()

    def make(
        self, item: EvalItem, shared: dict[str, Any], *, running: EvalItem
    ) -> tuple[Job, ...]:
        """Make an item's job with each provider, its fixtures at hand, in the turn of another."""
        from tierwise.evals.job import Job  # noqa: PLC0415  loaded when evals run
        from tierwise.evals.running import Body  # noqa: PLC0415

        body = Body(function=item.body, wants=item.wants, shared=shared, make_owner=item.cls)
        answering = self._providers if "provider" in item.wants else (None,)
        make_folder = self._folder_maker(item, running)
        return tuple(
            Job(
                plan=self._plan(item, entry),
                body=body,
                setting=self._setting(item, entry, make_folder),
            )
            for entry in answering
        )

    def _plan(self, item: EvalItem, answering: Answering | None) -> Plan:
        from tierwise.evals.declaration import refuse_too_many_trials  # noqa: PLC0415
        from tierwise.evals.plan import make_dry_plan, make_plan, read_source  # noqa: PLC0415

        tier = self._state.tier_of_item(item)
        name = tier.name if tier is not None else None
        if self._options.trials is not None:
            refuse_too_many_trials(len(item.declaration.cases), self._options.trials)
        if self._options.is_dry:
            return make_dry_plan(item.declaration, eval_id=item.nodeid, tier=name)
        return make_plan(
            item.declaration,
            eval_id=item.nodeid,
            tier=name,
            source=read_source(item.body),
            provider="its own provider" if answering is None else answering.provider.name,
            identity="" if answering is None else answering.identity,
            label="" if answering is None else answering.label,
            trials=self._options.trials,
        )

    def _setting(
        self, item: EvalItem, answering: Answering | None, make_folder: Callable[[], Path]
    ) -> Setting:
        from tierwise.evals.running import Setting  # noqa: PLC0415  loaded when evals run

        policy = self._policy_of(item)
        return Setting(
            caller=None if answering is None else answering.caller,
            eval_id=item.nodeid,
            timeout_s=item.declaration.timeout_s or self._state.config.evals.timeout_s,
            acting=lambda: self._state.sandbox.acting_here(policy),
            make_folder=make_folder,
            explain=explain_ending,
            root=self._state.config.root,
        )

    def _policy_of(self, item: EvalItem) -> Policy:
        policy = self._state.policy_of_item(item)
        if not self._options.is_dry:
            return policy
        return Policy(
            subject=policy.subject,
            tier=policy.tier,
            allow=tuple(entry for entry in policy.allow if entry.capability not in _COSTLY),
            mode=policy.mode,
            watched=policy.watched,
        )

    def _folder_maker(self, item: EvalItem, running: EvalItem) -> Callable[[], Path]:
        factory: pytest.TempPathFactory = fixture_value(running, "tmp_path_factory")
        made: list[Path] = []
        numbers = itertools.count()

        def make() -> Path:
            # Folders come from pytest, whose own I/O is nobody's touch; what a trial does with
            # its folder is judged as usual. Sync bodies ask from threads, pytest expects one.
            # It looks through all that it has made for each new name: one an eval is enough.
            with self._state.sandbox.suspended(), self._folders:
                if not made:
                    made.append(factory.mktemp(item.name[:30]))
                folder = made[0] / f"trial-{next(numbers)}"
                folder.mkdir()
                return folder

        return make


def shared_fixtures(item: EvalItem, *, running: EvalItem) -> dict[str, Any] | None:
    """Return the fixtures that an eval's trials share, all that surround it being set up.

    Before an item's own turn they are set up on behalf of the one that is `running`, since pytest
    lets nobody else ask. None when that one knows another fixture by a name, or when a fixture
    fails, which comes again and is reported at the item's own set-up.
    """
    if item is running:
        return {name: item.funcargs[name] for name in item.shared_names}
    if not all(sees_same_fixture(running, item, name) for name in item.fixturenames):
        return None
    try:
        values = {name: fixture_value(running, name) for name in item.fixturenames}
    except Exception:  # noqa: BLE001  whatever a user's fixture raises
        return None
    return {name: values[name] for name in item.shared_names}


def explain_ending(error: BaseException) -> Ending:
    """Translate pytest's own exceptions, none of which may end more than its trial."""
    from tierwise.evals.outcomes import Ending  # noqa: PLC0415  loaded when evals run

    if isinstance(error, pytest.exit.Exception):
        message = f"pytest.exit in a trial ends that trial alone: {error}"
        return Ending(error=error, outcome=Outcome.ERROR, message=message)
    if isinstance(error, PolicyViolation):
        return Ending(error=error, outcome=Outcome.ERROR, message=str(error), ends_eval=True)
    if is_unobservable(error) or _says_unobservable(error):
        return Ending(error=error, outcome=Outcome.UNOBSERVABLE, message=str(error))
    if isinstance(error, pytest.skip.Exception):
        return Ending(error=error, outcome=Outcome.NOT_RUN, message=f"skipped: {error}")
    if isinstance(error, pytest.xfail.Exception):
        message = "xfail has no meaning in a trial: expect what you know, with at_most(...)"
        return Ending(error=error, outcome=Outcome.ERROR, message=message)
    has_failed = isinstance(error, pytest.fail.Exception)
    return Ending(error=error, outcome=Outcome.FAILED if has_failed else None)


def _says_unobservable(error: BaseException) -> bool:
    return isinstance(error, pytest.skip.Exception) and str(error).startswith("unobservable:")
