"""A test adds to a list of a module."""

import shop


def test_polluter():
    shop.sell("apple")


def test_victim():
    assert shop.SOLD == []
