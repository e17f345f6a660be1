"""The environment of a session: changed for its tests, put back at its end."""

from __future__ import annotations

import os
import shutil
import site
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tierwise.sandbox.environment.planning import plan_changes, write_git_config

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.config import EnvironmentConfig

_PREFIX = "tierwise-home-"


class SessionEnvironment:
    """Changes `os.environ` in place and back, as often as the tests of a session need it."""

    def __init__(self, settings: EnvironmentConfig, *, project_root: Path) -> None:
        self._settings, self._root = settings, project_root
        self._pid = os.getpid()
        self._home: Path | None = None
        self._before: dict[str, str | None] | None = None

    def change(self) -> None:
        """Put in what the tests are to see."""
        if self._before is not None:
            return
        changes = plan_changes(
            os.environ,
            self._settings,
            home=self._make_home(),
            true_home=str(Path.home()),
            exists=os.path.exists,
            windows=os.name == "nt",
        )
        if changes.get("HOME") and site.ENABLE_USER_SITE and "PYTHONUSERBASE" not in os.environ:
            # Packages of `pip install --user` are found by the home folder.
            changes["PYTHONUSERBASE"] = site.getuserbase()
        self._before = {name: os.environ.get(name) for name in changes}
        put(changes)

    def restore(self) -> None:
        """Put back what was there, whatever has become of it since."""
        if self._before is not None:
            put(self._before)
            self._before = None

    def close(self) -> None:
        """Put back, and remove the temporary home; a process that was forked off leaves it."""
        self.restore()
        if self._home is not None and os.getpid() == self._pid:
            shutil.rmtree(self._home, ignore_errors=True)
            self._home = None

    def _make_home(self) -> str:
        if self._settings.home == "kept":
            return ""
        if self._home is None:
            self._home = Path(tempfile.mkdtemp(prefix=_PREFIX))
            with suppress(OSError):  # who has no room for it will hear of that from pytest
                text = write_git_config(str(self._root))
                (self._home / ".gitconfig").write_text(text, encoding="utf-8")
        return str(self._home)


def put(wanted: Mapping[str, str | None]) -> None:
    """Set variables, and take away those that are None."""
    for name, value in wanted.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
