"""Rules about how to generate: ranges, MIME types, thinking, safety, cached contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.gemini.breaking import Broken
from tierwise.doubles.gateway.gemini.models import Thinking
from tierwise.doubles.gateway.gemini.schema_rules import check_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tierwise.doubles.gateway.gemini.breaking import Given
    from tierwise.doubles.gateway.gemini.models import ModelFacts

_RANGES: tuple[tuple[str, str, Callable[[float], bool], str], ...] = (
    ("temperature", "temperature", lambda it: 0 <= it <= 2, "must be in the range [0.0, 2.0]."),  # noqa: PLR2004  documented
    ("topP", "top_p", lambda it: 0 <= it <= 1, "must be in the range [0.0, 1.0]."),
    ("topK", "top_k", lambda it: it > 0, "must be positive."),
    ("candidateCount", "candidate_count", lambda it: 1 <= it <= 8, "must be in the range [1, 8]."),  # noqa: PLR2004  documented
    ("maxOutputTokens", "max_output_tokens", lambda it: it > 0, "must be positive."),
    ("presencePenalty", "penalty", lambda it: -2 <= it < 2, "must be in the range [-2.0, 2.0)."),  # noqa: PLR2004  documented
    ("frequencyPenalty", "penalty", lambda it: -2 <= it < 2, "must be in the range [-2.0, 2.0)."),  # noqa: PLR2004  documented
    ("logprobs", "logprobs", lambda it: 0 <= it <= 20, "must be in the range [0, 20]."),  # noqa: PLR2004  documented
)
_SNAKE = {"presencePenalty": "presence_penalty", "frequencyPenalty": "frequency_penalty"}
_MIME_TYPES = (
    "text/plain",
    "application/json",
    "application/xml",
    "application/yaml",
    "text/x.enum",
)
_SHAPED = frozenset({"application/json", "text/x.enum"})
_MOST_STOPS = 5
_CATEGORIES = tuple(
    f"HARM_CATEGORY_{name}"
    for name in (
        "HATE_SPEECH",
        "SEXUALLY_EXPLICIT",
        "DANGEROUS_CONTENT",
        "HARASSMENT",
        "CIVIC_INTEGRITY",
    )
)


def check_settings(given: Given) -> Iterator[Broken]:
    """Yield what is wrong with the settings, each by itself."""
    settings = given.body.get("generationConfig") or {}
    at = f"{given.request}.generation_config"
    yield from _check_ranges(settings, at, given.model)
    yield from _check_stops(settings, at)
    yield from _check_format(settings, at)
    yield from _check_thinking(settings.get("thinkingConfig") or {}, given.model)
    yield from _check_safety(given)
    yield from _check_cached(given)


def _check_ranges(settings: Mapping[str, Any], at: str, model: ModelFacts) -> Iterator[Broken]:
    for name, rule, holds, says in _RANGES:
        if name in settings and not holds(settings[name]):
            snake = _SNAKE.get(name, rule)
            yield Broken(rule, f"{snake} {says}", f"{at}.{snake}")
    most = settings.get("maxOutputTokens", 0)
    if most > model.output_limit:
        yield Broken(
            "max_output_tokens",
            f"max_output_tokens must be in the range [1, {model.output_limit}].",
            f"{at}.max_output_tokens",
        )
    if "logprobs" in settings and not settings.get("responseLogprobs"):
        yield Broken("logprobs", "requires response_logprobs.", f"{at}.logprobs")


def _check_stops(settings: Mapping[str, Any], at: str) -> Iterator[Broken]:
    stops = settings.get("stopSequences") or []
    if len(stops) > _MOST_STOPS:
        says = f"at most {_MOST_STOPS} stop sequences are allowed."
        yield Broken("stop_sequences", says, f"{at}.stop_sequences")
    for index, stop in enumerate(stops):
        if not stop:
            yield Broken("stop_sequences", "must not be empty.", f"{at}.stop_sequences[{index}]")


_SCHEMAS = ("responseSchema", "responseJsonSchema", "_responseJsonSchema")


def _check_format(settings: Mapping[str, Any], at: str) -> Iterator[Broken]:
    kind = settings.get("responseMimeType") or "text/plain"
    if kind not in _MIME_TYPES:
        listed = ", ".join(f"`{one}`" for one in _MIME_TYPES[:-1])
        says = f"allowed mimetypes are {listed} and `{_MIME_TYPES[-1]}`."
        yield Broken("mime_type", says, f"{at}.response_mime_type")
        return
    given = [one for one in _SCHEMAS if one in settings]
    if len(given) > 1:
        says = "only one of response_schema and response_json_schema can be set."
        yield Broken("two_schemas", says, f"{at}.response_json_schema")
    if given and kind not in _SHAPED:
        says = f"a schema is not supported with the MIME type `{kind}`."
        yield Broken("schema_mime_type", says, f"{at}.response_mime_type")
    if "responseSchema" in settings:
        yield from check_schema(settings["responseSchema"], f"{at}.response_schema")


def _check_thinking(config: Mapping[str, Any], model: ModelFacts) -> Iterator[Broken]:
    budget, level = config.get("thinkingBudget"), config.get("thinkingLevel")
    if budget is not None and level is not None:
        yield Broken(
            "thinking_both", "You can only set only one of thinking budget and thinking level."
        )
        return
    if model.thinking is Thinking.ANY:
        return
    if model.thinking is Thinking.NONE and (budget or level or config.get("includeThoughts")):
        yield Broken("thinking_unsupported", "Thinking is not enabled for this model.")
    elif model.thinking is Thinking.BUDGET and level is not None:
        yield Broken("thinking_unsupported", "Thinking level is not supported for this model.")
    elif budget is not None:
        yield from _check_budget(budget, model)
    if budget == 0 and config.get("includeThoughts"):
        says = "Unable to include thoughts: include_thoughts is only enabled with thinking."
        yield Broken("thoughts_without_thinking", says)


def _check_budget(budget: int, model: ModelFacts) -> Iterator[Broken]:
    if budget == 0 and not model.may_rest:
        yield Broken(
            "thinking_budget", "Budget 0 is invalid. This model only works in thinking mode."
        )
    elif budget not in {-1, 0} and model.budget and budget not in model.budget:
        lowest, highest = model.budget[0], model.budget[-1]
        yield Broken(
            "thinking_budget",
            f"The thinking budget {budget} is invalid. Please choose a value between {lowest} "
            f"and {highest}.",
        )


def _check_safety(given: Given) -> Iterator[Broken]:
    seen: set[str] = set()
    for index, setting in enumerate(given.body.get("safetySettings") or []):
        category = setting.get("category", "HARM_CATEGORY_UNSPECIFIED")
        at = f"{given.request}.safety_settings[{index}]"
        if category not in _CATEGORIES:
            known = ", ".join(f"HarmCategory.{one}" for one in _CATEGORIES)
            says = f"element predicate failed: $.category in ({known})"
            yield Broken("safety_category", says, at)
        elif category in seen:
            says = f"only one safety setting for the category {category} is allowed."
            yield Broken("safety_twice", says, at)
        seen.add(category)


def _check_cached(given: Given) -> Iterator[Broken]:
    name = given.body.get("cachedContent")
    if not name:
        return
    if not name.startswith("cachedContents/") or name == "cachedContents/":
        yield Broken(
            "cached_name",
            "Invalid CachedContent name: expected cachedContents/{id}.",
            f"{given.request}.cached_content",
        )
    if any(given.body.get(one) for one in ("systemInstruction", "tools", "toolConfig")):
        yield Broken(
            "cached_and_own",
            "CachedContent can not be used with GenerateContent request setting "
            "system_instruction, tools or tool_config.\n\nProposed fix: move those values to "
            "CachedContent from GenerateContent request.",
        )
