"""A test adds a handler to a logger."""

import logging

import shop  # noqa: F401


def test_polluter():
    logging.getLogger("shop").addHandler(logging.NullHandler())


def test_victim():
    assert logging.getLogger("shop").handlers == []
