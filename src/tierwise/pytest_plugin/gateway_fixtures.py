"""Fixtures that play vendors for one test and complain of what went unanswered."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from tierwise.errors import TierwiseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.doubles.gateway import Gateway
    from tierwise.doubles.gateway.serving import Server

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@pytest.fixture
def gateway(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gateway]:
    """Play OpenAI, Anthropic and Gemini for all clients in this process, by the test's rules.

    The test fails at its end for a request that no rule was for, and for a rule without a request.
    """
    from tierwise.doubles.gateway.vendors import ENVIRONMENT  # noqa: PLC0415  not for start-up

    with _played(request.session) as made:
        # By the test's own monkeypatch: what two changed would not be put back in order.
        for name, value in ENVIRONMENT.items():
            if value is None:
                monkeypatch.delenv(name, raising=False)
            else:
                monkeypatch.setenv(name, value)
        yield made


@pytest.fixture
def gateway_server(gateway: Gateway) -> Iterator[Server]:
    """Play the vendors on a port of loopback: `.url` for any program, `.gateway` for the rules.

    While it runs, the environment leads the SDKs there, those of child processes too. Clients of
    this process that go to a vendor's own host are answered in process, by the same rules: those
    of the fixture `gateway`, which is `.gateway`.
    """
    from tierwise.doubles.gateway.installing import changed_environment  # noqa: PLC0415  as below
    from tierwise.doubles.gateway.serving import running  # noqa: PLC0415

    with ExitStack() as stack:
        gateway.configure(allow_hosts=(*gateway.allow_hosts, *_LOOPBACK))
        try:
            server = stack.enter_context(running(gateway))
        except TierwiseError as error:
            pytest.fail(str(error), pytrace=False)
        stack.enter_context(changed_environment(server.environment))
        yield server


@contextmanager
def _played(session: pytest.Session) -> Iterator[Gateway]:
    from tierwise.doubles.gateway import Gateway  # noqa: PLC0415  not for start-up
    from tierwise.doubles.gateway.vendors import find_keys  # noqa: PLC0415

    made, failed_before = Gateway(), session.testsfailed
    if session.config.getoption("tierwise_record"):
        made.record_in_place_of_replay(find_keys(os.environ))
    raised: set[str] = set()

    def make_error(text: str) -> BaseException:
        raised.add(text)
        return _make_error(text)

    with made.installed(make_error=make_error, environ=False):
        yield made
    # A test that failed on its way has left rules unused for that reason.
    has_failed = session.testsfailed > failed_before
    complaints = made.complaints if has_failed else made.finish()
    if has_failed:  # by what it raised, as a rule: told once is enough
        complaints = tuple(one for one in complaints if one not in raised)
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


def _make_error(text: str) -> BaseException:
    """Return an error that no `except Exception` of the code under test hides."""
    return pytest.fail.Exception(text, pytrace=False)
