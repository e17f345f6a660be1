"""Omnia: a small world whose characters know different things, played by a language model."""
