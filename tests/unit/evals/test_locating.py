"""An error's place is the innermost line of the user's own code."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from tierwise.evals.locating import locate

ROOT = PurePosixPath("/home/me/game")


def _raised(*files: str, module: str = "game") -> BaseException:
    """Raise through functions of these files, the outermost first; each raises in line 2."""
    call: Any = None
    for file in reversed(files):
        names: dict[str, Any] = {"__name__": module, "inner": call}
        body = "inner()" if call else "1 / 0"
        exec(compile(f"def call():\n    {body}\n", file, "exec"), names)  # noqa: S102
        call = names["call"]
    try:
        call()
    except ZeroDivisionError as error:
        return error
    raise AssertionError("nothing was raised")


def test_the_innermost_own_line_is_named() -> None:
    """A library below it does not count, wherever it is installed."""
    error = _raised(
        "/usr/lib/python3/asyncio/tasks.py",
        "/home/me/game/tests/evals/test_x.py",
        "/home/me/game/game/npc.py",
        "/home/me/game/.venv/lib/site-packages/openai/client.py",
        "/usr/lib/python3/json/decoder.py",
    )
    assert locate(error, ROOT) == "game/npc.py:2"


def test_without_a_line_of_ones_own_there_is_no_place() -> None:
    """Nor without a root, nor in tierwise itself."""
    assert locate(_raised("/usr/lib/python3/json/decoder.py"), ROOT) == ""
    assert locate(_raised("/home/me/game/npc.py"), None) == ""
    assert locate(_raised("/home/me/game/trial.py", module="tierwise.evals"), ROOT) == ""
