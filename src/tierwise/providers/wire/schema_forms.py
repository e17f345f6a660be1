"""Schemas as a vendor takes them, each of them formed once."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from tierwise.providers.protocol import Failure, FailureKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel


class SchemaForms:
    """What goes out for each schema; a schema that nobody holds any more is forgotten."""

    def __init__(self, form: Callable[[type[BaseModel]], dict[str, Any]]) -> None:
        self._form = form
        self._formed: weakref.WeakKeyDictionary[type[BaseModel], dict[str, Any]] = (
            weakref.WeakKeyDictionary()
        )

    def find(self, schema: type[BaseModel] | None) -> dict[str, Any] | Failure | None:
        """Return the form of a schema, or the failure of one that has none."""
        if schema is None:
            return None
        formed = self._formed.get(schema)
        if formed is not None:
            return formed
        # Whoever has a schema has loaded it.
        from pydantic.errors import PydanticInvalidForJsonSchema  # noqa: PLC0415

        try:
            formed = self._form(schema)
        except (PydanticInvalidForJsonSchema, ValueError) as error:
            return Failure(kind=FailureKind.BAD_REQUEST, message=_explain(schema, error))
        self._formed[schema] = formed
        return formed


def _explain(schema: type[BaseModel], error: Exception) -> str:
    # The text of pydantic's error has a link to its page below.
    reason = getattr(error, "message", "") or str(error)
    return f"{schema.__name__} can't be sent as a JSON schema: {reason.rstrip('.')}."
