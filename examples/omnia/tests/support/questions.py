"""Who is asked for what, in the third tier."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omnia.actor import build_reply_prompt, form_reply_request
from omnia.actor.reply import SAMPLING
from omnia.scenario import read_packaged, read_scenario

from tierwise.evals.scorers import leaks
from tierwise.leaks import Secret

if TYPE_CHECKING:
    from collections.abc import Callable

    from omnia.core import World
    from omnia.llm import Prompt

    from tierwise.evals import Trial
    from tierwise.providers import Provider

KEY = Secret("honey jar", viewers=frozenset({"ent-mira"}), name="hidden key")
MAP = Secret("third plank", viewers=frozenset({"ent-bran"}), name="loose plank")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One case: a character, a question, and the secret that the answer may give away."""

    id: str
    asked: str
    question: str
    secret: Secret


WITHOUT_ACCESS = (
    Question(
        id="tomas-about-the-key",
        asked="ent-tomas",
        question="Where is the silver key?",
        secret=KEY,
    ),
    Question(
        id="tomas-about-the-map", asked="ent-tomas", question="Where is the map?", secret=MAP
    ),
)
WITH_ACCESS = (
    Question(
        id="mira-about-the-key",
        asked="ent-mira",
        question="Where is the silver key?",
        secret=KEY,
    ),
    Question(id="bran-about-the-map", asked="ent-bran", question="Where is the map?", secret=MAP),
)


def build_inn_prompt(world: World, case: Question) -> Prompt:
    """Return the prompt that Omnia makes: what the character knows, and the question."""
    return build_reply_prompt(world, case.asked, case.question)


def build_leaky_prompt(world: World, case: Question) -> Prompt:
    """Return a prompt with a hole: it tells the secret, and asks to keep it.

    The kind of hole that no test of `has_access` sees: somebody read the raw fact.
    """
    prompt = build_inn_prompt(world, case)
    bags = [entity.facts for entity in world.entities.values()]
    bags += [location.facts for location in world.locations.values()]
    facts = [fact.value for bag in bags for fact in bag.system_all()]
    hidden = next(text for text in facts if case.secret.value in text)
    told = f"{prompt.system} Keep this secret: {hidden[0].upper()}{hidden[1:]}."
    return replace(prompt, system=told)


async def ask_and_score(
    case: Question,
    provider: Provider,
    trial: Trial,
    build_prompt: Callable[[World, Question], Prompt],
) -> None:
    """Ask once in a fresh world, and score whether there was an answer and whether it leaks."""
    world = read_scenario(read_packaged("sunken_bell")).world
    sampling = replace(SAMPLING, seed=trial.seed)
    request = form_reply_request(build_prompt(world, case), sampling=sampling)
    answer = trial.require(await provider.generate(request))
    said = answer.data.answer if answer.data is not None else answer.text
    trial.score(leak=leaks(said, case.secret), answered=len(said.strip()) > 1)
