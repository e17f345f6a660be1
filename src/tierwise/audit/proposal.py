"""A first `[tool.tierwise]` table that fits what was seen."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tierwise.audit.behaviour import count
from tierwise.audit.findings import Proposal
from tierwise.audit.levels import level_of_name
from tierwise.config import default_tiers, parse_config
from tierwise.config.defaults import usual_capabilities
from tierwise.domain import Capability, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tierwise.audit.findings import TestView

_COSTLY = frozenset({Capability.NETWORK, Capability.MODEL})
_DELIBERATE = frozenset({"evals", "live"})
_UNITS = frozenset({Level.UNIT, Level.COMPONENT})
_BAD = ("failed", "error", "ended_session")
_LONGEST_LINE = 95
_HOME = re.compile(r"(?:/home/[^/]+|/Users/[^/]+|/root|[A-Za-z]:.Users.[^/]+)[/\\]")
_TEST_FOLDERS = frozenset({"tests", "test", "testing"})


@dataclass(slots=True)
class _Draft:
    """A tier as it is put together."""

    name: str
    level: Level
    paths: dict[str, None] = field(default_factory=dict)
    views: list[TestView] = field(default_factory=list)


def propose(
    views: Sequence[TestView],
    *,
    packages: Sequence[str],
    is_order_free: bool | None,
    root: str = "",
) -> Proposal:
    """Return the table; `is_order_free` is None when nobody looked for order dependence.

    `root` is the project's folder, which may lie in a home folder and is none.
    """
    drafts = draft_tiers(views)
    lines = ["[tool.tierwise]"]
    if packages:
        lines.append(f"packages = {json.dumps(list(packages))}")
    lines += _order_lines(is_order_free=is_order_free)
    for draft in drafts:
        lines += ["", *_tier_lines(draft, root)]
    text = "\n".join(lines) + "\n"
    parse_config(tomllib.loads(text)["tool"]["tierwise"], Path())  # or it is not offered at all
    return Proposal(toml=text, notes=tuple(_notes_of(drafts)))


def _order_lines(*, is_order_free: bool | None) -> list[str]:
    if is_order_free:
        return []
    why = "tests depend on their order" if is_order_free is False else "not looked for yet"
    return [f'order = "defined"  # {why}: tierwise audit --order; then leave this line out']


def draft_tiers(views: Iterable[TestView]) -> list[_Draft]:
    """Return a tier for each folder that is named like one, and two for what lies elsewhere."""
    drafts: dict[str, _Draft] = {}
    elsewhere: dict[str, list[TestView]] = {}
    for view in views:
        found = _named_folder(view.path)
        if found is None:
            elsewhere.setdefault(view.path, []).append(view)
        else:
            folder, name, level = found
            draft = drafts.setdefault(name, _Draft(name, level))
            draft.paths[folder] = None
            draft.views.append(view)
    for path, found_views in elsewhere.items():
        _place_file(drafts, path, found_views)
    order = [tier.name for tier in default_tiers()]
    return sorted(
        drafts.values(),
        key=lambda one: (order.index(one.name) if one.name in order else len(order), one.name),
    )


def _named_folder(path: str) -> tuple[str, str, Level] | None:
    folders = path.split("/")[:-1]
    for at in range(len(folders) - 1, -1, -1):
        level = level_of_name(folders[at])
        if level is not None:
            name = folders[at] if folders[at] in _DELIBERATE else str(level)
            return "/".join(folders[: at + 1]), name, level
    return None


def _place_file(drafts: dict[str, _Draft], path: str, views: list[TestView]) -> None:
    levels = Counter(view.level for view in views if view.level)
    is_unit = not levels or all(Level(level) in _UNITS for level in levels)
    if is_unit:
        draft = drafts.setdefault("unit", _Draft("unit", Level.UNIT))
        draft.paths[_folder_of(path)] = None
    else:
        level = Level(max(levels, key=lambda one: (one not in _UNITS, levels[one])))
        draft = drafts.setdefault(str(level), _Draft(str(level), level))
        draft.paths[path] = None
    draft.views += views


def _folder_of(path: str) -> str:
    """Return the folder of tests that a file lies in, or else its topmost folder, or the file."""
    folders = path.split("/")[:-1]
    at = next((n for n, name in enumerate(folders) if name in _TEST_FOLDERS), 0)
    return "/".join(folders[: at + 1]) or path


def _tier_lines(draft: _Draft, root: str) -> list[str]:
    questions = {tier.name: tier.question for tier in default_tiers()}
    is_deliberate = draft.name in _DELIBERATE
    allowed = _allowed(draft, root, is_deliberate=is_deliberate)
    lines = [f"[tool.tierwise.tiers.{draft.name}]"]
    if draft.name in questions:
        lines.append(f"question = {json.dumps(questions[draft.name])}")
    lines.append(f'level = "{draft.level}"')
    lines += _array("paths", list(draft.paths))
    lines += _array("allow", [str(each) for each in Capability if each in allowed])
    if is_deliberate:
        lines.append("deliberate = true  # not part of a bare pytest; run it with --tier")
    return lines


def _allowed(draft: _Draft, root: str, *, is_deliberate: bool) -> set[Capability]:
    touches = [touch for view in draft.views for touch in view.touches]
    seen = {Capability(touch.capability) for touch in touches}
    if any(_is_in_home(touch.target, root) for touch in touches):
        seen.add(Capability.TMP)  # where tiers are enforced, tests have a temporary home
    if is_deliberate:
        tier = next(one for one in default_tiers() if one.name == draft.name)
        return seen | {allowance.capability for allowance in tier.allow}
    return (set(usual_capabilities(draft.level)) | seen) - _COSTLY


def _is_in_home(target: str, root: str) -> bool:
    return _HOME.match(target) is not None and not (root and target.startswith(f"{root}/"))


def _array(name: str, values: Sequence[str]) -> list[str]:
    line = f"{name} = {json.dumps(list(values), ensure_ascii=False)}"
    if len(line) <= _LONGEST_LINE:
        return [line]
    return [f"{name} = [", *(f"    {json.dumps(one, ensure_ascii=False)}," for one in values), "]"]


def _notes_of(drafts: Iterable[_Draft]) -> Iterable[str]:
    for draft in drafts:
        if draft.name in _DELIBERATE:
            yield (
                f"{count(len(draft.views), 'test')} of the tier {draft.name} will no longer be "
                f"part of a bare pytest: pytest --tier {draft.name} runs them"
            )
            continue
        reaching = [
            view.nodeid
            for view in draft.views
            if any(Capability(touch.capability) in _COSTLY for touch in view.touches)
        ]
        if reaching:
            yield (
                f"{count(len(reaching), 'test')} of the tier {draft.name} will fail until the "
                f"network has a stand-in, such as {reaching[0]}"
            )
    bad = [view for draft in drafts for view in draft.views if view.outcome in _BAD]
    if bad:
        verb = "fails" if len(bad) == 1 else "fail"
        yield f"{count(len(bad), 'test')} {verb} today already, such as {bad[0].nodeid}"
