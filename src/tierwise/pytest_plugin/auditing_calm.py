"""Options of a project under which an audit would see less: workers, coverage, stopping early."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

_CALM: Mapping[str, object] = {
    "maxfail": 0,
    "continue_on_collection_errors": True,
    "numprocesses": None,
    "dist": "no",
    "tx": [],
    "no_cov": True,
    "stepwise": False,
    "lf": False,
    "failedfirst": False,
    "newfirst": False,
    "usepdb": False,
    "trace": False,
    "benchmark_only": False,
    "randomly_reorganize": False,
}
"""What each option is set to, where a plugin that is installed knows it."""


def calm_early(options: Namespace) -> None:
    """Keep coverage from starting: it slows tests down, and writes a file."""
    if hasattr(options, "no_cov"):
        options.no_cov = True


def calm_session(options: Namespace) -> list[str]:
    """Set what would end or split the session, and return the options that asked for it."""
    changed = []
    for name, value in _CALM.items():
        found = getattr(options, name, value)
        if hasattr(options, name) and found != value:
            if found not in (None, False, 0, [], "no") and name != "randomly_reorganize":
                changed.append(name)  # it was asked for, and not only a default
            setattr(options, name, value)
    return changed
