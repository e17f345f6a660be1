"""The words of process state: what is watched around each test, and what a finding does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Watching(StrEnum):
    """What is done about state that a test has left behind."""

    OFF = "off"
    REPORT = "report"
    RESTORE = "restore"
    FAIL = "fail"


WATCHERS: Mapping[str, str] = MappingProxyType(
    {
        "environ": "variables of os.environ",
        "cwd": "the current directory",
        "umask": "the rights that new files are made without",
        "locale": "the locale of the process",
        "timezone": "the time zone that time.tzset has put into force",
        "sys_path": "sys.path and sys.meta_path",
        "sys_modules": "fakes in sys.modules, and modules popped or replaced there",
        "logging": "levels, handlers, disabled, propagate and logging.disable",
        "warnings": "warnings.filters",
        "random": "the state of the module random, seeded anew",
        "numpy": "the state of numpy.random, seeded anew",
        "decimal": "the decimal context",
        "signals": "signal handlers",
        "event_loop": "the event loop policy, and a loop left set",
        "contextvars": "values of context variables",
        "threads": "threads that still run",
        "processes": "child processes that still run",
        "tasks": "asyncio tasks that still wait",
        "files": "file descriptors that are still open",
        "modules": "values and containers of first-party modules, and of objects that they hold",
        "classes": "attributes of first-party classes",
        "caches": "lru_cache, cache and cached_property of first-party code",
        "third_party": "globals of litellm, openai, opentelemetry and tiktoken",
    }
)
"""Every watcher, and what it looks at."""

UNRESTORABLE: Mapping[str, str] = MappingProxyType(
    {
        "contextvars": "a variable that had no value cannot be made valueless again",
        "threads": "a thread cannot be ended from outside",
        "processes": "a process that is ended may leave its work half done",
        "tasks": "a task that is cancelled runs on, in a loop that may be closed",
        "files": "a descriptor that is closed may be given to somebody else, who loses it",
    }
)
"""Watchers that cannot put back what a test has changed, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A piece of process state that is not what it was; the texts are short and hold no secret."""

    watcher: str
    owner: str
    """Where it is, such as `shop.prices.CACHE`, `os.environ['LANG']`, `sys.modules['redis']`."""
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftBehind:
    """A change that a test, or a fixture wider than it, did not take back."""

    change: Change
    action: Watching
    """What was done about it."""
    subject: str = ""
    """The fixture that left it; "" is the test."""
