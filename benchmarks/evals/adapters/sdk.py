"""How the engines that leave the call to their user ask: the OpenAI SDK, one shared client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from openai import AsyncOpenAI
from work import KEY, MODEL, Work

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


def asker(work: Work) -> Callable[[str], Awaitable[str]]:
    """Return a function that asks one prompt."""
    client = AsyncOpenAI(base_url=work.url, api_key=KEY, max_retries=0)

    async def ask(text: str) -> str:
        reply = await client.chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": text}]
        )
        return reply.choices[0].message.content or ""

    return ask
