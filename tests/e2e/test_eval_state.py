"""What the engine of evals keeps open while it works is nothing that a test has left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.records import RunStore

if TYPE_CHECKING:
    from pathlib import Path

EVAL = """\
import asyncio

from tierwise.domain import Message
from tierwise.evals import at_least, evaluate
from tierwise.providers import Request


@evaluate(cases=["hello"], trials=20, expect=[at_least("answered", 0.5)])
async def test_the_doorman_answers(case, provider, trial):
    await asyncio.to_thread(int, "1")
    reply = await provider.generate(Request(messages=(Message(role="user", content=case),)))
    trial.score(answered=bool(reply.text))
"""


def test_the_engine_of_evals_leaves_nothing_behind(tmp_path: Path, start: Any) -> None:
    """Its loop, sockets and threads are told of no eval, as its first one would be blamed."""
    (tmp_path / "pyproject.toml").write_text("[tool.tierwise]\n", encoding="utf-8")
    path = tmp_path / "tests" / "evals" / "test_door.py"
    path.parent.mkdir(parents=True)
    path.write_text(EVAL, encoding="utf-8")
    done = start(tmp_path, "tierwise", "eval", "run", "--provider", "simulated:rate=0")
    assert done.returncode == 0, done.stderr
    store = RunStore.open_existing(tmp_path / ".tierwise" / "records.db")
    assert store is not None
    with store:
        assert store.report.left_behind() == ()
