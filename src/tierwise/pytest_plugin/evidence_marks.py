"""What the marks `requirement` and `xfail` say of a test, as facts beside its reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tierwise.domain.gaps import find_ticket
from tierwise.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pytest

    from tierwise.pytest_plugin.facts import GapFacts

_NAMES = frozenset({"requirement", "xfail"})
_OVER = "[XPASS(strict)]"


def find_marked(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return the items that have one of the marks, themselves or by their class or module."""
    has_mark: dict[pytest.Collector | None, bool] = {None: False}

    def find(node: pytest.Collector | None) -> bool:
        if node not in has_mark:
            own = any(mark.name in _NAMES for mark in node.own_markers) if node else False
            has_mark[node] = own or find(node.parent if node else None)
        return has_mark[node]

    return [
        item
        for item in items
        if any(mark.name in _NAMES for mark in item.own_markers) or find(item.parent)
    ]


def requirements_of(item: pytest.Item) -> tuple[str, ...]:
    """Return the ids that the marks of an item name, those of its class and module included."""
    found: list[str] = []
    for mark in item.iter_markers("requirement"):
        names = [name for name in mark.args if isinstance(name, str) and name.strip()]
        if mark.kwargs or not names or len(names) != len(mark.args):
            raise MisuseError(
                f"{item.nodeid}: mark.requirement takes ids of requirements as strings, such as "
                '@pytest.mark.requirement("REQ-7").'
            )
        found += [name.strip() for name in names]
    return tuple(sorted(set(found)))


def gap_of(item: pytest.Item, report: pytest.TestReport) -> GapFacts | None:
    """Return what a strict xfail has found, or None for a test that is no known gap."""
    text = report.longrepr
    if report.outcome == "failed" and isinstance(text, str) and text.startswith(_OVER):
        return _facts(text.removeprefix(_OVER), is_over=True)
    is_expected = report.outcome == "skipped" and hasattr(report, "wasxfail")
    if is_expected and _is_strict(item, report.wasxfail):
        return _facts(report.wasxfail.removeprefix("reason: "), is_over=False)
    return None


def _is_strict(item: pytest.Item, reason: str) -> bool:
    marks = list(item.iter_markers("xfail"))
    # Of several marks the one that holds is not told, but its reason is.
    same = [mark for mark in marks if mark.kwargs.get("reason", "") == reason]
    return any(mark.kwargs.get("strict", _default(item.config.getini)) for mark in same or marks)


def _default(read: Callable[[str], object]) -> bool:
    own = read("strict_xfail")
    return bool(read("strict") if own is None else own)


def _facts(reason: str, *, is_over: bool) -> GapFacts:
    text = reason.strip()
    return {"reason": text, "ticket": find_ticket(text), "is_over": is_over}
