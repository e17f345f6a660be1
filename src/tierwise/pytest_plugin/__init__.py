"""The pytest plugin: hooks, translated."""
