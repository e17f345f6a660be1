"""A test rebinds a value of a module."""

import shop


def test_polluter():
    shop.DEBUG = True


def test_victim():
    assert shop.DEBUG is False
