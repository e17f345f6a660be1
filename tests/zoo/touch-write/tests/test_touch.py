"""A test writes a file beside the code."""

from pathlib import Path


def test_touches():
    Path("out.txt").write_text("x")
