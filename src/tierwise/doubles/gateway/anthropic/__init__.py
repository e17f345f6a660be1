"""Anthropic on the wire."""
