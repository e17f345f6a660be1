"""Google's Gemini models."""
