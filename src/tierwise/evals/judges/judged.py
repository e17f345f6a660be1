"""What a judge said about one text; what it could not tell is never a score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.evals.judges.quoting import has_quote
from tierwise.evals.judges.rubric import Item, Question, Rubric
from tierwise.evals.scored import Scored
from tierwise.evals.scorers.reading import show
from tierwise.evals.trial import TrialOver
from tierwise.providers import FailureKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel


class JudgeUnavailable(TrialOver):
    """A judge gave no verdict: its trial ends as `error`, or `unobservable` if the vendor moved.

    No `except Exception` of a body stops it, so that a judge that is down is neither a pass nor a
    fail, whichever way round its verdict was going to be used.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A judge's answers about one text: `judged["helpful"]` is a score with its reason.

    Reading an answer that the judge could not give raises `JudgeUnavailable`.
    """

    rubric: Rubric
    text: str
    data: BaseModel
    """The judge's answer as it was given."""
    model: str
    identity: str
    """A hash of rubric, prompt and model: another judge has another."""
    standing: Mapping[str, str]
    """What has to be said beside verdicts on each item: how far the judge is to be trusted."""
    is_made_up: bool = False
    """True in a dry run: then nothing in the answers is about the text."""

    def __getitem__(self, name: str) -> Scored:
        """Return one answer as a score: True or False for a question, a number for a grade."""
        item = self.rubric.item(name)
        answer: Any = getattr(self.data, name)
        if not self.is_made_up:
            self._require_verdict(item, answer)
        if isinstance(item, Question):
            value: bool | float = answer.verdict == "yes"
            quote = f"{show(answer.quote)}: " if value and answer.quote else ""
        else:
            value = float(item.low if answer.grade is None else answer.grade)
            quote = ""
        return Scored(value=value, why=f"{quote}{answer.reason}", grader=self.standing[name])

    def scores(self) -> dict[str, Scored]:
        """Return all answers, for `trial.score(**judged.scores())`."""
        return {item.name: self[item.name] for item in self.rubric.items}

    # What differs from trial to trial stands on a second line: trials are counted by the first.
    def _require_verdict(self, item: Item, answer: Any) -> None:  # noqa: ANN401  of the schema
        who = f"the judge {self.rubric.name!r} ({self.model})"
        is_question = isinstance(item, Question)
        if (answer.verdict == "cannot_tell") if is_question else (answer.grade is None):
            raise JudgeUnavailable(
                FailureKind.REFUSED, f"{who} cannot tell {item.name!r}\n{answer.reason}"
            )
        if not isinstance(item, Question) or not item.needs_quote or answer.verdict == "no":
            return
        if not has_quote(self.text, answer.quote):
            raise JudgeUnavailable(
                FailureKind.MALFORMED,
                f"{who} says yes to {item.name!r} and quotes what the text does not say\n"
                f"{show(answer.quote)}",
            )
