"""The map and its renderings."""
