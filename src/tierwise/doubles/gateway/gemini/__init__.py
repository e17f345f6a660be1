"""Gemini on the wire: what it reads, what it refuses, and how it answers."""

from tierwise.doubles.gateway.gemini.vendor import GeminiVendor as GeminiVendor

__all__ = ["GeminiVendor"]
