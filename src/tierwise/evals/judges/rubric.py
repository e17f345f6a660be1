"""What a judge is asked: atomic questions and grades, fixed before anything is judged."""

from __future__ import annotations

import keyword
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from tierwise.errors import EvalUsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Mapping


class Ruling(BaseModel):
    """A judge's answer to a question: the passage first, the reason, and then the verdict."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    quote: str
    reason: str
    verdict: Literal["yes", "no", "cannot_tell"]


@dataclass(frozen=True, slots=True)
class Question:
    """Something about a text that is answered by yes or no, one fact at a time.

    A yes has to be shown by a passage of the text, word for word; a judge that quotes what the
    text does not say has not answered. `needs_quote=False` is for what no passage can show, such
    as that something is left out.
    """

    name: str
    text: str
    _: KW_ONLY
    needs_quote: bool = True

    def __post_init__(self) -> None:
        """Refuse a name that can be no metric, and a question that asks nothing."""
        _require_name(self.name)
        _require_text(self.text, f"the question {self.name!r}")

    @property
    def categories(self) -> tuple[str, ...]:
        """The answers that there are."""
        return ("yes", "no")


@dataclass(frozen=True, slots=True)
class Grade:
    """Something about a text that is graded on a declared scale of whole numbers.

    `meanings` says what some or all of the grades stand for.
    """

    name: str
    text: str
    low: int
    high: int
    _: KW_ONLY
    meanings: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a scale without room, and a meaning outside of it."""
        _require_name(self.name)
        _require_text(self.text, f"the grade {self.name!r}")
        if not all(isinstance(end, int) for end in (self.low, self.high)) or self.low >= self.high:
            raise EvalUsageError(
                f"The grade {self.name!r} goes from {self.low!r} to {self.high!r}: expected whole "
                "numbers, the lower one first."
            )
        for grade in self.meanings:
            if not self.low <= grade <= self.high:
                raise EvalUsageError(
                    f"The grade {self.name!r} goes from {self.low} to {self.high} and gives "
                    f"{grade!r} a meaning."
                )

    @property
    def categories(self) -> tuple[str, ...]:
        """The grades that there are."""
        return tuple(str(grade) for grade in range(self.low, self.high + 1))


Item = Question | Grade


@dataclass(frozen=True, slots=True)
class Rubric:
    """What a judge is asked about each text, in one request.

    `about` tells the judge what kind of text it is; `inputs` names what else it is given with each
    text, such as the question that was answered. Independent questions are judged best by rubrics
    of their own: answers in one request lean on each other.
    """

    name: str
    items: tuple[Item, ...]
    _: KW_ONLY
    about: str = ""
    inputs: tuple[str, ...] = ()
    temperature: float | None = None
    """As the provider has it unless said; some models refuse to be told."""
    schema: type[BaseModel] = field(init=False, repr=False, compare=False)
    """What the judge's answer has to be, made from the items."""

    def __post_init__(self) -> None:
        """Refuse what cannot be asked, and make the schema of the answer."""
        _require_name(self.name)
        object.__setattr__(self, "items", _require_items(self.items))
        object.__setattr__(self, "inputs", _require_inputs(self.inputs))
        object.__setattr__(self, "schema", _make_schema(self.name, self.items))

    def item(self, name: str) -> Item:
        """Return the question or grade of that name."""
        found = next((item for item in self.items if item.name == name), None)
        if found is None:
            known = [item.name for item in self.items]
            raise EvalUsageError(
                f"The rubric {self.name!r} asks no {name!r}.{suggest(name, known)}"
            )
        return found


def _require_name(name: object) -> None:
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        raise EvalUsageError(
            f"{name!r} names a question, a grade or a rubric: expected a name such as a metric "
            'has, "gives_reason".'
        )
    if hasattr(BaseModel, name) or name.startswith(("_", "model_")) or name == "passed":
        raise EvalUsageError(f"The name {name!r} is taken: choose another for what is judged.")


def _require_text(text: object, what: str) -> None:
    if not isinstance(text, str) or not text.strip():
        raise EvalUsageError(f"{what.capitalize()} asks {text!r}: expected a text.")


def _require_items(items: object) -> tuple[Item, ...]:
    given = (items,) if isinstance(items, Question | Grade) else items
    if not isinstance(given, list | tuple) or not given:
        raise EvalUsageError(f"A rubric asks {items!r}: expected at least one Question or Grade.")
    found: dict[str, Item] = {}
    for item in given:
        if not isinstance(item, Question | Grade):
            raise EvalUsageError(f"A rubric asks {item!r}: expected Question(...) or Grade(...).")
        if item.name in found:
            raise EvalUsageError(f"A rubric asks {item.name!r} twice: keep one.")
        found[item.name] = item
    return tuple(found.values())


def _require_inputs(inputs: object) -> tuple[str, ...]:
    if isinstance(inputs, str) or not isinstance(inputs, list | tuple):
        raise EvalUsageError(f"inputs={inputs!r}: expected several names, such as ('question',).")
    for name in inputs:
        if not isinstance(name, str) or not name.isidentifier() or name == "text":
            raise EvalUsageError(f"inputs holds {name!r}: expected a name other than `text`.")
    return tuple(inputs)


def _make_schema(name: str, items: tuple[Item, ...]) -> type[BaseModel]:
    fields = {item.name: (_ruling_of(item), ...) for item in items}
    config = ConfigDict(extra="forbid", frozen=True)
    made: type[BaseModel] = create_model(f"Judging_{name}", __config__=config, **fields)  # type: ignore[call-overload]  # fields by name
    return made


def _ruling_of(item: Item) -> type[BaseModel]:
    if isinstance(item, Question):
        return Ruling
    made: type[BaseModel] = create_model(
        f"Grading_{item.name}",
        __config__=ConfigDict(extra="forbid", frozen=True),
        reason=(str, ...),
        grade=(Annotated[int, Field(ge=item.low, le=item.high)] | None, ...),
    )
    return made
