"""A test fills a cache with a mocked answer."""

import shop


def test_polluter():
    assert shop.price("apple") == 3


def test_victim():
    assert shop.price.cache_info().currsize == 0
