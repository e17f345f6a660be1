"""A test fills a dictionary of a module, which grows a cache."""

import shop


def test_polluter():
    assert shop.price("apple") == 3


def test_victim():
    assert shop.CACHE == {}
