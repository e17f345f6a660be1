"""A test leaves a context variable set."""

import shop


def test_polluter():
    shop.TENANT.set("acme")


def test_victim():
    assert shop.TENANT.get() == "nobody"
