"""Rules of a scripted provider: when one applies, and why the nearest one did not."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.errors import MisuseError
from tierwise.providers.made_up.answering import keep_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel

    from tierwise.providers.made_up.answering import AnswerLike
    from tierwise.providers.protocol import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """An answer, and the requests that it is for; a criterion left out matches everything.

    Give `answer` (for each matching request; for `times` of them when said) or `answers` (one a
    request, in order). A rule must be used up by the end of the test unless it is `optional`;
    an `answer` without `times` must be used once.
    """

    purpose: str | None = None
    schema: type[BaseModel] | None = None
    prompt: str | re.Pattern[str] | None = None
    """Text that the prompt contains, or a pattern that it matches somewhere."""
    viewer: str | None = None
    answer: AnswerLike | None = None
    answers: Sequence[AnswerLike] | None = None
    times: int | None = None
    delay_s: float = 0.0
    optional: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be meant, and copy the answers."""
        if (self.answer is None) == (self.answers is None):
            raise MisuseError(f"{self} needs `answer` or `answers`, and not both.")
        if self.answers is not None:
            self._keep_answers(self.answers)
        if self.answer is not None:
            object.__setattr__(self, "answer", keep_answer(self.answer, f"`answer` of {self}"))
        if self.times is not None and self.times < 1:
            raise MisuseError(f"`times` of {self} is {self.times}; expected 1 or more.")
        if self.delay_s < 0:
            raise MisuseError(f"`delay_s` of {self} is {self.delay_s}; expected 0 or more.")

    def _keep_answers(self, answers: Sequence[AnswerLike]) -> None:
        if self.times is not None:
            raise MisuseError(f"{self} has `times` with `answers`; `times` belongs to `answer`.")
        if isinstance(answers, str) or not answers:
            raise MisuseError(f"`answers` of {self} is {answers!r}; expected a list of answers.")
        kept = [keep_answer(one, f"answers[{i}] of {self}") for i, one in enumerate(answers)]
        object.__setattr__(self, "answers", kept)

    def __str__(self) -> str:
        """Return the criteria as they were written: `Rule(purpose='intent')`."""
        shown = [f"{name}={_show(value)}" for name, value in self._criteria()]
        return f"Rule({', '.join(shown)})"

    @property
    def limit(self) -> int | None:
        """How many requests the rule answers; None for any number."""
        return self.times if self.answers is None else len(self.answers)

    @property
    def n_expected(self) -> int:
        """How many requests it must have answered by the end of the test."""
        return 0 if self.optional else (self.limit or 1)

    def pick(self, n_used: int) -> AnswerLike:
        """Return the answer for the request after `n_used` others."""
        if self.answers is not None:
            return self.answers[n_used]
        assert self.answer is not None  # noqa: S101  held by __post_init__
        return self.answer

    def find_mismatches(self, request: Request[Any]) -> tuple[str, ...]:
        """Return why the rule is not for this request, never quoting the prompt; () if it is."""
        reasons = []
        if self.purpose is not None and self.purpose != request.purpose:
            reasons.append(f"purpose is {request.purpose!r}, not {self.purpose!r}")
        if self.schema is not None and self.schema is not request.schema:
            reasons.append(f"schema is {_show(request.schema)}, not {self.schema.__name__}")
        if self.viewer is not None and self.viewer != request.viewer:
            reasons.append(f"viewer is {request.viewer!r}, not {self.viewer!r}")
        if self.prompt is not None and not _is_in(self.prompt, request.prompt_text):
            reasons.append(f"the prompt does not contain {_show(self.prompt)}")
        return tuple(reasons)

    def _criteria(self) -> list[tuple[str, object]]:
        pairs = [
            ("purpose", self.purpose),
            ("schema", self.schema),
            ("prompt", self.prompt),
            ("viewer", self.viewer),
        ]
        return [(name, value) for name, value in pairs if value is not None]


def _show(value: object) -> str:
    if isinstance(value, type):
        return value.__name__
    return repr(value.pattern if isinstance(value, re.Pattern) else value)


def _is_in(wanted: str | re.Pattern[str], text: str) -> bool:
    return wanted in text if isinstance(wanted, str) else wanted.search(text) is not None


def explain_unmatched(
    rules: Sequence[Rule], used_up: Sequence[bool], request: Request[Any], *, name: str
) -> str:
    """Return why no rule answers this request: the nearest rule, and what is in its way."""
    asked = f"purpose {request.purpose!r}, schema {_show(request.schema)}"
    head = f"{name!r} has no rule for this request ({asked})."
    if not rules:
        return f"{head} It has no rules at all."
    nearest = min(range(len(rules)), key=lambda index: _distance(rules[index], request))
    rule = rules[nearest]
    reasons = rule.find_mismatches(request)
    if not reasons and used_up[nearest]:
        reasons = (f"it is used up, all {rule.limit} answer(s) were given",)
    return f"{head} The nearest is rule {nearest}, {rule}: {'; '.join(reasons)}."


def _distance(rule: Rule, request: Request[Any]) -> tuple[int, float]:
    """Fewer reasons are nearer; among equals a misspelt purpose is nearer than a foreign one."""
    purpose = rule.purpose if rule.purpose is not None else request.purpose
    likeness = difflib.SequenceMatcher(None, purpose, request.purpose).ratio()
    return len(rule.find_mismatches(request)), -likeness
