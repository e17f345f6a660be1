"""Fixtures wider than a test: a policy of their own, so that order does not decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tierwise.sandbox import Policy, union_of

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from tierwise.domain import Mode
    from tierwise.pytest_plugin.state import State

# pytest runs these functions of a module or class as fixtures, under names of its own.
_XUNIT = {
    "_xunit_setup_module_fixture_": "setup_module",
    "_xunit_setup_class_fixture_": "setup_class",
    "_unittest_setUpClass_fixture_": "setUpClass",
    "_unittest_setUpModule_fixture_": "setUpModule",
}


class FixturePolicies:
    """Give each wider fixture the union of what its requesters are allowed."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._requesters: Mapping[str, Sequence[Policy]] | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        """Let the fixture's own policy act in its set-up and, later, in its tear-down."""
        if fixturedef.scope == "function":  # counts as the test that asked
            return (yield)
        policy = self._policy_of(fixturedef, request.session)
        # Finalizers run last in, first out: this pair surrounds the fixture's own.
        fixturedef.addfinalizer(lambda: self._leave(policy))
        self._state.sandbox.enter(policy)
        try:
            return (yield)
        finally:
            self._leave(policy)
            fixturedef.addfinalizer(lambda: self._state.sandbox.enter(policy))

    def _leave(self, policy: Policy) -> None:
        self._state.sandbox.leave(policy)
        self._state.phase_violations.extend(self._state.sandbox.take(policy.subject))

    def _policy_of(self, fixturedef: pytest.FixtureDef[Any], session: pytest.Session) -> Policy:
        if self._requesters is None:
            self._requesters = self._index(session)
        requesters = find_requesters(
            self._requesters.get(fixturedef.argname, ()), fixturedef.baseid, self._state.current
        )
        subject = name_fixture(fixturedef.argname, fixturedef.scope, fixturedef.baseid)
        return policy_of_requesters(subject, requesters, self._state.mode)

    def _index(self, session: pytest.Session) -> dict[str, list[Policy]]:
        index: dict[str, list[Policy]] = {}
        for item in session.items:
            policy = self._state.policy_of_item(item)
            for name in getattr(item, "fixturenames", ()):
                index.setdefault(name, []).append(policy)
        return index


def find_requesters(
    by_name: Sequence[Policy], base: str, current: Policy | None
) -> tuple[Policy, ...]:
    """Return the policies of the tests below `base` that ask for a fixture.

    `current` runs now; it is a requester too, even when it asks by `getfixturevalue`.
    """
    below = base.rstrip("/") + ("::" if "::" in base or base.endswith(".py") else "/")
    everywhere = base in ("", ".")
    found = [p for p in by_name if everywhere or p.subject == base or p.subject.startswith(below)]
    return tuple(dict.fromkeys([*found, *([current] if current is not None else [])]))


def policy_of_requesters(subject: str, requesters: Sequence[Policy], mode: Mode) -> Policy:
    """Return the policy of a fixture: all that any requester may touch."""
    tiers = sorted({policy.tier for policy in requesters if policy.tier is not None})
    return Policy(
        subject=subject,
        tier=" and ".join(tiers) or None,
        allow=union_of(dict.fromkeys(policy.allow for policy in requesters)),
        mode=mode,
    )


def name_fixture(argname: str, scope: str, base: str) -> str:
    """Return how a fixture is called in a message."""
    for prefix, function in _XUNIT.items():
        if argname.startswith(prefix):
            return f"{function} of {base or argname.removeprefix(prefix)}"
    place = f" of {base}" if base not in ("", ".") else ""
    return f"the {scope} fixture {argname!r}{place}"
