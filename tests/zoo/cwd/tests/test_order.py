"""A test changes the current directory."""

import os
from pathlib import Path


def test_polluter():
    os.chdir("/")


def test_victim():
    assert Path("shop.py").exists() or Path("pyproject.toml").exists()
