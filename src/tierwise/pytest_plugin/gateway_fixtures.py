"""Fixtures that play vendors for one test and complain of what went unanswered."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.doubles.gateway import Gateway


@pytest.fixture
def gateway(request: pytest.FixtureRequest) -> Iterator[Gateway]:
    """Play OpenAI, Anthropic and Gemini for all clients in this process, by the test's rules.

    The test fails at its end for a request that no rule was for, and for a rule without a request.
    """
    with _played(request.session) as made:
        yield made


@pytest.fixture
def gateway_server(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Play the vendors on loopback too: `.url` for other programs, `.gateway` for the rules."""
    from tierwise.doubles.gateway.installing import changed_environment  # noqa: PLC0415  as below

    try:
        serving: Any = import_module("tierwise.doubles.gateway.serving")
    except ModuleNotFoundError as error:
        pytest.fail(f"gateway_server needs the gateway's server: {error}.", pytrace=False)
    with _played(request.session) as made, serving.running(made) as server:
        made.configure(allow_hosts=(*made.allow_hosts, "127.0.0.1", "localhost", "::1"))
        with changed_environment(server.environment):
            yield server


@contextmanager
def _played(session: pytest.Session) -> Iterator[Gateway]:
    from tierwise.doubles.gateway import Gateway  # noqa: PLC0415  not for start-up

    made, failed_before = Gateway(), session.testsfailed
    with made.installed(make_error=_make_error):
        yield made
    # A test that failed on its way has left rules unused for that reason.
    has_failed = session.testsfailed > failed_before
    complaints = made.complaints if has_failed else made.finish()
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


def _make_error(text: str) -> BaseException:
    """Return an error that no `except Exception` of the code under test hides."""
    return pytest.fail.Exception(text, pytrace=False)
