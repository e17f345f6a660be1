"""What an eval cannot have, refused while collecting, each with the way out."""

from __future__ import annotations

import difflib
import inspect
import sys
from typing import TYPE_CHECKING

from tierwise.errors import EvalUsageError
from tierwise.pytest_plugin.eval_compat import fixture_definitions

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

    from tierwise.pytest_plugin.eval_items import EvalItem

_DECLARATION = "__tierwise_eval__"  # evals.declaration.DECLARATION, which is not loaded here


def refuse_name(collector: pytest.Module | pytest.Class, name: str, function: object) -> None:
    """Refuse an eval that pytest would pass over in silence; an imported one is not meant."""
    if getattr(function, "__module__", None) == getattr(collector.obj, "__module__", None) or (
        getattr(function, "__module__", None) == getattr(collector.obj, "__name__", None)
    ):
        raise EvalUsageError(
            f"{collector.nodeid}::{name} is an eval whose name pytest does not collect, so that "
            f"it would never run. Call it test_{name}."
        )


def refuse_in_test_case(thing: object) -> None:
    """Refuse evals among the methods of a unittest.TestCase."""
    unittest = sys.modules.get("unittest")
    if unittest is None or not inspect.isclass(thing) or not issubclass(thing, unittest.TestCase):
        return
    for name, member in vars(thing).items():
        if hasattr(member, _DECLARATION):
            raise EvalUsageError(
                f"{thing.__qualname__}.{name} is an eval in a unittest.TestCase, which calls its "
                "methods without arguments. Move it out, or into a class of no base."
            )


def refuse_parametrize(item: EvalItem) -> None:
    """Refuse values from pytest: they are cases."""
    if any(item.iter_markers("parametrize")):
        raise EvalUsageError(
            f"{item.nodeid} is parametrized. An eval has one plan, whose inputs are its cases: "
            "give the values as @evaluate(cases=[...]) and read them from `case`."
        )
    for name, definitions in fixture_definitions(item).items():
        if definitions[-1].params:
            raise EvalUsageError(
                f"{item.nodeid} uses the fixture {name!r}, which is parametrized. An eval has one "
                "plan, whose inputs are its cases: give the values as @evaluate(cases=[...])."
            )


def refuse_misspelt_arguments(item: EvalItem, injected: Iterable[str]) -> None:
    """Refuse an argument that is no fixture and nearly one of those that come from tierwise."""
    definitions = fixture_definitions(item)
    for name in item.shared_names:
        close = difflib.get_close_matches(name, sorted(injected), n=1)
        if name not in definitions and close:
            raise EvalUsageError(
                f"{item.nodeid} takes the argument {name!r}, and there is no such fixture. "
                f"Did you mean {close[0]!r}?"
            )


def refuse_narrow_fixtures(item: EvalItem) -> None:
    """Refuse fixtures that are made for one test."""
    definitions = fixture_definitions(item)
    for name in item.shared_names:
        found = definitions.get(name)
        if name == "request" or (found and found[-1].scope == "function"):
            raise EvalUsageError(
                f"{item.nodeid} asks for the fixture {name!r}, which is made once for each test. "
                f"The trials of an eval run side by side and must not share it. {_way_out(name)}"
            )


def _way_out(name: str) -> str:
    if name in ("tmp_path", "tmpdir"):
        return "Each trial has a folder of its own: trial.tmp_path."
    if name == "request":
        return "What differs from trial to trial is in `case` and `trial`."
    return (
        "Build it in the body of the eval, or let a session fixture return a factory and call "
        'that in the body; what may be shared on purpose takes scope="session".'
    )


def refuse_idle_baseline(name: str, items: Iterable[EvalItem]) -> None:
    """Refuse a baseline that nothing would be compared with: the run would only look guarded."""
    from tierwise.evals.promises import NoWorse  # noqa: PLC0415  loaded when evals run

    chosen = list(items)
    promises = [entry.promise for item in chosen for entry in item.declaration.expectations]
    if not chosen or any(isinstance(promise, NoWorse) for promise in promises):
        return
    of_them = "the eval that runs does not" if len(chosen) == 1 else f"none of {len(chosen)} evals"
    raise EvalUsageError(
        f"--baseline {name} is what no_worse_than(...) is compared with, and {of_them} promise"
        f"{'' if len(chosen) == 1 else 's'} that, so nothing would be compared. Add "
        "no_worse_than(METRIC, margin=...) to an eval's expect=[...], or leave --baseline out and "
        "compare afterwards: tierwise eval compare RUN last --fail-if-worse MARGIN"
    )
