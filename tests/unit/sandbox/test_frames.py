# ruff: noqa: S108 - paths of a made-up machine, never opened
from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tierwise.sandbox import sandbox
from tierwise.sandbox.frames import Step, render_stack, steps_from

if TYPE_CHECKING:
    from tierwise.sandbox.world import World

PROJECT = "/tmp/pt/project"
LIB = "/py/lib/python3"
SITE = f"{LIB}/site-packages"


def test_steps_go_from_the_innermost_outwards() -> None:
    """The first step is the frame itself, the next its caller."""

    def inner() -> list[Step]:
        return steps_from(sys._getframe())

    first, second = inner()[:2]
    assert (first.path, first.function) == (__file__, "inner")
    assert second.function == "test_steps_go_from_the_innermost_outwards"


def test_lines_stand_outermost_first_and_relative_to_the_project(world: World) -> None:
    """A reader sees how the test came to the touch, in short paths."""
    steps = [Step(f"{PROJECT}/src/a.py", 7, "save"), Step(f"{PROJECT}/tests/t.py", 3, "test_a")]
    assert render_stack(steps, world) == ("tests/t.py:3 in test_a", "src/a.py:7 in save")


def test_the_harness_is_left_out(world: World) -> None:
    """Frames of pytest, pluggy, this package, imports and the start of threads are no news."""
    steps = [
        Step(sandbox.__file__, 1, "enter"),
        Step(f"{PROJECT}/src/a.py", 7, "save"),
        Step(f"{LIB}/threading.py", 9, "run"),
        Step(f"{LIB}/threading.py", 9, "_bootstrap_inner"),
        Step(f"{LIB}/concurrent/futures/thread.py", 9, "_worker"),
        Step("<frozen importlib._bootstrap>", 9, "_load"),
        Step(f"{SITE}/_pytest/python.py", 9, "pytest_pyfunc_call"),
        Step(f"{SITE}/pluggy/_callers.py", 9, "_multicall"),
    ]
    assert render_stack(steps, world) == ("src/a.py:7 in save",)


def test_the_standard_library_below_the_project_is_left_out(world: World) -> None:
    """How subprocess does its work is no news; what a package or a callback does is."""
    steps = [
        Step(f"{LIB}/subprocess.py", 9, "_execute_child"),
        Step(f"{SITE}/lib/a.py", 3, "run"),
        Step(f"{LIB}/subprocess.py", 8, "run"),
        Step(f"{PROJECT}/src/a.py", 7, "save"),
        Step(f"{LIB}/functools.py", 6, "wrapper"),
        Step(f"{PROJECT}/tests/t.py", 3, "test_a"),
    ]
    assert render_stack(steps, world) == (
        "tests/t.py:3 in test_a",
        f"{LIB}/functools.py:6 in wrapper",
        "src/a.py:7 in save",
        f"{SITE}/lib/a.py:3 in run",
    )


def test_the_standard_library_shows_where_no_project_is(world: World) -> None:
    """A touch of a package's own thread has no better place to show."""
    steps = [Step(f"{LIB}/subprocess.py", 9, "run"), Step(f"{SITE}/lib/a.py", 3, "run")]
    assert len(render_stack(steps, world)) == 2


def test_a_touch_of_the_harness_alone_still_shows_a_line(world: World) -> None:
    """Something is shown even when nothing of the user's is on the stack."""
    steps = [Step(f"{SITE}/_pytest/python.py", 9, "call")]
    assert render_stack(steps, world) == (f"{SITE}/_pytest/python.py:9 in call",)


def test_twelve_innermost_frames_are_shown(world: World) -> None:
    """A deep recursion does not bury the message."""
    steps = [Step(f"{PROJECT}/src/a.py", line, "f") for line in range(50)]
    shown = render_stack(steps, world)
    assert (len(shown), shown[0], shown[-1]) == (12, "src/a.py:11 in f", "src/a.py:0 in f")


def test_the_project_shows_where_a_library_goes_deep(world: World) -> None:
    """The nearest frame of the project stands first when a library alone would fill the stack."""
    deep = [Step(f"{SITE}/lib/a.py", line, "f") for line in range(50)]
    venv = Step(f"{PROJECT}/.venv/lib/site-packages/b.py", 1, "g")
    shown = render_stack([*deep, venv, Step(f"{PROJECT}/src/a.py", 7, "save")], world)
    assert (len(shown), shown[0]) == (12, "src/a.py:7 in save")
