"""Gemini on the wire."""
