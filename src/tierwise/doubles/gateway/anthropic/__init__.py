"""Anthropic on the wire."""

from tierwise.doubles.gateway.anthropic.vendor import AnthropicVendor as AnthropicVendor

__all__ = ["AnthropicVendor"]
