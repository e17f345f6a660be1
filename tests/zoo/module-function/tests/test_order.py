"""A test patches a function by hand and leaves it so."""

import shop


def test_polluter():
    shop.price = lambda what: 0


def test_victim():
    assert shop.price("apple") == 3
