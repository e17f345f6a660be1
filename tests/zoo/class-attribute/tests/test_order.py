"""A test changes an attribute of a class."""

import shop


def test_polluter():
    shop.Shop.open = False


def test_victim():
    assert shop.Shop.open is True
