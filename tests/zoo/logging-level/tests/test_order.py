"""A test sets the level of the root logger."""

import logging


def test_polluter():
    logging.getLogger().setLevel(logging.DEBUG)


def test_victim():
    assert logging.getLogger().level == logging.WARNING
