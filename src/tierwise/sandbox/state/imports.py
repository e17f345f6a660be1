"""What imports look at: sys.path, sys.meta_path and sys.modules."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING

from tierwise.domain.watching import Change
from tierwise.sandbox.state.checks import holds
from tierwise.sandbox.state.mutations import watch_mapping
from tierwise.sandbox.state.showing import ABSENT, show_type
from tierwise.sandbox.state.watcher import one_value, simple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tierwise.sandbox.state.checks import Check

_Paths = tuple[tuple[str, ...], tuple[object, ...]]


def read_paths() -> _Paths:
    """Return where modules are looked for, and by whom."""
    return tuple(sys.path), tuple(sys.meta_path)


def compare_paths(before: _Paths, after: _Paths) -> Iterator[Change]:
    """Yield what was taken out of each list and what came into it."""
    if before[0] != after[0]:
        gone, come = _only_in(before[0], after[0]), _only_in(after[0], before[0])
        if not gone and not come:
            gone, come = before[0], after[0]  # the order is another
        yield from one_value("sys_path", "sys.path", gone, come)
    if before[1] != after[1]:
        gone, come = _only_in(before[1], after[1]), _only_in(after[1], before[1])
        names = [tuple(map(show_type, finders)) for finders in (gone, come)]
        yield from one_value("sys_path", "sys.meta_path", *names)


def restore_paths(before: _Paths) -> None:
    """Put both lists back, in place."""
    sys.path[:] = before[0]
    sys.meta_path[:] = before[1]  # type: ignore[assignment]  # what was there


def _only_in(these: tuple[object, ...], those: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(entry for entry in these if entry not in those)


def compare_modules(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[Change]:
    """Yield modules popped or replaced, and what was put there and is no module of any file."""
    for name, module in before.items():
        now = after.get(name, ABSENT)
        if now is not module:
            yield _module_change(
                name, show_module(module), ABSENT if now is ABSENT else show_module(now)
            )
    for name, module in after.items():
        if name not in before and is_fake(module) and not _came_along(name, before, after):
            yield _module_change(name, ABSENT, show_module(module))


def _came_along(name: str, before: Mapping[str, object], after: Mapping[str, object]) -> bool:
    """Tell whether a package above it was imported meanwhile, which made it as some do."""
    parts = name.split(".")
    above = [".".join(parts[:n]) for n in range(1, len(parts))]
    return any(one in after and one not in before and not is_fake(after[one]) for one in above)


_OF_CYTHON = ("_cython_", "cython_runtime")
"""Modules that Cython's extensions make for what they share; they live as long as the process."""


def is_fake(module: object) -> bool:
    """Tell whether no import made this: it has no spec, as a module made by hand or a mock."""
    found = getattr(module, "__dict__", None)
    if isinstance(found, dict) and str(found.get("__name__", "")).startswith(_OF_CYTHON):
        return False
    spec = found.get("__spec__") if isinstance(found, dict) else None
    return not isinstance(spec, ModuleSpec)


def show_module(module: object) -> str:
    """Return what is under a name, in words."""
    if module is None:
        return "None (the import is blocked)"
    if isinstance(module, ModuleType):
        return "a module without a spec" if is_fake(module) else f"<module {module.__name__}>"
    return show_type(module)


def restore_modules(before: Mapping[str, object]) -> None:
    """Put popped and replaced modules back, and take fakes out; what was imported stays."""
    for name in [
        name for name, module in sys.modules.items() if name not in before and is_fake(module)
    ]:
        del sys.modules[name]
    for name, module in before.items():
        if sys.modules.get(name, ABSENT) is not module:
            sys.modules[name] = module  # type: ignore[assignment]  # what was there


def _module_change(name: str, before: str, after: str) -> Change:
    return Change(
        watcher="sys_modules", owner=f"sys.modules[{name!r}]", before=before, after=after
    )


def read_modules() -> dict[str, object]:
    """Return all that is in sys.modules."""
    return dict(sys.modules)


def witness_of_modules(_: object) -> tuple[Check, ...] | None:
    """Return what tells that no module came, went or was replaced."""
    check = watch_mapping(sys.modules)
    return (check,) if check is not None else None


def witness_of_paths(kept: _Paths) -> tuple[Check, ...]:
    """Return what tells that both lists are as they were, and are lists."""
    paths, finders = kept
    return (holds(vars(sys), path=[*paths], meta_path=[*finders]),)


SYS_PATH = simple("sys_path", read_paths, compare_paths, restore_paths, witness=witness_of_paths)
SYS_MODULES = simple(
    "sys_modules", read_modules, compare_modules, restore_modules, witness=witness_of_modules
)
