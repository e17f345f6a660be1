"""aiohttp alone: one session, no engine around it."""

from __future__ import annotations

import asyncio

import aiohttp
from work import EXPECTED, MODEL, Work, asked_for, report, run_all


async def main(work: Work) -> None:
    """Ask all prompts through one session."""
    connector = aiohttp.TCPConnector(limit=work.concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def ask(text: str) -> str:
            body = {"model": MODEL, "messages": [{"role": "user", "content": text}]}
            async with session.post(f"{work.url}/chat/completions", json=body) as reply:
                content: str = (await reply.json())["choices"][0]["message"]["content"]
                return content

        answers = await run_all(work, ask)
    report(right=answers.count(EXPECTED), of=work)


if __name__ == "__main__":
    asyncio.run(main(asked_for()))
