"""A test fails behind two others only."""

import shop


def test_fills():
    shop.CART["apple"] = 1


def test_unrelated():
    assert shop.CART is not None


def test_pays():
    shop.CART["paid"] = True


def test_victim():
    assert set(shop.CART) != {"apple", "paid"}
