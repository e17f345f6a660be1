"""The fixture that installs a gateway for one test and complains of what went unanswered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.doubles.gateway import Gateway


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    """Play OpenAI, Anthropic and Gemini for all clients in this process, by the test's rules.

    The test fails at its end for a request that no rule was for, and for a rule without a request.
    """
    from tierwise.doubles.gateway import Gateway  # noqa: PLC0415  not for start-up

    made = Gateway()
    with made.installed(make_error=_make_error):
        yield made
    complaints = made.finish()
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


def _make_error(text: str) -> BaseException:
    """Return an error that no `except Exception` of the code under test hides."""
    return pytest.fail.Exception(text, pytrace=False)
