"""The shapes of Gemini's requests, taken from the types of its SDK."""

from __future__ import annotations

import datetime as dt
import enum
import types
import typing
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from tierwise.doubles.gateway.gemini.grammar import (
    ANYTHING,
    BYTES,
    INTEGER,
    NUMBER,
    TEXT,
    TRUTH,
    Choice,
    ListOf,
    MapOf,
    Message,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tierwise.doubles.gateway.gemini.grammar import Kind

_SCALARS: Mapping[Any, Kind] = {
    str: TEXT,
    int: INTEGER,
    float: NUMBER,
    bool: TRUTH,
    bytes: BYTES,
    dt.datetime: TEXT,
}
# One type of the SDK serves two APIs; its converters raise for these where ours is asked.
_ENTERPRISE_ONLY: Mapping[str, frozenset[str]] = {
    "GenerationConfig": frozenset({"modelSelectionConfig", "audioTimestamp", "routingConfig"}),
    "Tool": frozenset({"retrieval", "enterpriseWebSearch", "parallelAiSearch", "exaAiSearch"}),
    "SafetySetting": frozenset({"method"}),
    "FunctionCall": frozenset({"partialArgs", "willContinue"}),
    "FunctionCallingConfig": frozenset({"streamFunctionCallArguments"}),
}


class Shapes:
    """Makes a shape of each of the SDK's types that a request holds, once."""

    def __init__(self, sdk_types: Any) -> None:  # noqa: ANN401  a module of the SDK
        """Take the module that holds the SDK's types."""
        self._types = sdk_types
        self._made: dict[type[BaseModel], Message] = {}
        generate = Message("GenerateContentRequest", self._generate_fields)
        self.by_method: Mapping[str, Message] = {
            "generateContent": generate,
            "streamGenerateContent": generate,
            "countTokens": Message("CountTokensRequest", lambda: self._count_fields(generate)),
            "embedContent": Message("EmbedContentRequest", self._embed_fields),
            "batchEmbedContents": Message("BatchEmbedContentsRequest", self._batch_fields),
        }

    def shape_of(self, model: type[BaseModel]) -> Message:
        """Return the shape of a type of the SDK; types that hold themselves end here."""
        if model not in self._made:
            name = model.__name__
            self._made[model] = Message(name, lambda: self._fields_of(model))
        return self._made[model]

    def _fields_of(self, model: type[BaseModel]) -> Mapping[str, Kind]:
        model.model_rebuild()  # names of types are resolved only then
        hidden = _ENTERPRISE_ONLY.get(model.__name__, frozenset())
        fields = {
            field.alias or name: self._kind_of(field.annotation)
            for name, field in model.model_fields.items()
            if (field.alias or name) not in hidden
        }
        if model is self._types.GenerationConfig:
            # The SDK sends this one too, and its own type of the whole does not know it.
            fields["imageConfig"] = self.shape_of(self._types.ImageConfig)
            fields["_responseJsonSchema"] = ANYTHING  # its name in older versions
        return fields

    def _kind_of(self, annotation: Any) -> Kind:  # noqa: ANN401  a type
        if annotation in _SCALARS:
            return _SCALARS[annotation]
        origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in {typing.Union, types.UnionType}:
            said = [one for one in inner if one is not type(None)]
            return self._kind_of(said[0]) if len(said) == 1 else ANYTHING
        if origin in {list, dict}:
            kind = self._kind_of(inner[-1])
            return ListOf(kind) if origin is list else MapOf(kind)
        return self._kind_of_class(annotation) if isinstance(annotation, type) else ANYTHING

    def _kind_of_class(self, annotation: type) -> Kind:
        if issubclass(annotation, enum.Enum):
            return Choice(annotation.__name__, frozenset(str(one.value) for one in annotation))
        return self.shape_of(annotation) if issubclass(annotation, BaseModel) else ANYTHING

    def _generate_fields(self) -> Mapping[str, Kind]:
        known = self._types
        return {
            "model": TEXT,
            "contents": ListOf(self.shape_of(known.Content)),
            "systemInstruction": self.shape_of(known.Content),
            "tools": ListOf(self.shape_of(known.Tool)),
            "toolConfig": self.shape_of(known.ToolConfig),
            "safetySettings": ListOf(self.shape_of(known.SafetySetting)),
            "generationConfig": self.shape_of(known.GenerationConfig),
            "cachedContent": TEXT,
            "labels": MapOf(TEXT),
            "serviceTier": ANYTHING,
            "store": TRUTH,
            "continuationToken": BYTES,
        }

    def _count_fields(self, generate: Message) -> Mapping[str, Kind]:
        contents = ListOf(self.shape_of(self._types.Content))
        return {"contents": contents, "generateContentRequest": generate}

    def _embed_fields(self) -> Mapping[str, Kind]:
        return {
            "model": TEXT,
            "content": self.shape_of(self._types.Content),
            "taskType": Choice("TaskType", _TASK_TYPES),
            "title": TEXT,
            "outputDimensionality": INTEGER,
        }

    def _batch_fields(self) -> Mapping[str, Kind]:
        return {"requests": ListOf(Message("EmbedContentRequest", self._embed_fields))}


_TASK_TYPES = frozenset(
    {
        "TASK_TYPE_UNSPECIFIED",
        "RETRIEVAL_QUERY",
        "RETRIEVAL_DOCUMENT",
        "SEMANTIC_SIMILARITY",
        "CLASSIFICATION",
        "CLUSTERING",
        "QUESTION_ANSWERING",
        "FACT_VERIFICATION",
        "CODE_RETRIEVAL_QUERY",
    }
)
