"""A test passes only behind one that sets something up for it."""

import shop


def test_setter():
    shop.STOCK["apple"] = 3


def test_brittle():
    assert shop.STOCK["apple"] == 3
