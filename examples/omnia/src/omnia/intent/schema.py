"""What a model may answer when it is asked for intents; anything else is malformed."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from omnia.intent.intents import IntentKind


class IntentDraft(BaseModel):
    """An intent without its actor: a model never says whose intent it is.

    Keys that are not asked for, `actor_id` above all, are dropped.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    type: IntentKind
    content: str = Field(min_length=1)
    target_ids: list[str]
    modifiers: list[str]

    @field_validator("type", mode="before")
    @classmethod
    def _thought_is_monologue(cls, value: Any) -> Any:  # noqa: ANN401  raw JSON
        return IntentKind.MONOLOGUE if value == "thought" else value

    @model_validator(mode="after")
    def _thoughts_have_no_targets(self) -> Self:
        if self.type is IntentKind.MONOLOGUE:
            self.target_ids.clear()
        return self


class IntentSequence(BaseModel):
    """The intents of one turn, in order; there may be none."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    intents: list[IntentDraft]
