"""Places within plain data, written as Pact writes them: `$.items[*].name`, `$['a b']`."""

from __future__ import annotations

import re

from tierwise.errors import MisuseError

Path = tuple[str, ...]
"""Keys and indices from the outside in; `*` stands for each."""

_STEP = re.compile(r"\.(\*|[A-Za-z_][\w-]*)|\[(\*|\d+)\]|\['([^']*)'\]|\[\"([^\"]*)\"\]")
_PLAIN = re.compile(r"[A-Za-z_][\w-]*")


def parse_path(text: str) -> Path:
    """Return the steps of a path; MisuseError says where it is not understood."""
    if not text.startswith("$"):
        raise MisuseError(f"The path {text!r} does not begin with $, as in $.items[*].name.")
    steps, at = [], 1
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None:
            raise MisuseError(
                f"The path {text!r} is not understood from {text[at:]!r} on. "
                "Write $.name, $['any name'], $[0] or $[*]."
            )
        steps.append(next(group for group in found.groups() if group is not None))
        at = found.end()
    return tuple(steps)


def render_path(path: Path) -> str:
    """Return a path as text."""
    parts = [
        f"[{step}]" if step.isdigit() else f".{step}" if _PLAIN.fullmatch(step) else f"[{step!r}]"
        for step in path
    ]
    return "".join(["$", *parts])


def covers(rule: Path, path: Path) -> bool:
    """Tell whether a path lies at or below the place of a rule."""
    return len(rule) <= len(path) and all(
        step in ("*", given) for step, given in zip(rule, path, strict=False)
    )
