"""How fast the local model answers: tokens and calls a second, by slots and threads.

    python benchmarks/local_provider.py [--calls 24] [--busy]

`--busy` keeps one core occupied meanwhile, as other tests on a small machine do.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import time

from pydantic import BaseModel

from tierwise.domain import Message
from tierwise.providers import LocalProvider, Request

_PROMPT = "You are Mira, a guard in a small village. You answer in one sentence. "


class Reply(BaseModel):
    """The one-field schema of an eval of words."""

    reply: str


def form_request(seed: int) -> Request[Reply]:
    """Return a request with a prompt of about 90 tokens and a short reply."""
    return Request(
        messages=(
            Message(role="system", content=_PROMPT * 4),
            Message(role="user", content="What lies in the chest in the tavern?"),
        ),
        schema=Reply,
        temperature=0.8,
        max_tokens=48,
        seed=seed,
    )


async def measure(*, slots: int, threads: int | None, reuse: bool, calls: int) -> str:
    """Run the calls with as many under way as there are slots; return a line of the table."""
    async with LocalProvider(slots=slots, threads=threads, reuse_prompts=reuse) as provider:
        began = time.perf_counter()
        await provider.generate(form_request(10_000))
        first_s = time.perf_counter() - began
        began = time.perf_counter()
        replies = await asyncio.gather(*(provider.generate(form_request(n)) for n in range(calls)))
        elapsed_s = time.perf_counter() - began
    n_tokens = sum(reply.usage.output_tokens for reply in replies)
    return (
        f"{slots:5}  {threads or 'auto':>7}  {'yes' if reuse else 'no':>5}  {first_s:7.2f}  "
        f"{calls / elapsed_s:7.2f}  {n_tokens / elapsed_s:8.1f}"
    )


def spin() -> None:
    """Keep one core busy until killed."""
    while True:
        pass


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=24)
    parser.add_argument("--busy", action="store_true")
    options = parser.parse_args()
    hog = multiprocessing.Process(target=spin, daemon=True)
    if options.busy:
        hog.start()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, busy: {options.busy}")
    print("slots  threads  reuse  first_s  calls/s  tokens/s")
    for slots in (1, 2, 4):
        for threads in (1, 2):
            for reuse in (False, True):
                print(
                    asyncio.run(
                        measure(slots=slots, threads=threads, reuse=reuse, calls=options.calls)
                    ),
                    flush=True,
                )
    if options.busy:
        hog.kill()


if __name__ == "__main__":
    main()
