from __future__ import annotations

import asyncio

import pytest
from omnia.llm import WordEmbedder, cosine


def embed(text: str) -> tuple[float, ...]:
    return asyncio.run(WordEmbedder().embed(text))


def test_a_text_always_gives_the_same_vector() -> None:
    """768 numbers, the same on every machine and in every run."""
    assert embed("the silver key") == embed("the silver key")
    assert len(embed("the silver key")) == 768
    assert embed("the silver key") != embed("the golden key")


def test_an_empty_text_is_all_zeros_and_like_nothing() -> None:
    """A zero vector has no direction, so its likeness is 0 and not an error."""
    assert set(embed("")) == {0.0}
    assert cosine(embed(""), embed("key")) == 0.0


@pytest.mark.parametrize(
    ("one", "other", "likeness"),
    [
        ((1.0, 0.0), (2.0, 0.0), 1.0),
        ((1.0, 0.0), (0.0, 1.0), 0.0),
        ((1.0,), (1.0, 0.0), 0.0),
        (None, (1.0,), 0.0),
        ((1.0,), (), 0.0),
    ],
)
def test_likeness_is_zero_where_there_is_none(
    one: tuple[float, ...] | None, other: tuple[float, ...] | None, likeness: float
) -> None:
    """Absent vectors and other lengths are no likeness."""
    assert cosine(one, other) == pytest.approx(likeness)
