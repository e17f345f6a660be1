"""A test takes a variable out of the environment."""

import os


def test_polluter():
    del os.environ["PATH"]


def test_victim():
    assert os.environ["PATH"]
