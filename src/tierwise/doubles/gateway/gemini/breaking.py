"""What breaks a rule about requests, and the refusal that many such faults make together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.gemini.rules import RULES
from tierwise.doubles.gateway.saying import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tierwise.doubles.gateway.gemini.grammar import Problem
    from tierwise.doubles.gateway.gemini.models import ModelFacts

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A request whose shape is right: what the rules judge."""

    request: str
    """What the vendor calls it in its errors: `GenerateContentRequest`."""
    body: Mapping[str, Any]
    """In the canonical form of the grammar."""
    model: ModelFacts


@dataclass(frozen=True, slots=True)
class Broken:
    """One rule that a request breaks, in the vendor's words."""

    rule: str
    says: str
    at: str = ""
    """The field, where the vendor names it with a star before it."""

    @property
    def line(self) -> str:
        """Return the words as they stand in the message."""
        return f"* {self.at}: {self.says}\n" if self.at else self.says


def refuse_broken(broken: Sequence[Broken]) -> Refusal:
    """Return the refusal of a request that breaks rules; the first one gives it its name."""
    rule = RULES[broken[0].rule]
    return Refusal(
        status=rule.status,
        message="".join(one.line for one in broken),
        rule=rule.name,
        ground=rule.ground,
    )


def refuse_problems(problems: Sequence[Problem]) -> Refusal:
    """Return the refusal of a body that does not have the shape of its request."""
    unknown = "Unknown name" in problems[0].says
    rule = RULES["unknown_field" if unknown else "wrong_type"]
    return Refusal(
        status=rule.status,
        message="\n".join(one.says for one in problems),
        param="\n".join(one.field for one in problems),
        rule=rule.name,
        ground=rule.ground,
    )
