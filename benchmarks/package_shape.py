"""What the modules of real packages hold of what the watchers of process state look at.

    python benchmarks/package_shape.py [PACKAGE ...]

Each package is imported whole, as far as it can be; the figures are for one module. The last line
is the median of the packages. `process_state.py` generates its package after it.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib
import logging
import os
import pkgutil
import sys
import warnings
from collections import Counter, deque
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

_PACKAGES = (
    *("tierwise", "openai", "anthropic", "google.genai", "aiohttp", "starlette", "fastapi"),
    *("hypothesis", "rich", "pydantic", "_pytest", "httpx2", "uvicorn", "click", "jinja2", "ray"),
)
_LEFT_OUT = ("__main__", "test", "vendor", "cli")
_KINDS = (
    "lists",
    "dicts",
    "classes",
    "class lists",
    "class dicts",
    "caches",
    "objects",
    "loggers",
)


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description="what modules hold")
    parser.add_argument("packages", nargs="*", default=_PACKAGES)
    shapes = []
    print(f"{'package':<14}{'modules':>9}" + "".join(f"{kind:>13}" for kind in _KINDS))
    for package in parser.parse_args().packages:
        n_modules, shape = shape_of(package)
        if not n_modules:
            print(f"{package:<14}  is not installed")
            continue
        shapes.append(shape)
        _show(package, str(n_modules), shape)
    if shapes:
        _show("median", "", {kind: median(shape[kind] for shape in shapes) for kind in _KINDS})


def shape_of(package: str) -> tuple[int, dict[str, float]]:
    """Return how many modules a package has, and what one of them holds on average."""
    import_whole(package)
    modules = [
        module
        for name, module in sys.modules.items()
        if (name == package or name.startswith(f"{package}.")) and hasattr(module, "__file__")
    ]
    counted = sum((count(module, package) for module in modules), Counter[str]())
    counted["loggers"] = sum(
        isinstance(logger, logging.Logger) and f"{name}.".startswith(f"{package}.")
        for name, logger in logging.root.manager.loggerDict.items()
    )
    return len(modules), {kind: counted[kind] / max(1, len(modules)) for kind in _KINDS}


def import_whole(package: str) -> None:
    """Import all modules that can be."""
    with (
        warnings.catch_warnings(),
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        warnings.simplefilter("ignore")
        with contextlib.suppress(ImportError):
            root = importlib.import_module(package)
            for found in pkgutil.walk_packages(root.__path__, f"{package}.", lambda _: None):
                if not any(part in found.name for part in _LEFT_OUT):
                    with contextlib.suppress(BaseException):  # it may need what is not here
                        importlib.import_module(found.name)


def count(module: ModuleType, package: str) -> Counter[str]:
    """Count what a module holds at its top and in its classes."""
    found: Counter[str] = Counter()
    for name, value in [*vars(module).items()]:
        if name.startswith("__"):
            continue
        kind = type(value)
        is_own = getattr(value, "__module__", None) == module.__name__
        if isinstance(value, type):
            if is_own:
                found["classes"] += 1
                found.update(f"class {held}" for held in map(_container, _own(value)) if held)
        elif _container(value):
            found[_container(value)] += 1
        elif isinstance(value, functools._lru_cache_wrapper):  # noqa: SLF001  its only name
            found["caches"] += is_own
        elif str(kind.__module__).startswith(package) and hasattr(value, "__dict__"):
            found["objects"] += 1
    return found


def _own(kind: type) -> list[object]:
    return [value for name, value in vars(kind).items() if not name.startswith("__")]


def _container(value: object) -> str:
    if issubclass(type(value), dict):
        return "dicts"
    return "lists" if type(value) in (list, set, deque, bytearray) else ""


def _show(name: str, n_modules: str, shape: dict[str, float]) -> None:
    cells = "".join(f"{shape[kind]:>13.2f}" for kind in _KINDS)
    print(f"{name:<14}{n_modules:>9}{cells}")


if __name__ == "__main__":
    main()
