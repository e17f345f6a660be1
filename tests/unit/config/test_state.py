"""`[tool.tierwise.state]`: words by watcher, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tierwise.config import parse_config
from tierwise.domain.watching import UNRESTORABLE, WATCHERS, Watching
from tierwise.errors import ConfigError


def words(table: dict[str, object]) -> dict[str, Watching]:
    return dict(parse_config({"state": table}, Path()).state.words)


def test_every_watcher_reports_unless_said() -> None:
    """With no table, and with one that names nothing."""
    assert dict(parse_config({}, Path()).state.words) == dict.fromkeys(WATCHERS, Watching.REPORT)
    assert words({}) == dict.fromkeys(WATCHERS, Watching.REPORT)


def test_each_has_its_own_word_and_the_rest_the_default() -> None:
    """A watcher's own word wins over the default."""
    found = words({"default": "off", "environ": "fail", "modules": "restore"})
    assert found.pop("environ") is Watching.FAIL
    assert found.pop("modules") is Watching.RESTORE
    assert set(found.values()) == {Watching.OFF}


def test_the_rest_of_the_table_is_read() -> None:
    """How thorough a look is, and which owners are never told."""
    state = parse_config({"state": {"thorough": True, "ignore": ["shop.*"]}}, Path()).state
    assert state.thorough
    assert state.ignore == ("shop.*",)


@pytest.mark.parametrize(
    ("table", "parts"),
    [
        ({"environ": "fial"}, ("environ is 'fial'", "Did you mean 'fail'?")),
        ({"environs": "fail"}, ("there is no key 'environs'", "Did you mean 'environ'?")),
        ({"environ": True}, ("environ is true, expected a string",)),
        ({"default": "restore"}, ("default is 'restore'", "fail, off, report")),
        ({"ignore": "shop.*"}, ('ignore = ["shop.*"]',)),
    ],
)
def test_what_is_not_understood_is_refused(table: dict[str, object], parts: list[str]) -> None:
    """With the closest word, in the table where it stands."""
    with pytest.raises(ConfigError, match=r"tool\.tierwise\.state") as caught:
        words(table)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize("watcher", sorted(UNRESTORABLE))
def test_what_cannot_be_restored_is_refused_with_the_reason(watcher: str) -> None:
    """Asking for it is no setting that silently does less."""
    with pytest.raises(ConfigError) as caught:
        words({watcher: "restore"})
    assert UNRESTORABLE[watcher] in str(caught.value)
    assert f'{watcher} = "fail"' in str(caught.value)
