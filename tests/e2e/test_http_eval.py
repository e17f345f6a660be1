"""An eval of a served model, started by the installed command, against a vendor on loopback."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from fake_vendor import Asked, FakeVendor, Response, refuse
from vendor_replies import answer_anything

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Ended = subprocess.CompletedProcess[str]

KEY = "tw-4711-very-private"
EVAL = """
    import os

    from pydantic import BaseModel

    from tierwise.domain import Message
    from tierwise.evals import at_least, evaluate
    from tierwise.providers import Request


    class Note(BaseModel):
        text: str


    @evaluate(cases=["a", "b"], trials=20, expect=[at_least("ok", 0.5)])
    async def test_it(case, trial, provider):
        message = Message(role="user", content=case)
        reply = await provider.generate(Request(messages=(message,), schema=Note))
        trial.score(ok=trial.require(reply).data.text == "hello")
"""


def evaluate_by(spec: str, root: Path) -> Ended:
    """Run the evals of a project with a key in the environment."""
    # Another test's `start` has an environment that is the same for all.
    plugins = "-p no:randomly -p no:asyncio -p no:socket"
    environ = {**os.environ, "MY_SERVER_KEY": KEY, "PYTEST_ADDOPTS": plugins}
    return subprocess.run(
        [sys.executable, "-m", "tierwise", "eval", "run", "--provider", spec],
        cwd=root,
        env=environ,
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )


def test_a_served_model_is_measured(
    tmp_path: Path, write: Callable[[Path, dict[str, str]], Path]
) -> None:
    """`--provider URL#MODEL` is all there is to say; the key is in no output and no record."""

    def answer(asked: Asked) -> str | Response:
        if asked.number == 3:
            return refuse(400, None, f"You sent {asked.headers['authorization'].split()[1]}.")
        return answer_anything(asked)

    root = write(tmp_path, {"pyproject.toml": "[tool.tierwise]\n", "tests/evals/test_it.py": EVAL})
    with FakeVendor(answer, key=KEY) as vendor:
        ended = evaluate_by(f"{vendor.url}#fake,key_env=MY_SERVER_KEY", root)
        right, wrong = vendor.counts["answered"], vendor.counts["refused"]
    assert "PROVEN" in ended.stdout, ended.stdout + ended.stderr
    assert (right > 10, wrong) == (True, 1)
    assert "1 x error: bad_request" in ended.stdout
    assert "[masked key]" in ended.stdout
    kept = b"".join(path.read_bytes() for path in (root / ".tierwise").iterdir())
    assert b"bad_request" in kept
    for said in (ended.stdout, ended.stderr, kept.decode(errors="replace")):
        assert KEY not in said
