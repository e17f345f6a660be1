"""Replies without a model: made up, scripted or by rules."""
