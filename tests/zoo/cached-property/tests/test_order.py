"""A test reads a cached property of an object that a module holds."""

import shop


def test_polluter():
    assert shop.SHOP.stock == 3


def test_victim():
    assert "stock" not in vars(shop.SHOP)
