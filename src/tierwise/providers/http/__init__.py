"""Models of any server that speaks as OpenAI does."""
