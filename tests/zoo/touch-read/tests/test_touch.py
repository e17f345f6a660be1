"""A test reads a file of the machine."""

from pathlib import Path


def test_touches():
    assert Path("/etc/passwd").read_text()
