"""pydantic-evals: a data set of cases, EqualsExpected, the OpenAI SDK in the task."""

from __future__ import annotations

import asyncio

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected
from sdk import asker
from work import EXPECTED, Work, asked_for, report


async def main(work: Work) -> None:
    """Evaluate all cases."""
    cases = [
        Case(name=f"case {index}", inputs=text, expected_output=EXPECTED)
        for index, text in enumerate(work.texts())
    ]
    dataset = Dataset(name="benchmark", cases=cases, evaluators=[EqualsExpected()])
    result = await dataset.evaluate(
        asker(work), max_concurrency=work.concurrency, progress=False, task_name="ask"
    )
    right = sum(each.value is True for case in result.cases for each in case.assertions.values())
    report(right=right, of=work)


if __name__ == "__main__":
    asyncio.run(main(asked_for()))
