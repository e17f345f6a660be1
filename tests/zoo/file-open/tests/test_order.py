"""A test leaves a file open."""

import shop


def test_polluter():
    shop.OPEN.append(open("prices.txt"))


def test_victim():
    assert shop.OPEN == []
