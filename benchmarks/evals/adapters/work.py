"""The work that every engine does: N prompts, each answered once and its answer compared."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

MODEL = "m"
EXPECTED = "The answer is 42."
KEY = "sk-benchmark-no-secret"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Where the model is, how many prompts there are, how many may be out at once."""

    url: str
    prompts: int
    concurrency: int

    def texts(self) -> Iterator[str]:
        """Return the prompts, each another one."""
        return (prompt(index) for index in range(self.prompts))


def prompt(index: int) -> str:
    """Return the prompt of that number."""
    return f"Question {index}: what do you get if you multiply six by nine?"


def asked_for() -> Work:
    """Return the work that the command line names: URL PROMPTS CONCURRENCY."""
    url, prompts, concurrency = sys.argv[1:]
    return Work(url=url, prompts=int(prompts), concurrency=int(concurrency))


def report(*, right: int, of: Work) -> None:
    """Fail loudly unless each prompt was answered, and rightly."""
    if right != of.prompts:
        sys.exit(f"{right} of {of.prompts} answers were right")


async def run_all(work: Work, ask: Callable[[str], Awaitable[str]]) -> list[str]:
    """Ask all prompts, as many at once as may be; return the answers."""
    texts = work.texts()
    answers: list[str] = []

    async def worker() -> None:
        for text in texts:
            answer = await ask(text)
            answers.append(answer)

    await asyncio.gather(*(worker() for _ in range(work.concurrency)))
    return answers
