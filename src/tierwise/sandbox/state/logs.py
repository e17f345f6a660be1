"""Loggers: levels, handlers, disabled, propagate, and what logging.disable says."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any

from tierwise.domain.watching import Change
from tierwise.sandbox.state.attributes import Attributes
from tierwise.sandbox.state.checks import equals
from tierwise.sandbox.state.looking import Look, Looker
from tierwise.sandbox.state.places import Place
from tierwise.sandbox.state.showing import show_type
from tierwise.sandbox.state.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.sandbox.state.checks import Check

_TRAITS = frozenset({"level", "disabled", "propagate", "handlers", "filters"})
_ROOT_TRAITS = _TRAITS - {"handlers"}
_PLACE_OF_ALL = Place(
    owner="logging.root.manager",
    holder=logging.root.manager,
    names=Attributes(logging.root.manager, frozenset({"_disable"})),
    is_watched=lambda _: False,
)
"""What logging.disable says lies there: told by its own name, and watched with all the rest."""
_Taken = tuple[Look, list[object], int, int]


def watch_logging() -> Watcher:
    """Return the watcher of all loggers."""
    looker = Looker(
        watcher="logging",
        find_roots=_find_loggers,
        find_places=_find_places,
        registry=logging.root.manager.loggerDict,
    )

    def take() -> _Taken:
        return looker.take(), _root_handlers(), logging.root.manager.disable, len(sys.modules)

    def is_same(kept: _Taken) -> bool:
        return (
            logging.root.manager.disable == kept[2]
            and _root_handlers() == kept[1]
            and looker.is_same(kept[0])
        )

    def compare(before: _Taken, after: _Taken) -> Iterator[Change]:
        for change in looker.compare(before[0], after[0]):
            yield from _named(change, before[0], after[0])
        if before[1] != after[1]:
            yield _change("logging.root.handlers", _shown(before[1]), _shown(after[1]))
        if before[2] != after[2]:
            yield _change("logging.disable()", str(before[2]), str(after[2]))
        if before[3] == after[3]:  # a module that was imported may bring its loggers along
            yield from _compare_new(before[0], after[0])

    def restore(before: _Taken) -> None:
        looker.restore(before[0])
        if before[3] == len(sys.modules):
            _reset_new(before[0])
        theirs = [handler for handler in logging.root.handlers if _is_harness(handler)]
        logging.root.handlers[:] = [*before[1], *theirs]  # type: ignore[list-item]  # handlers
        logging.disable(before[2])
        logging.root.manager._clear_cache()  # type: ignore[attr-defined]  # noqa: SLF001  as setLevel does

    return Watcher(
        name="logging",
        take=take,
        compare=compare,
        is_same=is_same,
        restore=restore,
        witness=_witness,
    )


def _witness(kept: _Taken) -> tuple[Check, ...]:
    # pytest's own handlers are among these, in the same phase of each test the same ones.
    handlers = logging.root.handlers
    return *kept[0].witnesses.checks, equals(handlers, [*handlers])


def _find_loggers() -> dict[str, object]:
    named = logging.root.manager.loggerDict
    found: dict[str, object] = {
        name: logger for name, logger in [*named.items()] if isinstance(logger, logging.Logger)
    }
    return {"root": logging.root, **found}


def _find_places(name: str, logger: object) -> list[Place]:
    is_root = logger is logging.root
    place = Place(
        owner=name,
        holder=logger,
        names=Attributes(logger, _TRAITS),
        is_watched=(_ROOT_TRAITS if is_root else _TRAITS).__contains__,
    )
    return [place, _PLACE_OF_ALL] if is_root else [place]


def _root_handlers() -> list[object]:
    return [handler for handler in logging.root.handlers if not _is_harness(handler)]


def _is_harness(handler: object) -> bool:
    return type(handler).__module__ == "_pytest.logging"


def _named(change: Change, before: Look, after: Look) -> Iterator[Change]:
    logger, _, trait = change.owner.rpartition(".")
    shown = change.before, change.after
    if trait == "handlers":
        looks = (look.parts[logger].kept[logger].contents for look in (before, after))
        # pytest puts its own on each logger that hands nothing on, phase by phase.
        own = [[each for each in kept[trait] if not _is_harness(each)] for kept in looks]
        if own[0] == own[1]:
            return
        shown = _shown(own[0]), _shown(own[1])
    yield _change(f"logging.getLogger({logger!r}).{trait}", *shown)


def _compare_new(before: Look, after: Look) -> Iterator[Change]:
    for name, part in after.parts.items():
        logger: Any = part.root
        if name in before.parts or name == "root":
            continue
        handlers = [
            each
            for each in logger.handlers
            if type(each) is not logging.NullHandler and not _is_harness(each)
        ]
        for trait, usual, now in (
            ("level", logging.NOTSET, logger.level),
            ("propagate", True, logger.propagate),
            ("handlers", [], handlers),
            ("disabled", False, logger.disabled),
        ):
            if bool(now) != bool(usual):
                shown = _shown(now) if isinstance(now, list) else repr(now)
                yield _change(f"logging.getLogger({name!r}).{trait}", repr(usual), shown)


def _reset_new(before: Look) -> None:
    for name, logger in _find_loggers().items():
        if name not in before.parts and isinstance(logger, logging.Logger):
            logger.handlers.clear()
            logger.level, logger.propagate, logger.disabled = logging.NOTSET, True, False


def _shown(handlers: list[Any]) -> str:
    return f"[{', '.join(map(show_type, handlers))}]"


def _change(owner: str, before: str, after: str) -> Change:
    return Change(watcher="logging", owner=owner, before=before, after=after)
