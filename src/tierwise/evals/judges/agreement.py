"""How a judge did on samples that people labelled: kept, and read beside what it judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from tierwise.errors import EvalUsageError, suggest
from tierwise.evals.judges.prompting import identify_judge, identify_prompt
from tierwise.evals.judges.tables import ItemAgreement  # noqa: TC001  pydantic resolves it
from tierwise.evals.sensitivity import Sensitivity

if TYPE_CHECKING:
    from tierwise.evals.judges.rubric import Rubric

_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """How often a judge and people said the same, for each thing that it is asked.

    It is about one judge: rubric, prompt and model. Another has to be measured anew.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    rubric: str
    prompt: str
    """A hash of all that the judge was told."""
    model: str
    items: tuple[ItemAgreement, ...]
    format: int = _FORMAT

    @property
    def identity(self) -> str:
        """A hash of prompt and model: another judge has another."""
        return identify_judge(self.prompt, self.model)

    def item(self, name: str | None = None) -> ItemAgreement:
        """Return the agreement on one question or grade; the only one needs no name."""
        if name is None and len(self.items) == 1:
            return self.items[0]
        found = next((item for item in self.items if item.name == name), None)
        if found is None:
            known = [item.name for item in self.items]
            raise EvalUsageError(
                f"No agreement was measured on {name!r}.{suggest(str(name), known)}"
            )
        return found

    def sensitivity(self, name: str | None = None) -> Sensitivity:
        """Return how many labelled events the judge caught: what `never(detector=...)` takes."""
        item = self.item(name)
        caught, known = item.caught
        source = f"judge {self.rubric!r} ({self.model}), {item.n} labels"
        return Sensitivity(n_caught=caught, n_true=known, source=source)

    def find_change(self, rubric: Rubric, model: str) -> str:
        """Return what is no longer as it was when this was measured; empty when nothing is."""
        if self.prompt != identify_prompt(rubric):
            return "the rubric, or how it is asked,"
        return "" if self.model == model else f"the model (it was {self.model!r})"

    def line(self, name: str | None = None) -> str:
        """Return the agreement on one item in a line, to stand beside what was judged."""
        return self.item(name).line()

    def lines(self) -> tuple[str, ...]:
        """Return all that was measured, each number with what it rests on."""
        head = f"judge {self.rubric!r} ({self.model}) compared with people"
        return (head, *(f"  {line}" for item in self.items for line in item.lines()))

    def to_json(self) -> str:
        """Return it as JSON, to be kept in a file beside the tests."""
        return TypeAdapter(JudgeAgreement).dump_json(self, indent=2).decode()

    @classmethod
    def from_json(cls, text: str | bytes) -> JudgeAgreement:
        """Return what `to_json` wrote; refuse anything else in words."""
        try:
            found = TypeAdapter(cls).validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "the whole"
            raise EvalUsageError(
                f"This is no kept agreement of a judge, at {where}: {first['msg']}. Measure it "
                "anew by measure_agreement(...) and keep its to_json()."
            ) from None
        if found.format != _FORMAT:
            raise EvalUsageError(
                f"This agreement is kept in format {found.format}; this tierwise reads {_FORMAT}."
            )
        return found
