"""deepeval: the app is asked through the OpenAI SDK, its answers evaluated by ExactMatchMetric.

write_cache is off: on, each case rewrites a growing file, and the run is quadratic.
"""

from __future__ import annotations

import asyncio

from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import ExactMatchMetric
from deepeval.test_case import LLMTestCase
from sdk import asker
from work import EXPECTED, Work, asked_for, report, run_all


async def answered(work: Work) -> list[LLMTestCase]:
    """Ask all prompts; return a test case for each answer."""
    ask = asker(work)

    async def ask_for_case(text: str) -> str:
        cases.append(
            LLMTestCase(input=text, actual_output=await ask(text), expected_output=EXPECTED)
        )
        return ""

    cases: list[LLMTestCase] = []
    await run_all(work, ask_for_case)
    return cases


def main(work: Work) -> None:
    """Answer, then evaluate."""
    result = evaluate(
        test_cases=asyncio.run(answered(work)),
        metrics=[ExactMatchMetric()],
        async_config=AsyncConfig(max_concurrent=work.concurrency),
        cache_config=CacheConfig(write_cache=False),
        display_config=DisplayConfig(
            show_indicator=False, print_results=False, inspect_after_run=False
        ),
    )
    report(right=sum(bool(each.success) for each in result.test_results), of=work)


if __name__ == "__main__":
    main(asked_for())
