"""OpenAI's models."""
