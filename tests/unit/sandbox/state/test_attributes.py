"""Attributes are watched without giving an object a namespace that it did not have."""

from __future__ import annotations

import gc
import logging
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tierwise.sandbox.state import attributes
from tierwise.sandbox.state.attributes import Attributes, view_words
from tierwise.sandbox.state.logs import watch_logging
from tierwise.sandbox.state.words import AllWords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tierwise.sandbox.state.watcher import Watcher

TRAITS = frozenset({"level", "propagate", "handlers"})
CHANGES: dict[str, Callable[[logging.Logger], object]] = {
    "level": lambda logger: logger.setLevel(logging.ERROR),
    "disabled": lambda logger: setattr(logger, "disabled", True),
    "propagate": lambda logger: setattr(logger, "propagate", False),
    "handlers, another list": lambda logger: setattr(logger, "handlers", [logging.NullHandler()]),
    "handlers, one more": lambda logger: logger.addHandler(logging.NullHandler()),
    "filters": lambda logger: logger.addFilter(logging.Filter("shop")),
}


@pytest.fixture(params=["words", "asked for"])
def understood(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the interpreter's memory be understood, and not."""
    if request.param == "asked for":
        monkeypatch.setattr(attributes, "_is_understood", lambda: False)
    return str(request.param)


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    """Make a logger that nobody else has, and take it away."""
    name = "shop.attributes"
    yield logging.getLogger(name)
    del logging.root.manager.loggerDict[name]


def owners(watcher: Watcher, kept: Any) -> list[str]:
    return [change.owner for change in watcher.compare(kept, watcher.take())]


def has_namespace(holder: object) -> bool:
    return any(type(found) is dict and "level" in found for found in gc.get_referents(holder))


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_of_a_logger_is_seen(
    logger: logging.Logger, understood: str, change: str
) -> None:
    """By the words of its memory where these are understood, and by its names elsewhere."""
    watcher = watch_logging()
    kept = watcher.take()
    assert watcher.is_same(kept)
    CHANGES[change](logger)
    assert not watcher.is_same(kept)
    trait = change.partition(",")[0]
    assert owners(watcher, kept) == [f"logging.getLogger('shop.attributes').{trait}"]
    assert watcher.restore is not None
    watcher.restore(kept)
    assert owners(watcher, kept) == []


def test_a_logger_that_is_watched_is_as_quick_to_ask_as_before(logger: logging.Logger) -> None:
    """No namespace is made for it: pytest asks each logger in each phase of each test."""
    watcher = watch_logging()
    watcher.restore(watcher.take())  # type: ignore[misc]  # there is one
    assert not has_namespace(logger)


def test_a_namespace_that_is_made_later_hides_nothing(logger: logging.Logger) -> None:
    """It is no change, and those in it are seen."""
    watcher = watch_logging()
    kept = watcher.take()
    names = vars(logger)
    assert owners(watcher, kept) == []
    kept = watcher.take()
    assert watcher.is_same(kept)
    names["level"] = logging.ERROR
    assert not watcher.is_same(kept)
    assert owners(watcher, kept) == ["logging.getLogger('shop.attributes').level"]


class Thing:
    """Has a few attributes."""

    def __init__(self) -> None:
        self.level, self.propagate, self.handlers = 7, object(), [1]


class Bare:
    """Has one of them only."""

    def __init__(self) -> None:
        self.level = 7


def test_attributes_are_a_mapping() -> None:
    """Of those that are there."""
    thing = Thing()
    found = Attributes(thing, TRAITS)
    assert dict(found) == {"handlers": [1], "level": 7, "propagate": thing.propagate}
    found["level"] = 8
    assert thing.level == 8
    del found["handlers"]
    assert (len(found), list(found)) == (2, ["level", "propagate"])
    assert not found.are_all_there
    with pytest.raises(KeyError):
        found["handlers"]


def test_words_of_what_is_not_all_there_are_none() -> None:
    """An attribute that comes later could lie where nobody looks."""
    thing, bare = Thing(), Bare()
    del thing.level
    assert view_words(Attributes(thing, TRAITS)) is None
    assert view_words(Attributes(bare, TRAITS)) is None


def watch_both(things: list[Thing]) -> AllWords:
    both = AllWords()
    for thing in things:
        words = view_words(Attributes(thing, TRAITS))
        if words is None:
            pytest.skip("this interpreter's objects are not understood")
        single = AllWords()
        single.add(words)
        both.extend([single])
    both.seal()
    return both


def test_words_are_told_apart() -> None:
    """Each value is watched as the very object that it is, of all that were taken in."""
    things = [Thing(), Thing()]
    both = watch_both(things)
    before = things[1].propagate
    assert both.are_same()
    things[1].propagate = object()
    assert not both.are_same()
    both.seal()
    assert not both.are_same()
    things[1].propagate = before
    assert both.are_same()
    vars(things[0])  # from now on the values are its, which may move them (3.11 and 3.12)
    assert both.are_same() is (sys.version_info >= (3, 13))


def test_nothing_watched_is_the_same() -> None:
    """As before, always."""
    nothing = AllWords()
    nothing.seal()
    assert nothing.are_same()
