"""`[tool.tierwise.state]`: what is done about state that tests leave behind, by watcher."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.config.model import StateConfig
from tierwise.config.section import Section, check_keys, choice, flag, texts
from tierwise.domain.watching import UNRESTORABLE, WATCHERS, Watching

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_DEFAULT = "default"
_OTHERS = (_DEFAULT, "thorough", "ignore")
_FOR_ALL = (Watching.OFF, Watching.REPORT, Watching.FAIL)
"""What can be said of every watcher: not all of them can restore."""


def parse_state(section: Section | None) -> StateConfig:
    """Return what the table says; None is no table at all."""
    if section is None:
        return StateConfig(words=dict.fromkeys(WATCHERS, Watching.REPORT))
    check_keys(section, (*WATCHERS, *_OTHERS))
    default = Watching(choice(section, _DEFAULT, _words(_FOR_ALL), default=Watching.REPORT))
    return StateConfig(
        words=_read_words(section, default),
        thorough=flag(section, "thorough"),
        ignore=texts(section, "ignore"),
    )


def _read_words(section: Section, default: Watching) -> Mapping[str, Watching]:
    words = {
        name: Watching(choice(section, name, _words(Watching), default=default))
        for name in WATCHERS
    }
    for name, word in words.items():
        if word is Watching.RESTORE and name in UNRESTORABLE:
            raise section.refuse(
                f'{name} is "restore", which cannot be done: {UNRESTORABLE[name]}. '
                f'Write {name} = "fail" and end what the test began in the test, or "report".'
            )
    return words


def _words(words: Iterable[Watching]) -> list[str]:
    return [str(word) for word in words]
