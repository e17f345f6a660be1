"""A test pops a module, so that it is imported twice."""

import sys

import shop


def test_polluter():
    sys.modules.pop("shop")


def test_victim():
    assert sys.modules["shop"] is shop
