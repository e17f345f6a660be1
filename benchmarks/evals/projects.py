"""The projects that engines with a command of their own are run on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from adapters.work import EXPECTED, KEY, MODEL, Work

if TYPE_CHECKING:
    from pathlib import Path

_TIERWISE = """
[tool.tierwise.tiers.evals]
question = "How fast is it?"
level = "acceptance"
paths = ["tests/evals"]
allow = ["tmp", "loopback", "network", "model", "sleep"]
deliberate = true
"""
_TIERWISE_EVAL = """
from tierwise.domain import Message
from tierwise.evals import at_least, evaluate
from tierwise.providers import Request

QUESTION = "what do you get if you multiply six by nine?"
CASES = [
    {{"id": f"case-{{index}}", "text": f"Question {{index}}: {{QUESTION}}"}}
    for index in range({prompts})
]


@evaluate(cases=CASES, trials=1, expect=[at_least("right", 0.9)], stop="fixed")
async def test_answer(case, provider, trial):
    request = Request(messages=(Message(role="user", content=case["text"]),))
    reply = trial.require(await provider.generate(request))
    trial.score(right=reply.text == {expected!r})
"""


def write_tierwise(folder: Path, work: Work) -> None:
    """Write a project with one eval that has a case for each prompt."""
    (folder / "pyproject.toml").write_text(_TIERWISE, encoding="utf-8")
    file = folder / "tests" / "evals" / "test_speed.py"
    file.parent.mkdir(parents=True)
    text = _TIERWISE_EVAL.format(prompts=work.prompts, expected=EXPECTED)
    file.write_text(text, encoding="utf-8")


def write_promptfoo(folder: Path, work: Work) -> None:
    """Write a configuration with one `equals` test for each prompt."""
    provider = {"id": f"openai:chat:{MODEL}", "config": {"apiBaseUrl": work.url, "apiKey": KEY}}
    expected = [{"type": "equals", "value": EXPECTED}]
    configuration = {
        "prompts": ["{{text}}"],
        "providers": [provider],
        "tests": [{"vars": {"text": text}, "assert": expected} for text in work.texts()],
    }
    (folder / "promptfooconfig.json").write_text(json.dumps(configuration), encoding="utf-8")
