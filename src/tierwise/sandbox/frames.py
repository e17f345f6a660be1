"""The stack of a touch: as steps to judge by, and as lines to show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tierwise.sandbox.world import is_first_party

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import FrameType

    from tierwise.sandbox.world import World

DEEPEST_SHOWN = 12
_BOOTSTRAP = frozenset({"_bootstrap", "_bootstrap_inner", "run"})
_OURS = (__file__.removesuffix("frames.py"),)
_HARNESS_SHOWN_NEVER = frozenset({"_pytest", "pluggy"})
_MOST_STEPS = 400


class Step(NamedTuple):
    """One frame, reduced to what rules and readers need."""

    path: str
    line: int
    function: str


def steps_from(frame: FrameType | None) -> list[Step]:
    """Return the frames from the innermost outwards."""
    steps: list[Step] = []
    while frame is not None and frame.f_code.co_filename.startswith(_OURS):
        frame = frame.f_back  # a stand-in of ours that called the original: nobody's code
    while frame is not None and len(steps) < _MOST_STEPS:
        code = frame.f_code
        steps.append(Step(code.co_filename, frame.f_lineno, code.co_name))
        frame = frame.f_back
    return steps


def render_stack(steps: Sequence[Step], world: World) -> tuple[str, ...]:
    """Return the innermost twelve frames, outermost of them first, without the harness's.

    What the standard library does for the project's innermost frame is left out too. Where a
    package goes deeper than twelve, the project's own nearest frame stands first.
    """
    own = _without_inner_stdlib([step for step in steps if not _is_harness(step, world)], world)
    shown = (own or list(steps[:1]))[:DEEPEST_SHOWN]
    if not any(_is_ours(step, world) for step in shown):
        shown[DEEPEST_SHOWN - 1 :] = [step for step in own if _is_ours(step, world)][:1]
    return tuple(_line(step, world) for step in reversed(shown))


def _without_inner_stdlib(steps: list[Step], world: World) -> list[Step]:
    ours = next((at for at, step in enumerate(steps) if _is_ours(step, world)), 0)
    inner = [step for step in steps[:ours] if name_in(step.path, world.stdlib) is None]
    return inner + steps[ours:]


def _is_ours(step: Step, world: World) -> bool:
    return is_first_party(step.path, world.project_root)


def name_in(path: str, folders: Iterable[str]) -> str | None:
    """Return the path relative to the first of the folders that holds it."""
    for folder in folders:
        if path.startswith(folder):
            name = path[len(folder) :]
            return None if name.startswith(("site-packages", "dist-packages")) else name
    return None


def _is_harness(step: Step, world: World) -> bool:
    if step.path.startswith("<frozen") or step.path.startswith(_OURS):
        return True
    for folder, package in world.harness:
        if package in _HARNESS_SHOWN_NEVER and step.path.startswith(folder):
            return True
    name = name_in(step.path, world.stdlib)
    return name in {"threading.py", "concurrent/futures/thread.py"} and (
        step.function in _BOOTSTRAP or step.function == "_worker"
    )


def _line(step: Step, world: World) -> str:
    path = step.path.removeprefix(world.project_root) if _is_ours(step, world) else step.path
    return f"{path}:{step.line} in {step.function}"
