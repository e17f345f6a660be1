"""What depends on the model: efforts, and what models that reason do not take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tierwise.doubles.gateway.openai import checks, known_models
from tierwise.doubles.gateway.openai.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tierwise.doubles.gateway.openai.checks import Body

_DATE = r"(?:-\d{4}-\d{2}-\d{2})?"
_EFFORTS = (
    (re.compile(rf"o(?:1|3|3-mini|4-mini){_DATE}"), ("low", "medium", "high")),
    (re.compile(rf"gpt-5(?:-mini|-nano)?{_DATE}"), ("minimal", "low", "medium", "high")),
)
_STOPLESS = re.compile(rf"(?:o3|o4-mini|gpt-5(?:-mini|-nano)?){_DATE}")
_SETTINGS = ("presence_penalty", "frequency_penalty", "logprobs", "logit_bias")


def _unknown_effort(body: Body) -> Iterator[Problem]:
    yield from _check_effort(body, "reasoning_effort", body.get("reasoning_effort"))
    effort = (body.get("reasoning") or {}).get("effort")
    yield from _check_effort(body, "reasoning.effort", effort)


def _check_effort(body: Body, param: str, effort: str | None) -> Iterator[Problem]:
    for pattern, known in _EFFORTS:
        if effort is None or effort in known or not pattern.fullmatch(body.get("model") or ""):
            continue
        *others, last = map(repr, known)
        yield Problem(
            message=f"Unsupported value: '{param}' does not support '{effort}' with this model. "
            f"Supported values are: {', '.join(others)}, and {last}.",
            param=param,
            code="unsupported_value",
        )


def _no_settings(body: Body) -> Iterator[Problem]:
    model = body["model"]
    names = _SETTINGS if known_models.has_fixed_sampling(model) else ()
    for name in (*names, *(("stop",) if _STOPLESS.fullmatch(model) else ())):
        # What says the same as nothing is let through.
        if body.get(name):
            yield Problem(
                message=f"Unsupported parameter: '{name}' is not supported with this model.",
                param=name,
                code="unsupported_parameter",
            )


EFFORT_CHECKS = (
    checks.check("unknown_effort", "a model has efforts of its own", _unknown_effort),
)
MODEL_CHECKS = (
    *EFFORT_CHECKS,
    checks.check(
        "no_settings",
        "reasoning models have no penalties, biases, log probabilities and stops",
        _no_settings,
    ),
)
