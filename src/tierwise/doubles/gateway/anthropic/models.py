"""The models that Gemini is known to have, and what each of them takes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.vendor import Account


class Thinking(StrEnum):
    """How a model's thinking is set."""

    ANY = "any"
    """Nothing is known, so nothing is refused."""
    NONE = "none"
    BUDGET = "budget"
    LEVEL = "level"


_GENERATES = frozenset({"generateContent", "streamGenerateContent", "countTokens"})
_EMBEDS = frozenset({"embedContent", "batchEmbedContents", "countTokens"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What is known of one model."""

    name: str
    methods: frozenset[str] = _GENERATES
    thinking: Thinking = Thinking.NONE
    budget: range = range(0)
    """The budgets that a model takes, beside -1, and 0 where it can do without thinking."""
    may_rest: bool = True
    """May its thinking be switched off?"""
    signs_calls: bool = False
    """Does it want the signature of each function call back?"""
    dimensions: int = 0
    input_limit: int = 1_048_576
    output_limit: int = 65_536


def _budgeted(name: str, lowest: int, highest: int, *, may_rest: bool = True) -> ModelFacts:
    return ModelFacts(
        name=name,
        thinking=Thinking.BUDGET,
        budget=range(lowest, highest + 1),
        may_rest=may_rest,
    )


def _levelled(name: str) -> ModelFacts:
    return ModelFacts(name=name, thinking=Thinking.LEVEL, may_rest=False, signs_calls=True)


def _embedding(name: str, dimensions: int) -> ModelFacts:
    return ModelFacts(
        name=name, methods=_EMBEDS, dimensions=dimensions, input_limit=2048, output_limit=1
    )


KNOWN: Mapping[str, ModelFacts] = {
    facts.name: facts
    for facts in (
        _budgeted("gemini-2.5-pro", 128, 32_768, may_rest=False),
        _budgeted("gemini-2.5-flash", 1, 24_576),
        _budgeted("gemini-2.5-flash-lite", 512, 24_576),
        ModelFacts(name="gemini-2.5-flash-image", input_limit=32_768, output_limit=32_768),
        ModelFacts(name="gemini-2.0-flash", output_limit=8192),
        ModelFacts(name="gemini-2.0-flash-lite", output_limit=8192),
        _levelled("gemini-3-pro-preview"),
        _levelled("gemini-3-flash-preview"),
        _levelled("gemini-3.1-pro-preview"),
        _levelled("gemini-3.1-flash-lite"),
        _levelled("gemini-3.5-flash"),
        _levelled("gemini-3.5-flash-lite"),
        _levelled("gemini-3.6-flash"),
        _levelled("gemini-3.7-flash"),
        _levelled("gemini-3.8-flash"),
        _levelled("gemini-pro-latest"),
        _levelled("gemini-flash-latest"),
        _levelled("gemini-flash-lite-latest"),
        ModelFacts(name="gemma-3-27b-it", input_limit=131_072, output_limit=8192),
        _embedding("gemini-embedding-001", 3072),
        _embedding("gemini-embedding-2", 3072),
        _embedding("text-embedding-004", 768),
    )
}


_BESIDE = frozenset(
    {
        *("gemini-2.5-flash-preview-tts", "gemini-2.5-pro-preview-tts"),
        *("gemini-2.5-flash-image-preview", "gemini-3-pro-image-preview"),
    }
)
"""Models that are served, of which nothing is known that could be refused."""
_SNAPSHOT = re.compile(r"-(?:\d{3}|preview-\d{2}-\d{2}|preview-\d{2}-\d{4})$")


def find_model(name: str, account: Account) -> ModelFacts | None:
    """Return what is known of a model, a snapshot of it included, or None where there is no such model.

    A model of the account's own does whatever is asked of it.
    """
    if name in KNOWN:
        return KNOWN[name]
    plain = KNOWN.get(_SNAPSHOT.sub("", name))
    if plain is not None:
        return replace(plain, name=name)
    if name in _BESIDE:
        return _made_up(name)
    if account.any_model or any(_matches(name, one) for one in account.models):
        return _made_up(name)
    return None


def find_tuned(name: str) -> ModelFacts:
    """Return what is known of a model that an account has tuned: that it is there."""
    return _made_up(name)


def all_models(account: Account) -> tuple[ModelFacts, ...]:
    """Return every model that has a name, those of the account last."""
    own = sorted(one for one in account.models if not one.endswith("*") and one not in KNOWN)
    return (*KNOWN.values(), *map(_made_up, own))


def _made_up(name: str) -> ModelFacts:
    return ModelFacts(
        name=name, methods=_GENERATES | _EMBEDS, thinking=Thinking.ANY, dimensions=3072
    )


def _matches(name: str, wanted: str) -> bool:
    wanted = wanted.removeprefix("models/")
    return name.startswith(wanted[:-1]) if wanted.endswith("*") else name == wanted


def describe_model(facts: ModelFacts) -> dict[str, Any]:
    """Return a model as the list of models shows it."""
    description: dict[str, Any] = {
        "name": f"models/{facts.name}",
        "version": "001",
        "displayName": facts.name.replace("-", " ").title(),
        "description": f"A stand-in for {facts.name}.",
        "inputTokenLimit": facts.input_limit,
        "outputTokenLimit": facts.output_limit,
        "supportedGenerationMethods": sorted(facts.methods - {"streamGenerateContent"}),
    }
    if "generateContent" in facts.methods:
        description |= {"temperature": 1, "topP": 0.95, "topK": 64, "maxTemperature": 2}
    if facts.thinking in {Thinking.BUDGET, Thinking.LEVEL}:
        description["thinking"] = True
    return description
