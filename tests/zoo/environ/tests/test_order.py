"""A test sets a variable of the environment."""

import os


def test_polluter():
    os.environ["SHOP_MODE"] = "test"


def test_victim():
    assert "SHOP_MODE" not in os.environ
