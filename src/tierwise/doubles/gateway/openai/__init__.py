"""OpenAI in a box: chat completions, responses, embeddings, models."""

from tierwise.doubles.gateway.openai.vendor import OpenAIVendor as OpenAIVendor

__all__ = ["OpenAIVendor"]
