"""Rules about embeddings, about counting, and about the list of models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tierwise.doubles.gateway.gemini.breaking import Broken, Given

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MOST_IN_A_BATCH = 100


def check_batch(given: Given) -> Iterator[Broken]:
    """Yield what is wrong with a batch of things to be embedded."""
    requests = given.body.get("requests") or []
    at = f"{given.request}.requests"
    if not requests:
        yield Broken("embed_batch", "requests is not specified", at)
    if len(requests) > _MOST_IN_A_BATCH:
        says = f"at most {_MOST_IN_A_BATCH} requests can be in one batch"
        yield Broken("embed_batch", says, at)
    for index, one in enumerate(requests):
        inner = Given(request=f"{at}[{index}]", body=one, model=given.model)
        yield from check_embed(inner, needs_model=True)


def check_embed(given: Given, *, needs_model: bool = False) -> Iterator[Broken]:
    """Yield what is wrong with one thing to be embedded."""
    yield from check_model(given, needs_model=needs_model)
    content: Mapping[str, Any] = given.body.get("content") or {}
    texts = [part.get("text") for part in content.get("parts") or []]
    if not any(texts):
        yield Broken("embed_content", "content is empty", f"{given.request}.content")
    most = given.model.dimensions
    dimensions = given.body.get("outputDimensionality")
    if dimensions is not None and not 1 <= dimensions <= most:
        says = f"output_dimensionality must be in the range [1, {most}]."
        yield Broken("embed_dimensions", says, f"{given.request}.output_dimensionality")


def check_model(given: Given, *, needs_model: bool = False) -> Iterator[Broken]:
    """Yield what is wrong with a model that is named in the body, beside the one in the path."""
    named = given.body.get("model", "" if needs_model else f"models/{given.model.name}")
    if named not in {f"models/{given.model.name}", given.model.name}:
        yield Broken(
            "model_mismatch",
            f"unexpected model name '{named}'; expected 'models/{given.model.name}'.",
            f"{given.request}.model",
        )
