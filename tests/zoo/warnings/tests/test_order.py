"""A test turns warnings off where pytest does not care for them."""

import warnings


def test_polluter():
    warnings.simplefilter("ignore")


def test_victim():
    assert warnings.filters[0][0] != "ignore"
