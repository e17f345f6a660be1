"""A test seeds numpy's random numbers."""

import numpy.random


def test_polluter():
    numpy.random.seed(0)


def test_victim():
    assert numpy.random.random() != 0.5488135039273248
