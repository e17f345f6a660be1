"""ragas: an experiment over a data set, ExactMatch, the OpenAI SDK that it pins in the row.

An experiment starts all rows at once; a semaphore keeps the asked-for number in flight.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ragas import Dataset, experiment
from ragas.backends.inmemory import InMemoryBackend
from ragas.metrics.collections import ExactMatch
from sdk import asker
from work import EXPECTED, Work, asked_for, report


async def main(work: Work) -> None:
    """Run the experiment."""
    ask, metric = asker(work), ExactMatch()
    free = asyncio.Semaphore(work.concurrency)

    @experiment()
    async def row(row: dict[str, Any]) -> dict[str, Any]:
        async with free:
            response = await ask(row["prompt"])
        score = await metric.ascore(reference=row["reference"], response=response)
        return {**row, "response": response, "score": score.value}

    rows = [{"prompt": text, "reference": EXPECTED} for text in work.texts()]
    dataset = Dataset(name="benchmark", backend=InMemoryBackend(), data=rows)
    result = await row.arun(dataset, backend=InMemoryBackend())
    report(right=sum(each["score"] == 1.0 for each in result), of=work)


if __name__ == "__main__":
    asyncio.run(main(asked_for()))
