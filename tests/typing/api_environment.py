"""The environment and what is reset, used as a project's tests would: type-checked, never run."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_type

import tierwise
from tierwise.config import EnvironmentConfig, ExitConfig

if TYPE_CHECKING:
    from collections.abc import MutableMapping

CACHE: dict[str, int] = {}
tierwise.reset_each_test(CACHE.clear)


@tierwise.reset_each_test
def forget_everything() -> None:
    """Put state back."""


def test_blocks(clean_env: MutableMapping[str, str]) -> None:
    """Change the environment until a block ends, or until it is called."""
    with tierwise.clean_env(keep=["AWS_*"]) as environ:
        assert_type(environ, "MutableMapping[str, str]")
    with tierwise.mock_process_env({"A": "1", "B": None}) as mocked:
        assert_type(mocked(), None)
    restore = tierwise.mock_process_env(clear=True)
    restore()
    forget_everything()


def test_configuration() -> None:
    """Read what the table says."""
    environment = EnvironmentConfig(home="kept")
    assert_type(environment.fake_keys, bool)
    assert_type(environment.keep, tuple[str, ...])
    assert_type(ExitConfig().patience_s, float)
    assert_type(ExitConfig().tell, bool)
