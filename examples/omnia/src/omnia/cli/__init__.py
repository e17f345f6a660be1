"""The command line of Omnia."""

from omnia.cli.main import main as main

__all__ = ["main"]
