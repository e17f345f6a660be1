"""OpenAI on the wire."""
