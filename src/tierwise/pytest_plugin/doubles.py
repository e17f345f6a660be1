"""Fixtures that make a provider's stand-in and complain when its script was not used up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.providers import MockProvider, ScriptedProvider


@pytest.fixture
def mock_provider() -> Iterator[Callable[..., MockProvider]]:
    """Make `MockProvider`s; the test fails at its end when one has answers left over."""
    from tierwise.providers import MockProvider  # noqa: PLC0415  not for start-up

    yield from _factory(MockProvider)


@pytest.fixture
def scripted_provider() -> Iterator[Callable[..., ScriptedProvider]]:
    """Make `ScriptedProvider`s; the test fails at its end when a rule was never used."""
    from tierwise.providers import ScriptedProvider  # noqa: PLC0415  not for start-up

    yield from _factory(ScriptedProvider)


def _factory(kind: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    made: list[Any] = []

    def make(*args: object, **kwargs: object) -> Any:  # noqa: ANN401  the provider of `kind`
        made.append(kind(*args, **kwargs))
        return made[-1]

    yield make
    complaints = [complaint for provider in made for complaint in provider.finish()]
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)
