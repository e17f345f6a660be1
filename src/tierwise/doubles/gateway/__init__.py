"""A vendor in a box: OpenAI, Anthropic and Gemini on the wire, refusals included."""
