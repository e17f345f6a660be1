"""An eval item made into a job for the scheduler: plan, body, shared fixtures, policy."""

from __future__ import annotations

import contextlib
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.domain import Capability, Outcome
from tierwise.errors import EvalUsageError
from tierwise.pytest_plugin.eval_compat import fixture_value, sees_same_fixture
from tierwise.sandbox import Policy, PolicyViolation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tierwise.evals.job import Job
    from tierwise.evals.outcomes import Ending
    from tierwise.evals.plan import Plan
    from tierwise.evals.running import Body, Setting
    from tierwise.providers import Provider
    from tierwise.pytest_plugin.eval_items import EvalItem
    from tierwise.pytest_plugin.state import State

_COSTLY = frozenset({Capability.NETWORK, Capability.MODEL})


class JobMaker:
    """Makes jobs; in a dry run each is one trial of the first case, offline."""

    def __init__(
        self,
        state: State,
        provider: Provider | None,
        *,
        spec: str | None,
        trials: int | None,
        is_dry: bool,
    ) -> None:
        self._state = state
        from tierwise.evals.calling import Caller  # noqa: PLC0415  loaded when evals run

        self._provider = provider
        self._caller = None if provider is None else Caller(provider)
        self._spec = spec
        self._trials = trials
        self._is_dry = is_dry
        self._folders = threading.Lock()

    def make(self, item: EvalItem, shared: dict[str, Any], *, running: EvalItem) -> Job:
        """Make the job of one item whose fixtures are at hand, in the turn of another."""
        from tierwise.evals.job import Job  # noqa: PLC0415  loaded when evals run
        from tierwise.evals.running import Body  # noqa: PLC0415

        body = Body(function=item.body, wants=item.wants, shared=shared, make_owner=item.cls)
        return Job(plan=self._plan(item), body=body, setting=self._setting(item, body, running))

    def _plan(self, item: EvalItem) -> Plan:
        from tierwise.evals.plan import make_dry_plan, make_plan, read_source  # noqa: PLC0415
        from tierwise.providers.spec import identify_provider  # noqa: PLC0415

        tier = self._state.tier_of_item(item)
        name = tier.name if tier is not None else None
        if self._is_dry:
            return make_dry_plan(item.declaration, eval_id=item.nodeid, tier=name)
        provider = self._provider if "provider" in item.wants else None
        return make_plan(
            item.declaration,
            eval_id=item.nodeid,
            tier=name,
            source=read_source(item.body),
            provider="its own provider" if provider is None else provider.name,
            identity="" if provider is None else identify_provider(provider, self._spec),
            trials=self._trials,
        )

    def _setting(self, item: EvalItem, body: Body, running: EvalItem) -> Setting:
        from tierwise.evals.running import Setting  # noqa: PLC0415  loaded when evals run

        policy = self._policy_of(item)
        return Setting(
            caller=self._caller if "provider" in body.wants else None,
            eval_id=item.nodeid,
            timeout_s=item.declaration.timeout_s or self._state.config.evals.timeout_s,
            acting=lambda: self._state.sandbox.acting_here(policy),
            make_folder=self._folder_maker(item, running),
            explain=explain_ending,
            root=self._state.config.root,
        )

    def _policy_of(self, item: EvalItem) -> Policy:
        policy = self._state.policy_of_item(item)
        if not self._is_dry:
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

        def make() -> Path:
            # Folders come from pytest, whose own I/O is nobody's touch; what a trial does with
            # its folder is judged as usual. Sync bodies ask from threads, pytest expects one.
            with self._state.sandbox.suspended(), self._folders:
                return factory.mktemp(item.name[:30])

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


def find_provider(
    items: Sequence[EvalItem], spec: str | None, *, root: Path, is_dry: bool
) -> Provider | None:
    """Return the provider that the evals talk to; None when none of them asks for one.

    One of the project's own is found from `root`, whatever command was started.
    """
    wanting = [item.nodeid for item in items if "provider" in item.wants]
    if not wanting:
        return None
    if is_dry:
        from tierwise.providers import SchemaProvider  # noqa: PLC0415  loaded when evals run

        return SchemaProvider()
    if spec is None:
        raise EvalUsageError(
            f"{wanting[0]} needs a provider and none is named. Give one by "
            "`tierwise eval run --provider SPEC` (pytest: `--eval-provider SPEC`) or as "
            '`provider = "SPEC"` in [tool.tierwise.evals]. Specs: local:smollm2 (a real small '
            "model on this machine), local:/path/model.gguf, simulated:rate=0.05, schema, "
            "package.module:attribute."
        )
    from tierwise.providers import provider_from_spec  # noqa: PLC0415  loaded when evals run

    with _importable_from(root):
        return provider_from_spec(spec)


@contextlib.contextmanager
def _importable_from(root: Path) -> Iterator[None]:
    """Let modules of the project's root be imported, as `python -m pytest` does."""
    folder = str(root)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # the imported module tidied up itself
            sys.path.remove(folder)


def explain_ending(error: BaseException) -> Ending:
    """Translate pytest's own exceptions; `pytest.exit` stops the whole session."""
    from tierwise.evals.outcomes import Ending  # noqa: PLC0415  loaded when evals run

    if isinstance(error, pytest.exit.Exception):
        raise error
    if isinstance(error, PolicyViolation):
        return Ending(error=error, outcome=Outcome.ERROR, message=str(error), ends_eval=True)
    if isinstance(error, pytest.skip.Exception):
        return Ending(error=error, outcome=Outcome.NOT_RUN, message=f"skipped: {error}")
    if isinstance(error, pytest.xfail.Exception):
        message = "xfail has no meaning in a trial: expect what you know, with at_most(...)"
        return Ending(error=error, outcome=Outcome.ERROR, message=message)
    if isinstance(error, pytest.fail.Exception):
        return Ending(error=error, outcome=Outcome.FAILED)
    return Ending(error=error)
