"""pytest-evals: one parametrised test for each prompt, one after another by design."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest
from work import asked_for

_TEST = """
import os
import pytest
from openai import OpenAI
from work import EXPECTED, KEY, MODEL, asked_for

WORK = asked_for()
CLIENT = OpenAI(base_url=WORK.url, api_key=KEY, max_retries=0)

@pytest.mark.eval(name="benchmark")
@pytest.mark.parametrize("text", list(WORK.texts()))
def test_answer(text, eval_bag):
    reply = CLIENT.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": text}]
    )
    eval_bag.answer = reply.choices[0].message.content
    assert eval_bag.answer == EXPECTED
"""


def main() -> None:
    """Write the test file and run it."""
    asked_for()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "test_benchmark.py"
        file.write_text(_TEST, encoding="utf-8")
        os.chdir(folder)
        code = pytest.main(["-q", "--run-eval", "-p", "no:cacheprovider", str(file)])
    sys.exit(int(code))


if __name__ == "__main__":
    main()
