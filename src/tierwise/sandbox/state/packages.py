"""First-party modules among all that are imported."""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from tierwise.sandbox.state.mutations import watch_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tierwise.sandbox.state.checks import Check

_FOREIGN = ("site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules")


class FirstParty:
    """Finds the modules whose files lie in some folders, or are named; each is asked once."""

    def __init__(self, folders: Sequence[str]) -> None:
        paths = [os.path.abspath(folder) for folder in folders]  # noqa: PTH100
        self._files = frozenset(paths)
        self._folders = tuple(f"{path.rstrip(os.sep)}{os.sep}" for path in paths)
        self._known: dict[str, tuple[object, bool]] = {}
        self._modules: dict[str, ModuleType] = {}
        self._are_all_known: Check | None = None

    def modules(self) -> dict[str, ModuleType]:
        """Return the modules that are imported now, by name."""
        if not self._folders or (self._are_all_known is not None and self._are_all_known()):
            return self._modules
        are_all_known = watch_keys(sys.modules)
        found: dict[str, ModuleType] = {}
        for name, module in [*sys.modules.items()]:
            known = self._known.get(name)
            if known is None or known[0] is not module:
                known = self._known[name] = (module, self._is_ours(module))
            if known[1] and isinstance(module, ModuleType):
                found[name] = module
        self._modules, self._are_all_known = found, are_all_known
        return found

    def owns(self, module: str) -> bool:
        """Tell whether a module of this name is first-party."""
        return self._known.get(module, (None, False))[1]

    def _is_ours(self, module: object) -> bool:
        if not isinstance(module, ModuleType):
            return False
        path = module.__dict__.get("__file__")
        if not isinstance(path, str) or path in self._files:
            return isinstance(path, str)
        for folder in self._folders:
            if path.startswith(folder):
                inside = path[len(folder) :].split(os.sep)  # noqa: PTH206  not the root
                return not _is_test(inside[-1]) and not any(part in _FOREIGN for part in inside)
        return False


def _is_test(file: str) -> bool:
    return file.startswith("test_") or file.endswith("_test.py") or file == "conftest.py"
