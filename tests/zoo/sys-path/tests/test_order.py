"""A test puts a folder on the import path."""

import sys


def test_polluter():
    sys.path.insert(0, "/nowhere/plugins")


def test_victim():
    assert "/nowhere/plugins" not in sys.path
