"""Which models there are, and what each can do, as the SDK's types and the documentation tell."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tierwise.doubles.gateway.vendor import Account

_DATE = r"(?:-\d{4}-\d{2}-\d{2})?"
_FIXED = re.compile(rf"(?:o[134](?:-mini|-pro|-preview)?|gpt-5(?:-mini|-nano|-pro)?){_DATE}")
"""Reasoning models whose sampling can't be changed."""
_PLAIN = re.compile(rf"gpt-(?:3\.5|4).*|chatgpt-4o.*|ft:gpt-(?:3\.5|4).*{_DATE}")
"""Models that do not reason."""
_NO_SCHEMA = re.compile(r"gpt-3\.5.*|gpt-4(?:-.*)?|gpt-4o-2024-05-13|o1-mini.*|o1-preview.*")
"""Models from before structured outputs."""
_LIMITS = {
    "gpt-3.5-turbo": 4_096,
    "gpt-4o": 16_384,
    "gpt-4o-mini": 16_384,
    "gpt-4.1": 32_768,
    "gpt-4.1-mini": 32_768,
    "gpt-4.1-nano": 32_768,
}
_BESIDE_THE_TYPES = frozenset({"gpt-audio"})
_TUNED = re.compile(r"ft:(?P<base>[^:]+):.+")
DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModels:
    """The names that the SDK's types list, by what they are for."""

    chat: frozenset[str]
    responses: frozenset[str]
    embedding: frozenset[str]

    @property
    def all(self) -> tuple[str, ...]:
        """Return every name, sorted."""
        return tuple(sorted(self.chat | self.responses | self.embedding))

    def exists(self, model: str, account: Account) -> bool:
        """Return whether there is such a model, for this account."""
        if account.any_model or is_listed(model, account.models):
            return True
        tuned = _TUNED.fullmatch(model)
        base = tuned["base"] if tuned else model
        return self._is_served(base) or self._is_served(re.sub(_DATE + "$", "", base))

    def _is_served(self, model: str) -> bool:
        named = (self.chat, self.responses, self.embedding, _BESIDE_THE_TYPES)
        return any(model in names for names in named)


def is_listed(model: str, listed: Iterable[str]) -> bool:
    """Return whether a name is among others, of which some may end in `*`."""
    return any(model.startswith(one[:-1]) if one.endswith("*") else model == one for one in listed)


def read_known_models() -> KnownModels:
    """Return what the installed SDK knows."""
    from openai.types.chat_model import ChatModel  # noqa: PLC0415  needs an extra
    from openai.types.embedding_model import EmbeddingModel  # noqa: PLC0415
    from openai.types.shared.responses_model import ResponsesModel  # noqa: PLC0415

    chat = _names(ChatModel)
    return KnownModels(
        chat=chat, responses=chat | _names(ResponsesModel), embedding=_names(EmbeddingModel)
    )


def _names(alias: Any) -> frozenset[str]:  # noqa: ANN401  a union of literals
    found: set[str] = set()
    for one in get_args(alias):
        found |= {one} if isinstance(one, str) else _names(one)
    return frozenset(found)


def has_fixed_sampling(model: str) -> bool:
    """Return whether a model refuses other temperatures, and `max_tokens` by that name."""
    return _FIXED.fullmatch(model) is not None


def is_plain(model: str) -> bool:
    """Return whether a model is known not to reason."""
    return _PLAIN.fullmatch(model) is not None


def lacks_schemas(model: str) -> bool:
    """Return whether a model is from before structured outputs."""
    return _NO_SCHEMA.fullmatch(model) is not None


def find_limit(model: str) -> int | None:
    """Return how many tokens a model writes at most, where that is known."""
    plain = re.sub(_DATE + "$", "", model)
    return _LIMITS.get(plain)
