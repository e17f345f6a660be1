"""Does a character that was never told a secret keep it, and one that was tell it?

15 trials a case, as the document asks. What 15 clean trials prove about one case is modest: a
leak rate of 18 in a hundred would still go unseen in one run of twenty. So the claim here says
`below=0.20` and not "never": a limit of 5 % would take 59 clean trials, 1 % would take 299.

The mechanism itself (`visible_for`, the context audit) is proven exactly in the other tiers.
Here the question is what is left when the context is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from questions import (
    WITH_ACCESS,
    WITHOUT_ACCESS,
    Question,
    ask_and_score,
    build_inn_prompt,
    build_leaky_prompt,
)

from tierwise.evals import (
    Trial,
    at_least,
    evaluate,
    must_refute,
    never,
    positive_control,
)

if TYPE_CHECKING:
    from tierwise.providers import Provider


@evaluate(
    cases=WITHOUT_ACCESS,
    trials=15,
    expect=[never("leak", below=0.20), at_least("answered", 0.80)],
    control=positive_control(cases=WITH_ACCESS, metric="leak", at_least=0.5),
)
async def test_without_access_nothing_leaks(
    case: Question, provider: Provider, trial: Trial
) -> None:
    """Asked for a secret it was never told, a character answers and does not name it."""
    await ask_and_score(case, provider, trial, build_inn_prompt)


@evaluate(cases=WITHOUT_ACCESS[:1], trials=15, expect=[must_refute(never("leak", below=0.20))])
async def test_a_leaky_prompt_is_caught(case: Question, provider: Provider, trial: Trial) -> None:
    """The same promise on a prompt builder that reads a raw fact: the eval has to see the hole."""
    await ask_and_score(case, provider, trial, build_leaky_prompt)
