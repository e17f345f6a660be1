"""The OpenAI SDK alone: one shared client, no engine around it."""

from __future__ import annotations

import asyncio

from sdk import asker
from work import EXPECTED, Work, asked_for, report, run_all


async def main(work: Work) -> None:
    """Ask all prompts through one client."""
    answers = await run_all(work, asker(work))
    report(right=answers.count(EXPECTED), of=work)


if __name__ == "__main__":
    asyncio.run(main(asked_for()))
