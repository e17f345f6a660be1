import functools
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from tierwise import reset_each_test
from tierwise.errors import MisuseError
from tierwise.sandbox.resetting import Resets, name_of_reset


async def wait() -> None: ...


def with_argument(cache: object) -> None: ...


def yielding() -> Iterator[None]:
    yield


async def yielding_async() -> AsyncIterator[None]:
    yield


@pytest.fixture
def a_fixture() -> None: ...


def test_resets_run_in_the_order_of_registration_and_each_once() -> None:
    """Registering twice, as a module that is imported twice does, is registering once."""
    seen: list[str] = []
    first, second = (functools.partial(seen.append, text) for text in ("first", "second"))
    resets = Resets([first])
    resets.add(second)
    resets.add(first)
    assert list(resets.run()) == []
    assert seen == ["first", "second"]


def test_a_method_of_the_same_object_is_the_same_reset() -> None:
    """`cache.clear` makes a new method each time; another cache's is another one."""
    one: dict[str, int] = {}
    two: dict[str, int] = {}
    resets = Resets([one.clear, one.clear, two.clear])
    assert len(resets._functions) == 2


def test_one_that_raises_does_not_stop_the_others() -> None:
    """Each error comes with the name of its reset."""
    seen: list[str] = []
    resets = Resets([broken, functools.partial(seen.append, "ran")])
    ((name, error),) = resets.run()
    assert name.endswith("test_resetting.broken")
    assert isinstance(error, ZeroDivisionError)
    assert seen == ["ran"]


def broken() -> None:
    1 / 0  # noqa: B018  raises


def test_what_would_have_to_be_awaited_is_an_error() -> None:
    """A call that only makes a coroutine has reset nothing."""
    ((_, error),) = Resets([lambda: wait()]).run()  # noqa: PLW0108  not seen to be async
    assert "to be awaited" in str(error)


def test_a_session_is_told_once_that_there_are_any() -> None:
    """At once, or with the first that is added."""
    told: list[str] = []
    resets = Resets()
    resets.when_there_are_any(lambda: told.append("later"))
    assert told == []
    resets.add(broken)
    resets.add(print)
    Resets([broken]).when_there_are_any(lambda: told.append("at once"))
    assert told == ["later", "at once"]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (None, "expected a function without arguments"),
        ({"a": 1}, "reset_each_test(clear_cache), not clear_cache()"),
        (wait, "which is async"),
        (yielding_async, "which is async"),
        (yielding, "which yields"),
        (with_argument, "cannot be called without arguments (missing a required argument"),
        (a_fixture, "which only pytest can call"),
    ],
)
def test_what_cannot_reset_is_refused_with_the_reason(
    given: Callable[[], object], complaint: str
) -> None:
    """When it is registered, and not after the first test."""
    with pytest.raises(MisuseError) as refused:
        reset_each_test(given)
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (broken, f"{__name__}.broken"),
        (functools.partial(broken), f"{__name__}.broken"),
        ({}.clear, "dict.clear"),
    ],
)
def test_a_reset_has_a_name(given: Callable[[], object], name: str) -> None:
    """By which the report names it."""
    assert name_of_reset(given) == name
