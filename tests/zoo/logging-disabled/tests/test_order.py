"""A test turns all logging off."""

import logging


def test_polluter():
    logging.disable(logging.CRITICAL)


def test_victim():
    assert logging.getLogger("shop").isEnabledFor(logging.ERROR)
