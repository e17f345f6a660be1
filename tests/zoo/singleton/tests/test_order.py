"""A test changes an object that a module holds."""

import shop


def test_polluter():
    shop.SETTINGS.currency = "USD"


def test_victim():
    assert shop.SETTINGS.currency == "EUR"
