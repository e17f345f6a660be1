"""How Omnia talks to a model: labelled prompts in, schema or failure out."""

from omnia.llm.embedding import (
    Embedder as Embedder,
    Embedding as Embedding,
    WordEmbedder as WordEmbedder,
    cosine as cosine,
)
from omnia.llm.prompts import (
    Prompt as Prompt,
    Purpose as Purpose,
    Sampling as Sampling,
    ask as ask,
    form_request as form_request,
)

__all__ = [
    "Embedder",
    "Embedding",
    "Prompt",
    "Purpose",
    "Sampling",
    "WordEmbedder",
    "ask",
    "cosine",
    "form_request",
]
